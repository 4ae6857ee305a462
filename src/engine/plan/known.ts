/** Searches orders of earlier runs among those of the exchange, under all their names. */
import { orderNameIn } from '../../exchange/api/meant-order.ts';
import { isOurName } from '../journal/identity.ts';
import { orderIdIn, type LedgerEntry, type Unproved } from '../journal/ledger.ts';
import type { Call } from './call.ts';
import type { Order } from './order-row.ts';

/**
 * The order of a call among those of its account: by its clientOid, by an earlier clientOid, or as
 * an earlier run recorded it.
 * @param orders by clientOid
 */
export function placedOrder(
  { input, otherNames }: Pick<Call, 'input' | 'otherNames'>,
  entry: LedgerEntry | undefined,
  orders: ReadonlyMap<string, Order>,
): Order | undefined {
  for (const name of [orderNameIn(input), ...otherNames, ...namesIn(entry)]) {
    const order = name === undefined ? undefined : orders.get(name);
    if (order !== undefined) return order;
  }
  return unprovedOf(entry).flatMap((write) => recordedOrder(write, orders) ?? [])[0];
}

/** Ledger entries of a write that may be of this account. */
export function unprovedOf(entry: LedgerEntry | undefined): readonly Unproved[] {
  return entry === undefined || entry.kind === 'done' || entry.kind === 'set' ? [] : entry.unproved;
}

function namesIn(entry: LedgerEntry | undefined): readonly (string | undefined)[] {
  if (entry?.kind !== 'open') return [];
  return entry.intents.map(({ input }) => orderNameIn(input));
}

/**
 * The order of an unproved write in the lists: an order that they show was certainly placed on this
 * account.
 */
function recordedOrder(
  { input, output }: Unproved,
  orders: ReadonlyMap<string, Order>,
): Order | undefined {
  const name = orderNameIn(input);
  const order = name === undefined ? undefined : orders.get(name);
  if (order === undefined) return undefined;
  const isOurs = isOurName(order.clientOid);
  return isOurs || order.orderId === orderIdIn(output) ? order : undefined;
}
