/** Compares an existing object with the one a playbook would create, and collects the evidence. */
import { isJsonRecord, type Json } from '../../base/json.ts';
import { checkInput } from '../../exchange/api/check.ts';
import type { Exchange } from '../../exchange/api/exchange.ts';
import type { OperationName } from '../../exchange/api/operations/index.ts';
import { differenceTo, endedAsPlaced, visitOrders } from '../plan/found-orders.ts';
import { readable, type Order } from '../plan/order-row.ts';
import { EvidenceError } from './evidence.ts';
import { isUnreadable } from './unreadable.ts';

/** A write of a playbook, as it would be sent. */
export interface Wanted {
  readonly address: string;
  readonly operation: OperationName;
  readonly input: Json;
}

/** The order as the exchange shows it, or why it cannot be shown. */
export type Shown =
  | { readonly kind: 'order'; readonly order: Order }
  | { readonly kind: 'nothing'; readonly because: string };

/**
 * Searches an order in all lists of the exchange; sub-accounts are in no list.
 * @param id of the order, or its clientOid
 * @throws EvidenceError for an order that is not the one the playbook would place
 */
export async function shownOf(
  { address, operation, input }: Wanted,
  id: string,
  exchange: Exchange,
  signal: AbortSignal,
): Promise<Shown> {
  if (operation !== 'futures/place-order') {
    return { kind: 'nothing', because: 'no operation of the exchange can read it back' };
  }
  checkInput(operation, input);
  const { productType: category } = input;
  let found: Order | undefined;
  try {
    await visitOrders(exchange, { category, since: 0, signal }, (order) => {
      const names = [readable(order, 'orderId'), readable(order, 'clientOid')];
      if (!names.includes(id)) return 'continue';
      found = order;
      return 'stop';
    });
  } catch (error) {
    if (!isUnreadable(error)) throw error;
    return { kind: 'nothing', because: 'the lists of this account cannot be read' };
  }
  if (found === undefined) return { kind: 'nothing', because: `no list shows ${category} ${id}` };
  const order: Order = found;
  const isGone = order.orderStatus === 'cancelled' && !endedAsPlaced(order, input);
  const difference = isGone ? 'it was canceled' : differenceTo(order, input);
  if (difference === undefined) return { kind: 'order', order };
  throw new EvidenceError(
    `order ${order.orderId} is not what ${address} places: ${difference}`,
    'import it for the action that it represents, or change the playbook to match it',
  );
}

/** The result of the write, and the input with the id known to the exchange. */
export function adopted(
  { operation, input }: Wanted,
  id: string,
  shown: Shown,
): { readonly output: Json; readonly input: Json } {
  const fields = isJsonRecord(input) ? input : {};
  if (operation !== 'futures/place-order') {
    const note = fields['note'];
    return { input, output: { subUid: id, ...(typeof note === 'string' && { note }) } };
  }
  if (shown.kind === 'nothing') {
    return { input, output: { orderId: id, clientOid: fields['clientOid'] ?? '' } };
  }
  const { orderId, clientOid } = shown.order;
  return { input: { ...fields, clientOid }, output: { orderId, clientOid } };
}
