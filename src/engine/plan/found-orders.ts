/** Searches orders of the exchange by our clientOids. */
import type { Millis } from '../../base/clock.ts';
import { decimal, zero } from '../../base/decimal.ts';
import type { Exchange } from '../../exchange/api/exchange.ts';
import type { Input } from '../../exchange/api/operations/index.ts';
import { walk } from '../../exchange/api/pages.ts';
import { NamedOrders, orderIn, readable, type Order, type OrderList } from './order-row.ts';

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
  /** Receives each list that was read to its end. */
  readonly onRead?: (list: OrderList) => void;
  /** Receives every order that is read. */
  readonly onOrder?: (order: Order) => void;
  /** A history with more pages counts as endless; default: the limit of every list. */
  readonly pagesMax?: number;
}

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
    if (rows.some((row) => isLast(orderIn('order/list-open', row)))) return;
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
    if (rows.some((row) => isLast(orderIn('order/list-history', row)))) return;
  }
  onRead?.('order/list-history');
}

/** All orders of a search by their clientOids. */
export async function ordersByName(exchange: Exchange, search: Search): Promise<NamedOrders> {
  const found = new NamedOrders();
  await visitOrders(exchange, search, (order) => {
    found.put(order);
    return 'continue';
  });
  return found;
}

/**
 * Fails if the order that is to be placed may be one whose clientOid cannot be read.
 * @throws UnreadableFieldError
 */
export function refuseNameless({ nameless }: NamedOrders, placed: Placed): void {
  const like = nameless.find(({ order }) => isAlike(order, placed));
  if (like !== undefined) throw like.error;
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
    const name = readable(order, 'clientOid');
    if (name !== undefined) seen(name);
    if (name !== clientOid) return 'continue';
    found = order;
    return 'stop';
  });
  return found;
}

/**
 * How an order differs from the intended one; undefined when both are equal. An order that closes or
 * reduces may have been reduced (interface, endpoint 6, rules 2, 3).
 */
export function differenceTo(
  order: Pick<Order, 'symbol' | 'side' | 'qty' | 'price'>,
  placed: Placed,
): string | undefined {
  const isClosing = placed.tradeSide === 'close' || placed.reduceOnly === 'YES';
  const side = sideOf(placed);
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
 * row without a price, or with a field that cannot be read, shows none.
 */
export function isAlike(order: Order, placed: Placed): boolean {
  const shown = {
    symbol: readable(order, 'symbol') ?? placed.symbol,
    side: readable(order, 'side') ?? sideOf(placed),
    qty: readable(order, 'qty') ?? placed.size,
    price: readable(order, 'price') || (placed.price ?? ''),
  };
  return differenceTo(shown, placed) === undefined;
}

/** Whether an order is open; an order whose status cannot be read may be. */
export function isResting(order: Order): boolean {
  const status = readable(order, 'orderStatus');
  return status !== 'filled' && status !== 'cancelled';
}

/**
 * Whether a cancelled order ended as it had to: it is of a type that never rests, and all that it
 * matched is filled.
 */
export function endedAsPlaced(
  order: Order,
  { orderType, force }: Pick<Placed, 'orderType' | 'force'>,
): boolean {
  if (order.orderStatus !== 'cancelled') return false;
  if (orderType === 'market' || force === 'ioc') return true;
  return force === 'fok' && decimal(order.cumExecQty).eq(zero);
}

/** The side that the lists show: an order that closes is on the other one. */
function sideOf({ tradeSide, side }: Placed): Placed['side'] {
  if (tradeSide !== 'close') return side;
  return side === 'buy' ? 'sell' : 'buy';
}

function sameWord(a: string, b: string): boolean {
  return a.toLowerCase() === b.toLowerCase();
}
