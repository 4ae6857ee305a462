/** Finds the order that a request names by orderId or by clientOid. */
import type { Context } from './handler.ts';
import { Refusal } from '../refusal.ts';
import type { OrderView } from '../engine/view.ts';

interface OrderName {
  readonly orderId?: string;
  readonly clientOid?: string;
}

/**
 * The order of the caller that a request names; an order id wins over a clientOid.
 * @param unknown the code for an order that does not exist
 * @throws Refusal when there is none, or the lists do not show its latest change yet
 */
export function namedOrder(
  { orderId, clientOid }: OrderName,
  { world, now, caller, lagMs }: Context,
  unknown: string,
): OrderView {
  const { engine } = world;
  const order =
    orderId === undefined
      ? engine.orderByClientOid(caller.uid, clientOid ?? '')
      : engine.order(orderId);
  if (order === undefined || order.uid !== caller.uid) throw new Refusal(unknown);
  if (lagMs > 0 && order.updatedTime > now - lagMs) throw new Refusal(unknown);
  return order;
}
