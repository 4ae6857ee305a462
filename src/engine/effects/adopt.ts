/** Compares an existing object with the one a playbook would create, and collects the evidence. */
import { isJsonRecord, type Json } from '../../base/json.ts';
import type { Exchange } from '../../exchange/api/exchange.ts';
import { keyField, meantOrder, placesOrders, responseFor } from '../../exchange/api/meant-order.ts';
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
  if (!placesOrders(operation)) {
    return { kind: 'nothing', because: 'no operation of the exchange can read it back' };
  }
  const meant = meantOrder(operation, input);
  const { line, lists } = meant;
  let found: Order | undefined;
  try {
    await visitOrders(exchange, { line, lists, since: 0, signal }, (order) => {
      const names = [readable(order, 'orderId'), readable(order, 'clientOid')];
      if (!names.includes(id)) return 'continue';
      found = order;
      return 'stop';
    });
  } catch (error) {
    if (!isUnreadable(error)) throw error;
    return { kind: 'nothing', because: 'the lists of this account cannot be read' };
  }
  if (found === undefined) return { kind: 'nothing', because: `no list shows ${line} ${id}` };
  const order: Order = found;
  const isGone = order.orderStatus === 'cancelled' && !endedAsPlaced(order, meant);
  const difference = isGone ? 'it was canceled' : differenceTo(order, meant);
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
  const key = placesOrders(operation) ? keyField(operation) : undefined;
  if (key === undefined) {
    const note = fields['note'];
    return { input, output: { subUid: id, ...(typeof note === 'string' && { note }) } };
  }
  if (shown.kind === 'nothing') {
    const name = fields[key];
    return {
      input,
      output: responseFor(operation, { id, name: typeof name === 'string' ? name : '' }),
    };
  }
  const { orderId, clientOid: name } = shown.order;
  return {
    input: { ...fields, [key]: name },
    output: responseFor(operation, { id: orderId, name }),
  };
}
