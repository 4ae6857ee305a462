/** The lifecycle of an order for its account: accepted, open, reduced by fills, closed. */
import type { CloseReason } from '../event.ts';
import { joinOpen, leaveOpen } from '../model/account.ts';
import type { Position } from '../model/holding.ts';
import type { Order } from '../model/order.ts';
import type { State } from '../model/state.ts';
import { spotHold } from './spot.ts';

/** Registers an order under its number. */
export function accept(state: State, order: Order): void {
  state.counts.order = order.count;
  write(state, order);
  if (order.owner.isMaker) return;
  state.note({ kind: 'opened', order });
}

/** Restores a saved order under its number; an open one counts and holds as before. */
export function restore(state: State, order: Order): void {
  write(state, order);
  if (order.isOpen) open(state, order);
}

function write(state: State, order: Order): void {
  const { count, ownClientOid } = order;
  state.orders.add(count, order);
  if (order.owner.isMaker) return;
  order.owner.orders.push(count);
  if (ownClientOid !== undefined) order.owner.clientOids.set(ownClientOid, order);
  if (!order.isOpen) rememberLife(order);
}

/**
 * Remembers the longest lifetime of an order: a list by close time searches that far back by
 * creation time.
 */
function rememberLife({ owner, at, updatedAt }: Order): void {
  owner.longestLife = Math.max(owner.longestLife, updatedAt - at);
}

/** Adds an order to the open ones and holds its required amount. */
export function open(state: State, order: Order): void {
  const { holding } = order;
  joinOpen(order);
  if (holding !== undefined) holding.openOrders++;
  hold(state, order, order.remaining);
}

/** Releases margin of a partly executed order, which needs less. */
export function release(state: State, order: Order, lots: number): void {
  hold(state, order, -lots);
}

/** Ends an order that counts among the open ones. */
export function close(state: State, order: Order, reason: CloseReason): void {
  const { holding, market } = order;
  market.book.remove(order);
  if (order.remaining > 0) hold(state, order, -order.remaining);
  if (holding !== undefined) {
    holding.openOrders--;
    closedPosition(order)?.removeCloser(order);
  }
  leaveOpen(order);
  conclude(state, order, reason);
}

/** Ends an order that was never counted as open. */
export function conclude(state: State, order: Order, reason: CloseReason): void {
  order.status = reason === 'filled' ? 'filled' : 'cancelled';
  order.closeReason = reason;
  order.updatedAt = state.now;
  if (order.owner.isMaker) {
    state.orders.delete(order.count);
    return; // makers quote continuously; these orders are not reported
  }
  rememberLife(order);
  state.note({ kind: 'closed', order, reason });
}

/** Values an open order at this price from now on, such as its limit when it rests. */
export function holdAt(state: State, order: Order, ticks: number): void {
  if (order.holdTicks === ticks) return;
  hold(state, order, -order.remaining);
  order.holdTicks = ticks;
  hold(state, order, order.remaining);
}

/** Cancels open orders that close a position, oldest first, until enough lots are available. */
export function makeRoom(
  state: State,
  position: Position,
  { lots, reason }: { readonly lots: number; readonly reason: CloseReason },
): boolean {
  let cancelled = false;
  for (const closer of position.closers) {
    if (position.closerLots + lots <= position.lots) break;
    close(state, closer, reason);
    cancelled = true;
  }
  return cancelled;
}

/** Adds lots to the sums of the open orders on the order's side, and to their held amount. */
function hold(state: State, order: Order, lots: number): void {
  const { holding, market, holdSide } = order;
  if (holding === undefined) return spotHold(state, order, lots);
  const position = closedPosition(order);
  if (position !== undefined) {
    position.addCloser(order);
    position.closerLots += lots;
    return;
  }
  const opening = holding.opening(holdSide);
  opening.lots += lots;
  opening.points += market.contract.points(order.holdTicks, lots);
  holding.changed();
}

function closedPosition(order: Order): Position | undefined {
  const { holding, holdSide } = order;
  return order.isCloser ? holding?.position(holdSide) : undefined;
}
