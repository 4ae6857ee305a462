/** The highest possible value of an order, in dollars, and the distance of its price from the market. */
import { decimal, divide, isDecimalText, zero, type Decimal } from '../../base/decimal.ts';
import type { Json } from '../../base/json.ts';

interface Fields {
  readonly [field: string]: Json;
}

/** Possible execution prices of a symbol, all above zero. */
export interface MarketPrices {
  readonly mark: string;
  /** Best bid and ask; absent if that side is empty. */
  readonly bid?: string;
  readonly ask?: string;
}

/**
 * The highest possible value of an order: its size (in the base coin, on inverse contracts too)
 * times the highest price at which it may execute. A limit caps the price of a buy, but not of a
 * sell: a sell limit far below the market executes at the market. A market order has no cap.
 * @param market absent if unknown: a limit order is then valued at its limit
 * @returns undefined when a price or the size is not known
 */
export function notionalOf(input: Fields, market: MarketPrices | undefined): Decimal | undefined {
  const size = numberIn(input, 'size');
  const price = input['orderType'] === 'limit' ? numberIn(input, 'price') : undefined;
  if (size === undefined || (input['orderType'] === 'limit' && price === undefined)) {
    return undefined;
  }
  if (price !== undefined && (isCapped(input) || market === undefined)) {
    return price.times(size).abs();
  }
  if (market === undefined) return undefined;
  return highest([price, ...reached(input, market)])
    .times(size)
    .abs();
}

/**
 * Whether the limit alone determines the value. In hedge mode a close has the side of the position
 * on some accounts and the opposite on others, so a close never counts as a buy.
 */
export function isCapped({ orderType, side, tradeSide }: Fields): boolean {
  return orderType === 'limit' && side === 'buy' && tradeSide !== 'close';
}

const dollars: Readonly<Record<string, RegExp>> = {
  'USDT-FUTURES': /USDT(?:[A-Z]\d{2})?$/,
  'USDC-FUTURES': /(?:USDC|PERP)(?:[A-Z]\d{2})?$/,
  'COIN-FUTURES': /USD(?:[A-Z]\d{2})?$/,
};

/** Whether price × size of a symbol is in dollars: it is quoted in USDT, USDC or USD. */
export function isQuotedInDollars({ productType, symbol }: Fields): boolean {
  if (typeof productType !== 'string' || typeof symbol !== 'string') return false;
  return dollars[productType]?.test(symbol.toUpperCase()) ?? false;
}

/**
 * The distance of an order's price from the mark: price over mark minus one, to four places; undefined
 * without either.
 */
export function distanceOf(input: Fields, mark: string | undefined): Decimal | undefined {
  const price = input['orderType'] === 'limit' ? numberIn(input, 'price') : undefined;
  if (price === undefined || mark === undefined) return undefined;
  const base = decimal(mark);
  return divide(price.minus(base), base, { scale: 4, rounding: 'half-up' });
}

/**
 * Possible execution prices of an order without an effective limit: the mark price, and the book on
 * its side.
 */
function reached({ side, tradeSide }: Fields, { mark, bid, ask }: MarketPrices): Decimal[] {
  const isEither = tradeSide === 'close';
  return [
    mark,
    ...(bid !== undefined && (isEither || side !== 'buy') ? [bid] : []),
    ...(ask !== undefined && (isEither || side !== 'sell') ? [ask] : []),
  ].map(decimal);
}

function highest(prices: readonly (Decimal | undefined)[]): Decimal {
  return prices.reduce<Decimal>((top, price) => (price?.gt(top) ? price : top), zero);
}

/** Reads a field with a plain decimal. */
export function numberIn(input: Fields, field: string): Decimal | undefined {
  const value = input[field];
  return typeof value === 'string' && isDecimalText(value) ? decimal(value) : undefined;
}
