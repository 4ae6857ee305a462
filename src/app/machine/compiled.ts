/** The code that V8 compiles at the first start of a command: the program's loader keeps it for the next
 * start.
 */

/**
 * The key of the function that keeps compiled code. `.ci/code-cache.cjs` uses it too, and removes the
 * function once the code is kept.
 */
const keepKey = Symbol.for('deskhand.keep-compiled');

/** Whether the code that is compiled now will be kept. */
export function isToBeKept(): boolean {
  return typeof Reflect.get(globalThis, keepKey) === 'function';
}

/**
 * Keeps the code that was compiled so far, before V8's flags change for the rest of the process: V8 accepts
 * compiled code only at a start with the flags under which it was kept.
 */
export function keepCompiled(): void {
  const keep: unknown = Reflect.get(globalThis, keepKey);
  if (typeof keep === 'function') keep();
}
