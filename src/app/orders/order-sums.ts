/** The sums of orders by day and symbol. */
import { minute, type Millis } from '../../base/clock.ts';
import { decimal, decimalText, zero, type Decimal } from '../../base/decimal.ts';
import type { Zone } from '../../language/zone.ts';
import type { OrderSum, RunOrder } from '../documents/order-documents.ts';

/** States in which no order exists. */
const absent = new Set(['refused', 'failed', 'skipped', 'not-sent']);

/**
 * Sums the orders that exist, and those in doubt: the newest day first, and in each the symbols in order.
 * @param zone the zone of the days; default: UTC
 */
export function orderSums(orders: readonly RunOrder[], zone: Zone = () => 0): readonly OrderSum[] {
  const dayOf = daysIn(zone);
  const sums = new Map<string, OrderSum & { readonly exact: Decimal }>();
  for (const order of orders.filter(({ state }) => !absent.has(state))) {
    const { sentAt, symbol, coin, notional } = order;
    const day = dayOf(sentAt);
    const name = `${day} ${symbol} ${coin}`;
    const before = sums.get(name);
    const exact = (before?.exact ?? zero).plus(decimal(notional ?? '0'));
    sums.set(name, {
      day,
      symbol,
      coin,
      orders: (before?.orders ?? 0) + 1,
      notional: decimalText(exact),
      atMarket: (before?.atMarket ?? 0) + (notional === undefined ? 1 : 0),
      exact,
    });
  }
  return [...sums.values()]
    .map(({ exact: _exact, ...sum }) => sum)
    .toSorted((a, b) => b.day.localeCompare(a.day) || a.symbol.localeCompare(b.symbol));
}

const quarter: Millis = 15 * minute; // clocks change at the full one

/** The day of a time. The offset of a zone is read once for each quarter of an hour. */
function daysIn(zone: Zone): (at: Millis) => string {
  const offsets = new Map<number, Millis>();
  return (at) => {
    const part = Math.floor(at / quarter);
    const offset = offsets.get(part) ?? zone(at);
    offsets.set(part, offset);
    return new Date(at + offset).toISOString().slice(0, 10);
  };
}
