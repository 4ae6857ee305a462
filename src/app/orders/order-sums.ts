/** The sums of orders by day and symbol. */
import { decimal, decimalText, zero, type Decimal } from '../../base/decimal.ts';
import type { OrderSum, RunOrder } from '../documents/order-documents.ts';

/** States in which no order exists. */
const absent = new Set(['refused', 'failed', 'skipped', 'not-sent']);

/** Sums the orders that exist, and those in doubt: the newest day first, and in each the symbols in order. */
export function orderSums(orders: readonly RunOrder[]): readonly OrderSum[] {
  const sums = new Map<string, OrderSum & { readonly exact: Decimal }>();
  for (const order of orders.filter(({ state }) => !absent.has(state))) {
    const { sentAt, symbol, coin, notional } = order;
    const day = new Date(sentAt).toISOString().slice(0, 10);
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
