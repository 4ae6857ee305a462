/** Approximate checks of an account with floats: they decide clear cases; close ones are computed exactly. */
import { one } from '../money.ts';
import type { Holding, Position } from '../model/holding.ts';
import type { Wallet } from '../model/wallet.ts';

/**
 * The least distance of a clear case, as a part of the sum of the absolute terms. The error of the
 * floats is below a millionth of it.
 */
const margin = 1e-9;

/** One coin, included in the sum from the start: it exceeds all rounding of exact sums. */
const coin = Number(one);

/** Whether a futures wallet certainly has so much available. */
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

/** Upper bound of the cost to open so many points of a contract at a holding's leverage. */
export function roughCostOf({ market, rates }: Holding, points: number): number {
  return points * market.contract.roughUnit * rates.opening.rough;
}

function roughCost(holding: Holding): number {
  const points = holding.openingLong.points + holding.openingShort.points;
  return points === 0 ? 0 : roughCostOf(holding, points);
}

/** Whether the crossed positions of a wallet are certainly above the maintenance margin. */
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

/**
 * A position's value at the mark price and at the opening price; the profit is their difference.
 */
function worthOf(position: Position | undefined): number {
  if (position === undefined) return 0;
  const { contract, markTicks } = position.holding.market;
  if (markTicks === undefined) return 0;
  return contract.points(markTicks, position.lots) * contract.roughUnit;
}
