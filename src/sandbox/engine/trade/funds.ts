/** The available amount of a wallet, and the requirement of an order. */
import { preview } from '../book/match.ts';
import { smaller, type Money } from '../money.ts';
import { openingCost, type Holding, type Position } from '../model/holding.ts';
import type { Order } from '../model/order.ts';
import type { State } from '../model/state.ts';
import type { Wallet } from '../model/wallet.ts';
import { product } from '../units.ts';
import { clearlyHas, roughCostOf } from './rough.ts';
import { payingWallet, spotNeed } from './spot.ts';

/**
 * The available amount of a wallet: balance minus held amounts; losses of crossed positions count,
 * profits do not.
 */
export function available(wallet: Wallet): Money {
  let unrealised = 0n;
  for (const holding of wallet.holdings) {
    if (holding.marginMode === 'crossed') unrealised += unrealisedOf(holding);
  }
  return wallet.balance - wallet.held + smaller(unrealised, 0n);
}

/** Profit and loss of a holding's positions at the mark price. */
export function unrealisedOf({ long, short }: Holding): Money {
  return (long ? profitAtMark(long) : 0n) + (short ? profitAtMark(short) : 0n);
}

/** The profit of closing a position at the mark price. */
export function profitAtMark(position: Position): Money {
  const { market } = position.holding;
  return market.markTicks === undefined ? 0n : market.contract.profit(position, market.markTicks);
}

/** Whether the account can pay for an order that is not open yet. */
export function canAfford(state: State, order: Order): boolean {
  if (order.isCloser) return true;
  const { holding, holdSide, market } = order;
  if (holding === undefined) {
    const need = spotNeed(order, order.holdTicks) * BigInt(order.remaining);
    return need <= available(payingWallet(state, order));
  }
  const opening = holding.opening(holdSide);
  const added = market.contract.points(order.holdTicks, order.remaining);
  const points = opening.points + added;
  if (!Number.isSafeInteger(points)) return false;
  if (clearlyHas(holding.wallet, roughCostOf(holding, added))) return true;
  const all = { lots: opening.lots + order.remaining, points };
  const need = openingCost(holding, holdSide, all) - openingCost(holding, holdSide, opening);
  return need <= 0n || need <= available(holding.wallet);
}

/**
 * The price to value an order at: its limit, or a higher one if it would execute at better prices
 * or has no limit, rounded up. Futures sells and market orders can have such prices.
 */
export function countingTicks(order: Order): number {
  const { isMarket, isBuy, remaining, market, stpMode } = order;
  if (!isMarket && (isBuy || !market.book.wouldTrade(false, order.ticks))) return order.ticks;
  const best = market.book.bestAgainst(isBuy);
  const isOnePrice = best !== undefined && best.lots >= remaining && stpMode === 'none';
  return isOnePrice ? best.ticks : averageTicks(order);
}

/** The average of all execution prices that an order would get, rounded up. */
function averageTicks(order: Order): number {
  const { isMarket, market } = order;
  let left = order.remaining;
  let points = 0n;
  let last = order.ticks;
  preview({ book: market.book, taker: order, limit: order.limit }, (maker, ticks) => {
    const lots = Math.min(left, maker.remaining);
    points += product(ticks, lots);
    left -= lots;
    last = ticks;
    return left === 0;
  });
  if (left > 0 && !isMarket) {
    points += product(order.ticks, left);
    left = 0;
  }
  const counted = order.remaining - left;
  if (counted === 0) return last;
  return Number((points + BigInt(counted) - 1n) / BigInt(counted));
}
