/** The highest possible value of an order, in dollars, and the distance of its price from the market. */
import { decimal, divide, isDecimalText, zero, type Decimal } from '../../base/decimal.ts';
import type { Json } from '../../base/json.ts';
import type { OrderTerms } from '../../exchange/api/order-terms.ts';

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
 * sell: a sell limit far below the market executes at the market. A market order has no cap, unless
 * its size is the amount of the quote coin that it may spend.
 * @param market absent if unknown: a limit order is then valued at its limit
 * @returns undefined when a price or the size is not known
 */
export function notionalOf(
  order: OrderTerms,
  market: MarketPrices | undefined,
): Decimal | undefined {
  const size = numberFrom(order.size);
  const price = numberFrom(order.price);
  if (size === undefined || (order.isLimit && price === undefined)) return undefined;
  if (order.isInQuoteCoin) return size.abs();
  if (price !== undefined && (isCapped(order) || market === undefined)) {
    return price.times(size).abs();
  }
  if (market === undefined) return undefined;
  return highest([price, ...reached(order, market)])
    .times(size)
    .abs();
}

/**
 * Whether the order alone determines its value. An order that may execute on either side never counts
 * as a buy.
 */
export function isCapped({ isLimit, side, isOnEitherSide, isInQuoteCoin }: OrderTerms): boolean {
  return isInQuoteCoin || (isLimit && side === 'buy' && !isOnEitherSide);
}

const dollars: Readonly<Record<string, RegExp>> = {
  SPOT: /(?:USDT|USDC|USD)$/,
  MARGIN: /(?:USDT|USDC|USD)$/,
  'USDT-FUTURES': /USDT(?:[A-Z]\d{2})?$/,
  'USDC-FUTURES': /(?:USDC|PERP)(?:[A-Z]\d{2})?$/,
  'COIN-FUTURES': /USD(?:[A-Z]\d{2})?$/,
};

/** Whether price × size of a symbol is in dollars: it is quoted in USDT, USDC or USD. */
export function isQuotedInDollars({ line, symbol }: OrderTerms): boolean {
  if (line === undefined || symbol === undefined) return false;
  return dollars[line]?.test(symbol.toUpperCase()) ?? false;
}

/**
 * The distance of an order's price from the mark: price over mark minus one, to four places; undefined
 * without either.
 */
export function distanceOf(order: OrderTerms, mark: string | undefined): Decimal | undefined {
  const price = numberFrom(order.price);
  if (price === undefined || mark === undefined) return undefined;
  const base = decimal(mark);
  return divide(price.minus(base), base, { scale: 4, rounding: 'half-up' });
}

/**
 * Possible execution prices of an order without an effective limit: the mark price, and the book on
 * its side.
 */
function reached(
  { side, isOnEitherSide: isEither }: OrderTerms,
  { mark, bid, ask }: MarketPrices,
): Decimal[] {
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
export function numberIn(
  input: { readonly [field: string]: Json },
  field: string,
): Decimal | undefined {
  return numberFrom(input[field]);
}

/** A plain decimal; undefined for anything else. */
export function numberFrom(value: unknown): Decimal | undefined {
  return typeof value === 'string' && isDecimalText(value) ? decimal(value) : undefined;
}
