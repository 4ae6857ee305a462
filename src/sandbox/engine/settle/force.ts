/** Liquidates a position, at no worse a price than its margin covers. */
import { larger, quotient, type Money } from '../money.ts';
import type { Position } from '../model/holding.ts';
import type { State } from '../model/state.ts';
import { take } from '../trade/execute.ts';
import { accept, close, open } from '../trade/lifecycle.ts';
import { report } from './aside.ts';
import { closingOrder } from './closing-order.ts';
import { deleverage } from './deleverage.ts';
import { reserveOf } from './reserve.ts';

export interface Forced {
  readonly lots: number;
  /** The maximum loss of the whole position, in the margin coin. */
  readonly budget: Money;
  readonly executionType: 'liquidation' | 'reduce';
}

/**
 * Closes lots in the book, as far as the budget and, for a liquidation, the reserve cover the
 * prices; profitable positions take over the rest of a liquidation.
 * @returns how many lots were closed
 */
export function forceClose(state: State, position: Position, forced: Forced): number {
  const { lots, executionType } = forced;
  const isFinal = executionType === 'liquidation';
  const order = closingOrder(state, position, { lots, executionType });
  const { market } = position.holding;
  const bound = boundOf(position, forced, 0n);
  const reserve = reserveOf(state, position.holding.wallet)?.ledger.balance ?? 0n;
  const limit = isFinal ? boundOf(position, forced, larger(reserve, 0n)) : bound;
  const worst = limit ?? (order.isBuy ? Infinity : 0);
  if (!isFinal && !market.book.wouldTrade(order.isBuy, worst)) return 0;
  accept(state, order);
  open(state, order);
  take(state, order, worst);
  if (isFinal && order.remaining > 0) {
    deleverage(state, { order, position, ticks: bound ?? market.markTicks ?? 1 });
  }
  report(state, order, executionType);
  close(state, order, order.remaining === 0 ? 'filled' : 'ioc_not_full_cancel');
  if (!position.holding.account.isMaker) state.touch(position.holding.wallet);
  return order.executedLots;
}

/**
 * The last price at which the lots may be closed before their share of the budget, minus the
 * closing fee, is used up; `undefined` when no price is too bad.
 */
function boundOf(position: Position, { lots, budget }: Forced, more: Money): number | undefined {
  const { isLong, holding } = position;
  const { market } = holding;
  const { contract } = market;
  const share = (amount: Money): Money =>
    quotient(amount * BigInt(lots), BigInt(position.lots), 'floor');
  const stake = { isLong, lots, entryValue: share(position.entryValue) };
  const margin = share(budget) + more;
  const feeless = contract.bankruptTicks(stake, margin);
  const feeTicks = Math.max(feeless ?? 1, market.markTicks ?? 1);
  const fee = market.fee(contract.notional(feeTicks, lots), 'taker');
  return contract.bankruptTicks(stake, margin - fee);
}
