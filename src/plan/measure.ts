/** What an order is worth, and how far its price is from the market. */
import { decimal, divide, zero, type Decimal } from '../base/decimal.ts';
import type { Json } from '../base/json.ts';

interface Fields {
  readonly [field: string]: Json;
}

/** Size times price; a market order is valued at the mark price. Never below zero. */
export function notionalOf(input: Fields, mark: string | undefined): Decimal | undefined {
  const price = input['orderType'] === 'limit' ? input['price'] : mark;
  const size = input['size'];
  return typeof price === 'string' && typeof size === 'string'
    ? decimal(price).times(decimal(size)).abs()
    : undefined;
}

/** Price over mark minus one, to four places; undefined without a price or a mark. */
export function distanceOf(input: Fields, mark: string | undefined): Decimal | undefined {
  const price = input['price'];
  if (input['orderType'] !== 'limit' || typeof price !== 'string' || mark === undefined) {
    return undefined;
  }
  const base = decimal(mark);
  if (base.eq(zero)) return undefined;
  return divide(decimal(price).minus(base), base, { scale: 4, rounding: 'half-up' });
}
