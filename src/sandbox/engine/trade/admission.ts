/** Whether the market's phase and the number of open orders allow a new order. */
import type { Millis } from '../../../base/clock.ts';
import { Refusal } from '../../refusal.ts';
import { openOrdersMax } from '../limits.ts';
import { opposite } from '../model/holding.ts';
import type { Request } from './request.ts';

/**
 * Checks the market's phase.
 * @throws Refusal before a symbol is traded, when positions can no longer be opened, or during
 * delivery
 */
export function checkPhase(request: Request, lots: number): void {
  switch (request.market.deliveryStatus) {
    case '':
    case 'delivery_normal':
      return;
    case 'delivery_config_period':
      throw new Refusal('43115');
    case 'delivery_before':
      // Makers continue to quote, so that positions can be closed.
      if (isOpening(request, lots) && !request.account.isMaker) throw new Refusal('22039');
      return;
    case 'delivery_period':
      throw new Refusal('22040');
  }
}

/**
 * Checks the number of open orders.
 * @throws Refusal when an order that may rest, or waits to be matched, would exceed the limit
 */
export function checkRoom({ account, fields, isMarket, market }: Request, delay: Millis): void {
  if (account.isMaker) return;
  const isNeverOpen = isMarket || fields.force === 'ioc' || fields.force === 'fok';
  if (isNeverOpen && delay === 0) return;
  const open = market.isSpot ? account.openSpot : account.openFutures;
  if (open >= openOrdersMax) throw new Refusal('40761');
}

/** Checks the liquidity of a market. @throws Refusal when a market order has no liquidity */
export function checkCounterparty({ market, isMarket, isBuy }: Request): void {
  if (isMarket && market.book.bestAgainst(isBuy) === undefined) throw new Refusal('22045');
}

/**
 * Checks the margin mode. @throws Refusal when orders or positions of the symbol have the other one
 */
export function checkMarginMode({ fields, holding }: Request): void {
  if (holding === undefined || holding.isEmpty) return;
  if ((fields.marginMode ?? 'crossed') !== holding.marginMode) throw new Refusal('45117');
}

/**
 * Whether an order opens a position: a one-way order does unless the opposite position absorbs all
 * of it.
 */
function isOpening({ intent, holding, holdSide }: Request, lots: number): boolean {
  if (intent !== 'net') return intent === 'open';
  const against = holding?.position(opposite(holdSide))?.lots ?? 0;
  return lots + (holding?.opening(holdSide).lots ?? 0) > against;
}
