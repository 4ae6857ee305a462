/** Size and price of a request, checked against the rules of the symbol. */
import { Refusal } from '../../refusal.ts';
import type { Market } from '../model/market.ts';
import { parseUnits } from '../units.ts';
import type { Request } from './request.ts';

export interface Numbers {
  readonly lots: number;
  /** The limit price in ticks; 0 for a market order. */
  readonly ticks: number;
}

/**
 * Reads and checks size and price.
 * @throws Refusal in this order: size, its step and limits, price, its step and band
 */
export function readNumbers(request: Request): Numbers {
  const { market, fields, isMarket } = request;
  const lots = readSize(request);
  if (isMarket) {
    checkNotional(request, lots, market.markTicks ?? market.lastTicks);
    return { lots, ticks: 0 };
  }
  if (fields.price === undefined) throw new Refusal('40019', 'price');
  const ticks = readPrice(market, fields.price, 'price');
  checkNotional(request, lots, ticks);
  checkBand(market, ticks);
  if (!Number.isSafeInteger(ticks * lots)) throw new Refusal('45112');
  return { lots, ticks };
}

/** Parses a price in ticks; it must be a multiple of the symbol's step. */
export function readPrice({ instrument }: Market, text: string, name: string): number {
  const ticks = parseUnits(text, instrument.priceScale);
  if (typeof ticks !== 'number' || ticks === 0) throw new Refusal('40808', name);
  if (ticks % instrument.priceStep !== 0) throw new Refusal('45115', name);
  return ticks;
}

function readSize(request: Request): number {
  const { instrument, terms } = request.market;
  const lots = parseUnits(request.fields.size, instrument.sizeScale);
  if (lots === 'too-large') throw new Refusal('45112');
  if (typeof lots !== 'number' || lots === 0) throw new Refusal('40808', 'size');
  if (lots % instrument.sizeStep !== 0) throw new Refusal('22038');
  if (lots < terms.lotsMin && !isWholeRest(request, lots)) throw new Refusal('45111');
  if (lots > terms.lotsMax) throw new Refusal('45112');
  return lots;
}

function checkNotional(request: Request, lots: number, ticks: number | undefined): void {
  const { market } = request;
  if (ticks === undefined || isWholeRest(request, lots)) return;
  if (ticks * lots < market.terms.pointsMin) throw new Refusal('45110');
}

/** Whether an order closes the remainder of a position, which is allowed at any size. */
function isWholeRest({ holding, intent, holdSide }: Request, lots: number): boolean {
  if (intent !== 'reduce' && intent !== 'close') return false;
  return holding?.position(holdSide)?.lots === lots;
}

function checkBand(market: Market, ticks: number): void {
  const { markTicks } = market;
  if (markTicks === undefined) return;
  const reach = market.reachAt(markTicks);
  if (ticks > markTicks + reach) throw new Refusal('22006');
  if (ticks < markTicks - reach) throw new Refusal('22007');
}
