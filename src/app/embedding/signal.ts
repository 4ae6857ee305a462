/** Recognizes signals that a program gives, which may be of another realm, such as that of a test environment.
 */

/** Whether a value can be used as an AbortSignal. */
export function isSignal(value: unknown): value is AbortSignal {
  return (
    typeof value === 'object' &&
    value !== null &&
    'aborted' in value &&
    'addEventListener' in value &&
    typeof value.addEventListener === 'function'
  );
}
