/** Searches orders of the exchange by our clientOids. */
import type { Millis } from '../base/clock.ts';
import { decimal, zero } from '../base/decimal.ts';
import type { Exchange } from '../api/exchange.ts';
import type { Input, Output } from '../api/operations/index.ts';
import { walk } from '../api/pages.ts';

export type Order =
  | Output<'order/list-open'>['list'][number]
  | Output<'order/list-history'>['list'][number];

type Placed = Input<'futures/place-order'>;

/**
 * The search range: open orders of a product type, then, with `since`, its history from that time
 * on.
 */
export interface Search {
  readonly category: Placed['productType'];
  readonly since?: Millis;
  /** The exchange's clock, up to which history is read; requested if not given. */
  readonly now?: Millis;
  readonly signal: AbortSignal;
  /** Gets each list that was read to its end. */
  readonly onRead?: (list: OrderList) => void;
  /** Gets every order that is read. */
  readonly onOrder?: (order: Order) => void;
  /** A history with more pages counts as endless; default: the limit of every list. */
  readonly pagesMax?: number;
}

export type OrderList = 'order/list-open' | 'order/list-history';

const openPagesMax = 100; // the exchange holds at most 400 open orders, on 4 pages

/**
 * Reads open orders and then history completely, and passes every order to `visit` until it returns
 * stop. Open orders come first: an order that fills in between moves to the list that is read
 * later.
 */
export async function visitOrders(
  exchange: Exchange,
  { category, since, signal, onRead, onOrder, pagesMax, ...given }: Search,
  visit: (order: Order) => 'stop' | 'continue',
): Promise<void> {
  const isLast = (order: Order): boolean => {
    onOrder?.(order);
    return visit(order) === 'stop';
  };
  const now = given.now ?? (await exchange.serverTime(signal));
  const options = { now, signal, callOptions: { signal } };
  const open = walk(
    exchange,
    'order/list-open',
    { category },
    { ...options, pagesMax: openPagesMax },
  );
  for await (const { rows } of open) {
    if (rows.some(isLast)) return;
  }
  onRead?.('order/list-open');
  if (since === undefined) return;
  const history = walk(
    exchange,
    'order/list-history',
    { category, startTime: String(since) },
    { ...options, ...(pagesMax !== undefined && { pagesMax }) },
  );
  for await (const { rows } of history) {
    if (rows.some(isLast)) return;
  }
  onRead?.('order/list-history');
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

/**
 * The order of a clientOid, or undefined when it is in neither list.
 * @param seen gets every clientOid until then
 */
export async function findOrder(
  exchange: Exchange,
  clientOid: string,
  search: Search,
  seen: (clientOid: string) => void = () => undefined,
): Promise<Order | undefined> {
  let found: Order | undefined;
  await visitOrders(exchange, search, (order) => {
    seen(order.clientOid);
    if (order.clientOid !== clientOid) return 'continue';
    found = order;
    return 'stop';
  });
  return found;
}

/**
 * How an order differs from the intended one; undefined when it is equal. An order that closes or
 * reduces may have been reduced (interface, endpoint 6, rules 2, 3).
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

/**
 * Whether an order could be the intended one under another name: all that its row shows is equal. A
 * row without a price shows none.
 */
export function isAlike(order: Order, placed: Placed): boolean {
  return (
    differenceTo({ ...order, price: order.price || (placed.price ?? '') }, placed) === undefined
  );
}

/** Whether a cancelled order ended as it had to: it was never to rest, and what it met is filled. */
export function endedAsPlaced(
  { orderStatus, cumExecQty }: Order,
  { orderType, force }: Pick<Placed, 'orderType' | 'force'>,
): boolean {
  if (orderStatus !== 'cancelled') return false;
  if (orderType === 'market' || force === 'ioc') return true;
  return force === 'fok' && decimal(cumExecQty || '0').eq(zero);
}

function opposite(side: 'buy' | 'sell'): 'buy' | 'sell' {
  return side === 'buy' ? 'sell' : 'buy';
}

function sameWord(a: string, b: string): boolean {
  return a.toLowerCase() === b.toLowerCase();
}
