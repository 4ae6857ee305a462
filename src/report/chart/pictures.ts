/** Draws in a separate thread where there is a script for it, and in this thread when the program runs from sources. */
import { readRegular } from '../../base/read-file.ts';
import { drawAside, type Pictures, type Prepared } from './aside.ts';

/**
 * The library's build replaces this source file: it imports the script, so that a bundle of a program
 * that imports deskhand has it inside.
 * @throws ChartError when the spec gives no chart, or is too expensive to draw
 */
export async function picturesOf(ready: Prepared): Promise<Pictures> {
  const file: unknown = Reflect.get(globalThis, Symbol.for('deskhand.chart')); // set by the loader
  if (typeof file === 'string') {
    const text = (await readRegular(file, Infinity)).toString();
    return drawAside(scriptIn(text), ready);
  }
  const { drawBoth } = await import('./both.ts');
  return drawBoth(ready);
}

/** The file is a module whose only export is the script. */
function scriptIn(text: string): string {
  return text.slice("export default '".length, text.lastIndexOf("'"));
}
