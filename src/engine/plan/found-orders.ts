/** Searches orders of the exchange by our clientOids. */
import type { Millis } from '../../base/clock.ts';
import { decimal, zero } from '../../base/decimal.ts';
import type { Exchange } from '../../exchange/api/exchange.ts';
import type { Comparison, OrderList } from '../../exchange/api/keyed-write.ts';
import { declared, type ListedLine, type MeantOrder } from '../../exchange/api/meant-order.ts';
import { meets } from '../../exchange/api/order-terms.ts';
import { walk } from '../../exchange/api/pages.ts';
import { NamedOrders, orderIn, readable, type Order } from './order-row.ts';

/**
 * The search range: open orders of a product line, then, with `since`, its history from that time
 * on.
 */
export interface Search extends ListedLine {
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
  { line, lists, since, signal, onRead, onOrder, pagesMax, ...given }: Search,
  visit: (order: Order) => 'stop' | 'continue',
): Promise<void> {
  const now = given.now ?? (await exchange.serverTime(signal));
  const options = { now, signal, callOptions: { signal } };
  const isFoundIn = async (
    list: OrderList,
    times: { readonly startTime?: string },
    limit: { readonly pagesMax?: number },
  ): Promise<boolean> => {
    const input = { [list.line]: line, ...times };
    const pages = walk(exchange, declared(list.operation), input, { ...options, ...limit });
    for await (const { rows } of pages) {
      for (const row of rows) {
        const order = orderIn(list, row);
        onOrder?.(order);
        if (visit(order) === 'stop') return true;
      }
    }
    onRead?.(list);
    return false;
  };
  if ((await isFoundIn(lists.open, {}, { pagesMax: openPagesMax })) || since === undefined) return;
  const limit = pagesMax === undefined ? {} : { pagesMax };
  await isFoundIn(lists.closed, { startTime: String(since) }, limit);
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
export function refuseNameless({ nameless }: NamedOrders, placed: MeantOrder): void {
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
export function differenceTo(order: Order, meant: MeantOrder): string | undefined {
  const differing = comparisonsOf(meant).find((comparison) => {
    return !agrees(order[comparison.row], comparison, meant);
  });
  return differing && `its ${differing.field} is ${order[differing.row]}`;
}

/** Whether an order is for the symbol and on the side of the intended one. */
export function isSameMarket(order: Order, meant: MeantOrder): boolean {
  const compared = comparisonsOf(meant).filter(({ row }) => row !== 'price' && row !== 'qty');
  return compared.every((comparison) => agrees(order[comparison.row], comparison, meant));
}

/**
 * Whether an order could be the intended one under another name: all that its row shows is equal. A
 * row without a price, or with a field that cannot be read, shows none.
 */
export function isAlike(order: Order, meant: MeantOrder): boolean {
  return comparisonsOf(meant).every((comparison) => {
    const shown = readable(order, comparison.row);
    if (shown === undefined || (shown === '' && comparison.by === 'price')) return true;
    return agrees(shown, comparison, meant);
  });
}

function comparisonsOf({ keyed, lookup, input }: MeantOrder): readonly Comparison[] {
  return [...keyed.compared, ...(lookup.comparedToo ?? [])].filter(({ field, when, unless }) => {
    return (
      input[field] !== undefined &&
      (when === undefined || meets(when, input)) &&
      !meets(unless, input)
    );
  });
}

function agrees(shown: string, { field, by }: Comparison, meant: MeantOrder): boolean {
  const given = meant.input[field];
  const value = typeof given === 'string' ? given : '';
  switch (by) {
    case 'word':
      return sameWord(shown, value);
    case 'side':
      return sameWord(shown, sideOf(meant, value));
    case 'size': {
      const [has, wanted] = [decimal(shown), decimal(value)];
      return meant.terms.isClosing ? !has.gt(wanted) : has.eq(wanted);
    }
    case 'price':
      return shown !== '' && decimal(shown).eq(decimal(value));
  }
}

/** Whether an order is open; an order whose status cannot be read may be. */
export function isResting(order: Order): boolean {
  const status = readable(order, 'orderStatus');
  return status !== 'filled' && status !== 'cancelled';
}

/** How many of the orders that were read are open: counted once for all actions of a plan. */
export function restingIn(orders: NamedOrders): number {
  const known = resting.get(orders);
  if (known !== undefined) return known;
  const count = [...orders.values()].filter(isResting).length;
  resting.set(orders, count);
  return count;
}

const resting = new WeakMap<NamedOrders, number>();

/**
 * Whether a cancelled order ended as it had to: it is of a type that never rests, and all that it
 * matched is filled.
 */
export function endedAsPlaced(order: Order, { keyed, input }: MeantOrder): boolean {
  if (order.orderStatus !== 'cancelled') return false;
  return keyed.neverRests.some(
    ({ when, whole }) =>
      meets(when, input) && (whole === undefined || decimal(order.cumExecQty).eq(zero)),
  );
}

/** The side that the lists show: an order that closes may be on the other one. */
function sideOf({ lookup, input }: MeantOrder, side: string): string {
  if (!meets(lookup.turnsSide, input)) return side;
  return side === 'buy' ? 'sell' : 'buy';
}

function sameWord(a: string, b: string): boolean {
  return a.toLowerCase() === b.toLowerCase();
}
