/** The file of the drawing thread. */

/** By its name in the loader of the program; undefined where nothing is built. The library's build replaces this file. */
export function threadFile(): string | undefined {
  const file: unknown = Reflect.get(globalThis, Symbol.for('deskhand.chart'));
  return typeof file === 'string' ? file : undefined;
}
