/** Orders as the exchange shows them, found by the clientOid we gave them. */
import type { Millis } from '../base/clock.ts';
import { decimal } from '../base/decimal.ts';
import type { Exchange } from '../api/exchange.ts';
import type { Input, Output } from '../api/operations/index.ts';
import { walk } from '../api/pages.ts';

export type Order =
  | Output<'order/list-open'>['list'][number]
  | Output<'order/list-history'>['list'][number];

type Placed = Input<'futures/place-order'>;

/** Where to look: open orders of a product type, then, with `since`, its history from that moment on. */
export interface Search {
  readonly category: Placed['productType'];
  readonly since?: Millis;
  /** The exchange's clock, up to which history is read; asked when it is not given. */
  readonly now?: Millis;
  readonly signal: AbortSignal;
}

/**
 * Reads open orders and then history, whole, and hands every order to `visit` until it says stop.
 * Open orders come first: an order that fills in between moves to the list read later.
 */
export async function visitOrders(
  exchange: Exchange,
  { category, since, signal, ...given }: Search,
  visit: (order: Order) => 'stop' | 'continue',
): Promise<void> {
  const now = given.now ?? (await exchange.serverTime(signal));
  const options = { now, signal, callOptions: { signal } };
  const open = walk(exchange, 'order/list-open', { category }, options);
  for await (const { rows } of open) {
    if (rows.some((order) => visit(order) === 'stop')) return;
  }
  if (since === undefined) return;
  // Both ends are said: a start alone would reach one window far, and not to now.
  const times = { startTime: String(since), endTime: String(now) };
  const history = walk(exchange, 'order/list-history', { category, ...times }, options);
  for await (const { rows } of history) {
    if (rows.some((order) => visit(order) === 'stop')) return;
  }
}

/** All orders of a search by their clientOids. */
export async function ordersByName(
  exchange: Exchange,
  search: Search,
): Promise<ReadonlyMap<string, Order>> {
  const found = new Map<string, Order>();
  await visitOrders(exchange, search, (order) => {
    found.set(order.clientOid, order);
    return 'continue';
  });
  return found;
}

/** The order of a clientOid, or undefined when neither list has it. */
export async function findOrder(
  exchange: Exchange,
  clientOid: string,
  search: Search,
): Promise<Order | undefined> {
  let found: Order | undefined;
  await visitOrders(exchange, search, (order) => {
    if (order.clientOid !== clientOid) return 'continue';
    found = order;
    return 'stop';
  });
  return found;
}

/**
 * In what an order differs from the one we meant to place; undefined when it is that one.
 * An order that closes or reduces may have been made smaller (interface, endpoint 6, rules 2, 3).
 */
export function differenceTo(order: Order, placed: Placed): string | undefined {
  const isClosing = placed.tradeSide === 'close' || placed.reduceOnly === 'YES';
  const side = placed.tradeSide === 'close' ? opposite(placed.side) : placed.side;
  if (!sameWord(order.symbol, placed.symbol)) return `its symbol is ${order.symbol}`;
  if (!sameWord(order.side, side)) return `its side is ${order.side}`;
  const meant = decimal(placed.size);
  const shown = decimal(order.qty);
  if (isClosing ? shown.gt(meant) : !shown.eq(meant)) return `its size is ${order.qty}`;
  if (placed.orderType === 'limit' && placed.price !== undefined) {
    if (order.price === '' || !decimal(order.price).eq(decimal(placed.price))) {
      return `its price is ${order.price}`;
    }
  }
  return undefined;
}

function opposite(side: 'buy' | 'sell'): 'buy' | 'sell' {
  return side === 'buy' ? 'sell' : 'buy';
}

function sameWord(a: string, b: string): boolean {
  return a.toLowerCase() === b.toLowerCase();
}
