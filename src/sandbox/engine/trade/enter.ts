/** Enters an order into the market: accepted, counted as open, and matched now or after a delay. */
import type { Order } from '../model/order.ts';
import type { State } from '../model/state.ts';
import { execute } from './execute.ts';
import { available, countingTicks } from './funds.ts';
import { accept, close, holdAt, open } from './lifecycle.ts';
import { payingWallet } from './spot.ts';

/** Accepts an order with the next number; it is matched now, or after the matching delay. */
export function enter(state: State, order: Order): void {
  const { holding, marginMode, owner } = order;
  if (holding?.isEmpty) holding.marginMode = marginMode;
  accept(state, order);
  open(state, order);
  const { matchDelayMs } = state.settings;
  if (matchDelayMs === 0 || owner.isMaker) return execute(state, order);
  order.status = 'new';
  const due = state.now + matchDelayMs;
  state.arrivals.push({ order, due });
  state.nextDue = Math.min(state.nextDue, due);
}

/** Matches the orders whose matching delay has passed. */
export function matchArrivals(state: State): void {
  for (;;) {
    const [arrival] = state.arrivals;
    if (arrival === undefined || arrival.due > state.now) return;
    state.arrivals.shift();
    const { order } = arrival;
    if (!order.isOpen) continue;
    if (isStillPaid(state, order)) execute(state, order);
    else close(state, order, 'unaffordable_cancel');
  }
}

/**
 * Whether the account can still pay for a delayed order: the book has changed, so the order is
 * valued at its current execution prices.
 */
function isStillPaid(state: State, order: Order): boolean {
  if (order.isCloser) return true;
  holdAt(state, order, countingTicks(order));
  return available(order.holding?.wallet ?? payingWallet(state, order)) >= 0n;
}
