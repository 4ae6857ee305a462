/** The data of an account for agents' reports: traded value and balances, every ten minutes. */
import { minute, type Millis } from '../../../base/clock.ts';
import type { Money } from '../money.ts';

/** Interface, endpoints 4 and 9: the data refreshes every 10 minutes. */
export const refreshPeriod: Millis = 10 * minute;

/** The last refresh of reports, which includes events at that very time. */
export function lastRefresh(now: Millis): Millis {
  return Math.floor(now / refreshPeriod) * refreshPeriod;
}

/** The last refresh before a time, which excludes events at that time. */
export function refreshBefore(moment: Millis): Millis {
  return Math.ceil(moment / refreshPeriod) * refreshPeriod - refreshPeriod;
}

/** Value that an account traded, in the quote coin, between two refreshes. */
export class TradedValue {
  private readonly sums = new Map<Millis, Money>();

  add(at: Millis, value: Money): void {
    const last = lastMomentOf(at);
    this.sums.set(last, (this.sums.get(last) ?? 0n) + value);
  }

  /** Each sum with the latest time it covers. */
  entries(): Iterable<[Millis, Money]> {
    return this.sums.entries();
  }
}

/**
 * The end of the refresh period that includes a time. There is a refresh at each midnight: events
 * at that time are known at once, and belong to the new day.
 */
function lastMomentOf(at: Millis): Millis {
  return at % refreshPeriod === 0 ? at : lastRefresh(at) + refreshPeriod - 1;
}
