/** The arithmetic of a sliding limit: used by the client to wait and by the sandbox to refuse. */
import type { Millis } from '../base/clock.ts';
import type { Limit } from './operation.ts';

/**
 * When one more event fits: `per` after the last-but-(`permits`-1) of the events so far.
 * @param moments when earlier events happened, oldest first; only the last `permits` matter
 * @returns a moment on the same clock; -Infinity when there is room at once
 */
export function opensAt(moments: readonly Millis[], limit: Limit): Millis {
  const oldest = moments.at(-limit.permits);
  return oldest === undefined || moments.length < limit.permits ? -Infinity : oldest + limit.per;
}
