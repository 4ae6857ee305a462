/** The data for agents' reports, as the engine shows it. */
import type { Millis } from '../../../base/clock.ts';
import { formatMoney } from '../money.ts';
import { lastRefresh } from '../model/reporting.ts';
import type { State } from '../model/state.ts';
import type { BalanceView, TradedView } from '../view.ts';

/**
 * The balances for reports. Nothing has changed since the engine's time: after a later refresh,
 * balances are the current ones.
 */
export function reportedBalances(state: State, uid: string, now: Millis): BalanceView[] {
  const isLater = lastRefresh(now) >= state.now;
  return [...(state.accounts.get(uid)?.wallets.values() ?? [])].map(
    ({ walletType, coin, balance, reported }) => ({
      walletType,
      coin,
      balance: formatMoney(isLater ? balance : reported),
    }),
  );
}

export function* tradedValues(state: State, uid: string): Generator<TradedView, void, undefined> {
  for (const [until, value] of state.accounts.get(uid)?.traded.entries() ?? []) {
    yield { until, value: formatMoney(value) };
  }
}
