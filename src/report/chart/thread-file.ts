/** The file of the drawing thread. */

/**
 * The drawing thread's file, by its name in the program's loader; undefined if nothing is built. The
 * library's build replaces this source file.
 */
export function threadFile(): string | undefined {
  const file: unknown = Reflect.get(globalThis, Symbol.for('deskhand.chart'));
  return typeof file === 'string' ? file : undefined;
}
