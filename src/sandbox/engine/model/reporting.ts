/** What agents' reports need of an account: traded value and balances, as of every ten minutes. */
import { minute, type Millis } from '../../../base/clock.ts';
import type { Money } from '../money.ts';

/** Interface, endpoints 4 and 9: the data refreshes every 10 minutes. */
export const refreshPeriod: Millis = 10 * minute;

/** When reports were last brought up to date; what happened at that very moment is in them. */
export function lastRefresh(now: Millis): Millis {
  return Math.floor(now / refreshPeriod) * refreshPeriod;
}

/** The last refresh before a moment, which knows nothing of what happens at that moment. */
export function refreshBefore(moment: Millis): Millis {
  return Math.ceil(moment / refreshPeriod) * refreshPeriod - refreshPeriod;
}

/** Value an account traded, in the quote coin, summed up between two refreshes. */
export class TradedValue {
  private readonly sums = new Map<Millis, Money>();

  add(at: Millis, value: Money): void {
    const last = lastMomentOf(at);
    this.sums.set(last, (this.sums.get(last) ?? 0n) + value);
  }

  /** The last moment a sum covers, and the sum. */
  entries(): Iterable<[Millis, Money]> {
    return this.sums.entries();
  }
}

/** A refresh falls on each midnight: what happens then is known at once, and of the new day. */
function lastMomentOf(at: Millis): Millis {
  return at % refreshPeriod === 0 ? at : lastRefresh(at) + refreshPeriod - 1;
}
