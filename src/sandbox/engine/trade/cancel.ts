/** Manual cancellation: one order, or all of an account. */
import { Refusal } from '../../refusal.ts';
import type { Command } from '../command.ts';
import { countOf } from '../ids.ts';
import type { Order } from '../model/order.ts';
import type { State } from '../model/state.ts';
import { close } from './lifecycle.ts';

/**
 * Cancels an order. @throws Refusal when it does not exist, is closed, or must not be canceled now
 */
export function cancel(state: State, { orderId, uid }: Command<'cancel'>): undefined {
  const count = countOf('order', orderId);
  const order = count === undefined ? undefined : state.orders.get(count);
  if (order === undefined || (uid !== undefined && order.owner.uid !== uid)) {
    throw new Refusal('40109');
  }
  if (!order.isOpen) throw new Refusal('22001');
  if (isLocked(order)) throw new Refusal('22041');
  close(state, order, 'user_cancel');
}

/** Cancels all cancelable orders; orders in delivery stay. */
export function cancelAll(state: State, command: Command<'cancel-all'>): number {
  const { uid, category, symbol } = command;
  let cancelled = 0;
  for (const order of state.account(uid).openOrders()) {
    if (category !== undefined && order.category !== category) continue;
    if (symbol !== undefined && order.market.instrument.symbol !== symbol) continue;
    if (isLocked(order)) continue;
    close(state, order, 'user_cancel');
    cancelled++;
  }
  return cancelled;
}

function isLocked({ market }: Order): boolean {
  return market.deliveryStatus === 'delivery_period';
}
