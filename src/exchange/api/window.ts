/** The arithmetic of a sliding limit, used by the client to wait and by the sandbox to refuse. */
import type { Millis } from '../../base/clock.ts';
import type { Limit } from './operation.ts';

/**
 * The time at which one more event is allowed: `per` after the `permits`-th last event.
 * @param moments times of earlier events, oldest first; only the last `permits` matter
 * @returns a time on the same clock; -Infinity when a slot is free
 */
export function opensAt(moments: readonly Millis[], limit: Limit): Millis {
  const oldest = moments.at(-limit.permits);
  return oldest === undefined || moments.length < limit.permits ? -Infinity : oldest + limit.per;
}
