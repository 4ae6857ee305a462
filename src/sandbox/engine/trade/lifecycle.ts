/** An order's life as its account sees it: accepted, open, smaller with every fill, closed. */
import type { CloseReason } from '../event.ts';
import { joinOpen, leaveOpen } from '../state/account.ts';
import { updateOpening, type Position } from '../state/holding.ts';
import type { Market } from '../state/market.ts';
import type { Money } from '../money.ts';
import type { Order } from '../state/order.ts';
import type { State } from '../state/state.ts';
import { spotHold } from './spot.ts';

/** Writes an order down under its number. */
export function accept(state: State, order: Order): void {
  state.counts.order = order.count;
  write(state, order);
  if (order.owner.isMaker) return;
  const { category, market } = order;
  state.events.push({
    kind: 'order-opened',
    at: state.now,
    orderId: order.id,
    uid: order.owner.uid,
    category,
    symbol: market.instrument.symbol,
  });
}

/** Puts a saved order back under its number; an open one counts and holds as before. */
export function restore(state: State, order: Order): void {
  write(state, order);
  if (order.isOpen) open(state, order);
}

function write(state: State, order: Order): void {
  const { count, ownClientOid } = order;
  state.orders.set(count, order);
  if (order.owner.isMaker) return;
  order.owner.orders.push(order);
  if (ownClientOid !== undefined) order.owner.clientOids.set(ownClientOid, order);
}

/** Counts an order among the open ones and holds what it needs. */
export function open(state: State, order: Order): void {
  const { holding } = order;
  joinOpen(order);
  if (holding !== undefined) holding.openOrders++;
  hold(state, order, order.remaining);
}

/**
 * An open order was executed in part and counts for less. On futures the margin held follows when
 * the positions have moved, too.
 */
export function release(state: State, order: Order, lots: number): void {
  if (order.holding === undefined) spotHold(state, order, -lots);
  else count(order, -lots);
}

/** Ends an order that counts among the open ones. */
export function close(state: State, order: Order, reason: CloseReason): void {
  const { holding, market } = order;
  market.book.remove(order);
  if (order.remaining > 0) hold(state, order, -order.remaining);
  if (holding !== undefined) {
    holding.openOrders--;
    closedPosition(order)?.closers.delete(order);
  }
  leaveOpen(order);
  conclude(state, order, reason);
}

/** Ends an order that counts no longer, or never did. */
export function conclude(state: State, order: Order, reason: CloseReason): void {
  order.status = reason === 'filled' ? 'filled' : 'cancelled';
  order.closeReason = reason;
  order.updatedAt = state.now;
  if (order.owner.isMaker) {
    state.orders.delete(order.count);
    return; // makers quote all day; nobody wants to hear of it
  }
  const { category, market } = order;
  state.events.push({
    kind: 'order-closed',
    at: state.now,
    reason,
    orderId: order.id,
    uid: order.owner.uid,
    category,
    symbol: market.instrument.symbol,
  });
}

/** From now on an open order is counted at this price, such as its own limit once it rests. */
export function holdAt(state: State, order: Order, ticks: number): void {
  if (order.holdTicks === ticks) return;
  hold(state, order, -order.remaining);
  order.holdTicks = ticks;
  hold(state, order, order.remaining);
}

/** Cancels open orders that close a position, oldest first, until they leave room for more lots. */
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

function hold(state: State, order: Order, lots: number): void {
  const { holding, holdSide } = order;
  if (holding === undefined) return spotHold(state, order, lots);
  count(order, lots);
  if (!order.isCloser) updateOpening(holding, holdSide);
}

/** Adds lots to what is summed up of the open orders on the order's side. */
function count(order: Order, lots: number): void {
  const { holding, market, holdSide } = order;
  const position = closedPosition(order);
  if (position !== undefined) {
    position.closers.add(order);
    position.closerLots += lots;
    return;
  }
  const opening = holding?.opening(holdSide);
  if (opening === undefined) return;
  opening.lots += lots;
  opening.notional += notionalOf(market, order.holdTicks, lots);
}

function notionalOf({ contract }: Market, ticks: number, lots: number): Money {
  return lots < 0 ? -contract.notional(ticks, -lots) : contract.notional(ticks, lots);
}

function closedPosition(order: Order): Position | undefined {
  const { holding, holdSide } = order;
  return order.isCloser ? holding?.position(holdSide) : undefined;
}
