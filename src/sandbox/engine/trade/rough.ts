/** A rough look at an account in floats: decides what is clear; what is close is counted exactly. */
import { one } from '../money.ts';
import type { Holding, Position } from '../model/holding.ts';
import type { Wallet } from '../model/wallet.ts';

/** Of all that went into a sum; its floats are wrong by less than a millionth of that. */
const margin = 1e-9;

/** Counted in from the start: next to it, what exact sums round up is nothing. */
const coin = Number(one);

/** Whether a wallet of futures certainly has so much more to use than it holds. */
export function clearlyHas(wallet: Wallet, wanted: number): boolean {
  let free = wallet.roughBalance;
  let profit = 0;
  let counted = coin + Math.abs(free) + wanted;
  for (const holding of wallet.holdings) {
    const { long, short } = holding;
    const held = roughCost(holding) + marginOf(long) + marginOf(short);
    free -= held;
    counted += held;
    if (holding.marginMode === 'isolated') continue;
    const earned = roughProfit(long) + roughProfit(short);
    profit += earned;
    counted += Math.abs(earned) + worthOf(long) + worthOf(short);
  }
  return free + Math.min(profit, 0) - wanted > margin * counted;
}

/** At most what so many points of a contract cost to open at a holding's leverage. */
export function roughCostOf({ market, rates }: Holding, points: number): number {
  return points * market.contract.roughUnit * rates.opening.rough;
}

function roughCost(holding: Holding): number {
  const points = holding.openingLong.points + holding.openingShort.points;
  return points === 0 ? 0 : roughCostOf(holding, points);
}

/** Whether the crossed positions of a wallet are certainly worth more than they must be. */
export function clearlyWell(wallet: Wallet): boolean {
  let equity = wallet.roughBalance;
  if (equity < 0) return false;
  let need = 0;
  let counted = coin + equity;
  for (const { marginMode, market, long, short } of wallet.holdings) {
    if (long === undefined && short === undefined) continue;
    if (marginMode === 'isolated') return false;
    if (market.markTicks === undefined) continue;
    const worth = worthOf(long) + worthOf(short);
    const earned = roughProfit(long) + roughProfit(short);
    equity += earned;
    need += worth * market.terms.rateMost;
    counted += worth + Math.abs(earned);
  }
  return equity - need > margin * counted;
}

function marginOf(position: Position | undefined): number {
  return position === undefined ? 0 : position.roughMargin;
}

function roughProfit(position: Position | undefined): number {
  if (position === undefined) return 0;
  const { market } = position.holding;
  const { markTicks } = market;
  return markTicks === undefined ? 0 : market.contract.roughProfit(position, markTicks);
}

/** Value at the mark price, and at the price of opening: what its profit is the difference of. */
function worthOf(position: Position | undefined): number {
  if (position === undefined) return 0;
  const { contract, markTicks } = position.holding.market;
  if (markTicks === undefined) return 0;
  return contract.points(markTicks, position.lots) * contract.roughUnit;
}
