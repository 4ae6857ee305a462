/** Liquidation: first orders are canceled, then parts and whole positions are closed, in the book and beyond it. */
import type { Money } from '../money.ts';
import type { Holding, Position } from '../model/holding.ts';
import type { State } from '../model/state.ts';
import type { Wallet } from '../model/wallet.ts';
import { profitAtMark } from '../trade/funds.ts';
import { close } from '../trade/lifecycle.ts';
import { offsetAtMark } from './aside.ts';
import { forceClose, type Forced } from './force.ts';
import { crossedEquity, isDoomed, tierOf } from './health.ts';
import { payFromReserve, payToReserve } from './reserve.ts';

/** Liquidates an isolated position, which loses exactly its margin. */
export function liquidateIsolated(state: State, position: Position): void {
  const { holding } = position;
  const { wallet } = holding;
  cancelOrders(state, [holding]);
  const budget = position.margin;
  const excess = excessLots(position);
  if (excess > 0) {
    forceClose(state, position, { lots: excess, budget, executionType: 'reduce' });
    if (!isDoomed(position)) return;
  }
  const margin = position.margin;
  const before = wallet.balance;
  closeWhole(state, position, margin);
  const left = margin + (wallet.balance - before);
  if (left > 0n) payToReserve(state, wallet, left);
  else if (left < 0n) payFromReserve(state, wallet, -left);
}

/** One liquidation step for positions that share a wallet. */
export function liquidateCrossed(state: State, wallet: Wallet, crossed: readonly Position[]): void {
  const holdings = [...new Set(crossed.map(({ holding }) => holding))];
  if (cancelOrders(state, holdings)) return;
  const both = holdings.find(({ long, short }) => long !== undefined && short !== undefined);
  if (both !== undefined) return offsetAtMark(state, both);
  const [worst] = crossed.toSorted(byProfit);
  if (worst === undefined) return;
  const budget = crossedEquity(wallet, crossed) - profitAtMark(worst);
  const excess = excessLots(worst);
  if (excess > 0) {
    const forced = forceClose(state, worst, { lots: excess, budget, executionType: 'reduce' });
    if (forced > 0) return;
  }
  closeWhole(state, worst, budget);
}

function closeWhole(state: State, position: Position, budget: Money): void {
  const whole: Forced = { lots: position.lots, budget, executionType: 'liquidation' };
  forceClose(state, position, whole);
}

/** Lots above the size at which a smaller maintenance rate applies. */
function excessLots(position: Position): number {
  const { lots, holding } = position;
  const { market } = holding;
  const mark = market.markTicks;
  if (mark === undefined) return 0;
  const place = tierOf(market, lots, mark);
  if (place === 0) return 0;
  const bound = market.terms.tiers[place]?.from ?? 0n;
  const perLot = market.value(mark, 1);
  const { sizeStep } = market.instrument;
  const kept = Math.floor(Number((bound - 1n) / perLot) / sizeStep) * sizeStep;
  return kept <= 0 ? 0 : lots - kept;
}

/** Cancels every open order of some holdings, and returns whether there was one. */
function cancelOrders(state: State, holdings: readonly Holding[]): boolean {
  const [first] = holdings;
  if (first === undefined || holdings.every(({ openOrders }) => openOrders === 0)) return false;
  for (const order of first.account.openOrders()) {
    const { holding } = order;
    if (holding !== undefined && holdings.includes(holding)) close(state, order, 'burst_cancel');
  }
  return true;
}

function byProfit(a: Position, b: Position): number {
  const difference = profitAtMark(a) - profitAtMark(b);
  return difference < 0n ? -1 : difference > 0n ? 1 : a.count - b.count;
}
