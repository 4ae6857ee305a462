/** Sliding rate limits on the monotonic clock, independent of the world's clock. */
import type { Millis } from '../../base/clock.ts';
import type { Limit } from '../../exchange/api/operation.ts';
import { opensAt } from '../../exchange/api/window.ts';
import { Refusal } from '../refusal.ts';

export interface Throttle {
  /**
   * Counts one request of `who` and returns how many more are allowed now.
   * @throws Refusal 429, uncounted, when none is
   */
  pass(bucket: string, limit: Limit, at: Millis): number;
}

export function throttle(): Throttle {
  const passed = new Map<string, Millis[]>();
  return {
    pass: (bucket, limit, at) => {
      const recent = passed.get(bucket) ?? [];
      if (recent.length === 0) passed.set(bucket, recent);
      while ((recent[0] ?? Infinity) + limit.per <= at) recent.shift();
      if (opensAt(recent, limit) > at) throw new Refusal('429');
      recent.push(at); // at most `permits` times are kept
      return limit.permits - recent.length;
    },
  };
}
