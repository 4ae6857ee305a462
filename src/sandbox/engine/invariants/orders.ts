/** Orders: open ones rest in the book exactly once, closed ones nowhere, and all respected their limits. */
import { openOrdersMax } from '../limits.ts';
import type { Account } from '../model/account.ts';
import type { Market } from '../model/market.ts';
import type { Order } from '../model/order.ts';
import type { State } from '../model/state.ts';
import type { Level } from '../book/level.ts';

/** Checks that the best bid is below the best ask, queues are in order, and sums are correct. */
export function* bookFaults({ book, instrument }: Market): Generator<string, void, undefined> {
  const { bestBid, bestAsk } = book;
  const { symbol } = instrument;
  if (bestBid !== undefined && bestAsk !== undefined && bestBid.ticks >= bestAsk.ticks) {
    yield `${symbol}: the book is crossed`;
  }
  for (const level of book.bidLevels()) yield* levelFaults(symbol, level, true);
  for (const level of book.askLevels()) yield* levelFaults(symbol, level, false);
}

function* levelFaults(
  symbol: string,
  level: Level<Order>,
  isBuy: boolean,
): Generator<string, void, undefined> {
  let lots = 0;
  for (let order = level.first; order !== undefined; order = order.behind) {
    lots += order.remaining;
    const fits = order.level === level && order.isBuy === isBuy && order.ticks === level.ticks;
    const mayRest = order.force === 'gtc' || order.force === 'post_only';
    if (!fits || !mayRest || order.isMarket) yield `${symbol}: ${order.id} should not rest here`;
    if (!order.isOpen || order.status === 'new')
      yield `${symbol}: ${order.id} rests, but is not live`;
  }
  if (lots !== level.lots || lots === 0)
    yield `${symbol}: ${level.ticks} counts ${level.lots} lots`;
}

/**
 * Checks that the orders an account lists as open are open, in a book (or delayed), and within the
 * limit.
 */
export function* orderFaults(state: State, account: Account): Generator<string, void, undefined> {
  const { uid } = account;
  let futures = 0;
  let spot = 0;
  let newer = Infinity;
  for (const order of account.openOrders()) {
    if (order.holding === undefined) spot++;
    else futures++;
    if (order.count >= newer) yield `${uid}: open orders are out of order`;
    newer = order.count;
    const isWaiting = order.status === 'new';
    if (!order.isOpen || (order.level === undefined) !== isWaiting)
      yield `${order.id} is closed, or wrongly in or out of the book`;
    if (state.orders.get(order.count) !== order) yield `${order.id} is not stored`;
  }
  if (futures !== account.openFutures || spot !== account.openSpot)
    yield `${uid}: miscounted orders`;
  const isOver = futures > openOrdersMax || spot > openOrdersMax;
  if (isOver && !account.isMaker) yield `${uid}: more than ${openOrdersMax} open orders`;
  yield* pastFaults(state, account, futures + spot);
}

function* pastFaults(
  state: State,
  account: Account,
  listed: number,
): Generator<string, void, undefined> {
  let open = 0;
  let older: Order | undefined;
  for (const number of account.orders) {
    const order = state.orders.get(number);
    if (order === undefined) {
      yield `order ${number} of ${account.uid} is not stored`;
      continue;
    }
    if (order.isOpen) open++;
    if (older !== undefined && order.count <= older.count) yield `${order.id}: id fell`;
    if (older !== undefined && order.at < older.at) yield `${order.id}: time fell`;
    older = order;
    if (!keptItsTerms(order)) yield `${order.id} was executed against its terms`;
  }
  if (!account.isMaker && open !== listed)
    yield `${account.uid}: ${open} orders open, not ${listed}`;
}

function keptItsTerms(order: Order): boolean {
  const { lots, executedLots, executedValue, ticks, isBuy, status, closeReason } = order;
  if (executedLots < 0 || executedLots > lots) return false;
  if ((status === 'filled') !== (order.remaining === 0)) return false;
  if (order.isOpen && (status === 'partially_filled') !== executedLots > 0) return false;
  if (closeReason === 'post_only_fill_cancel' && executedLots > 0) return false;
  if (order.force === 'fok' && executedLots > 0 && order.remaining > 0) return false;
  if (order.isMarket) return true;
  const atLimit = order.market.value(ticks, executedLots);
  return isBuy ? executedValue <= atLimit : executedValue >= atLimit;
}
