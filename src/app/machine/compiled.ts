/** What V8 compiles at the first start of a command, which the loader of the program keeps for the next start. */

/** Also in `.ci/code-cache.cjs`, which removes the function once the code is kept. */
const keepKey = Symbol.for('deskhand.keep-compiled');

/** Whether the code that is compiled now will be kept. */
export function isToBeKept(): boolean {
  return typeof Reflect.get(globalThis, keepKey) === 'function';
}

/**
 * Keeps what was compiled until now, before V8's flags change for the rest of the process: V8 accepts
 * compiled code only at a start with the flags under which it is kept.
 */
export function keepCompiled(): void {
  const keep: unknown = Reflect.get(globalThis, keepKey);
  if (typeof keep === 'function') keep();
}
