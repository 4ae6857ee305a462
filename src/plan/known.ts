/** Orders earlier runs placed, found among those the exchange shows, whatever they were named. */
import { fieldOf } from '../base/json.ts';
import { orderIdIn, type LedgerEntry, type Unproved } from '../journal/ledger.ts';
import type { Call } from './call.ts';
import type { Order } from './orders.ts';

/**
 * The order of a call among those of its account: under its own name, under a name it had before,
 * or as an earlier run recorded it.
 * @param orders by clientOid
 */
export function placedOrder(
  { input, otherNames }: Pick<Call, 'input' | 'otherNames'>,
  entry: LedgerEntry | undefined,
  orders: ReadonlyMap<string, Order>,
): Order | undefined {
  for (const name of [input['clientOid'], ...otherNames, ...namesIn(entry)]) {
    const order = typeof name === 'string' ? orders.get(name) : undefined;
    if (order !== undefined) return order;
  }
  return unprovedOf(entry).flatMap((write) => recordedOrder(write, orders) ?? [])[0];
}

/** What no one can tell is of this account, of what the ledger has of a write. */
export function unprovedOf(entry: LedgerEntry | undefined): readonly Unproved[] {
  return entry === undefined || entry.kind === 'done' ? [] : entry.unproved;
}

function namesIn(entry: LedgerEntry | undefined): readonly unknown[] {
  if (entry?.kind !== 'open') return [];
  return entry.intents.map(({ input }) => fieldOf(input, 'clientOid'));
}

/** Shown here, it proves by itself that it was placed on this account. */
function recordedOrder(
  { input, output }: Unproved,
  orders: ReadonlyMap<string, Order>,
): Order | undefined {
  const clientOid = fieldOf(input, 'clientOid');
  const order = typeof clientOid === 'string' ? orders.get(clientOid) : undefined;
  if (order === undefined) return undefined;
  const isOurs = /^dh[a-z2-7]{26}$/.test(order.clientOid); // no one else makes such a name
  return isOurs || order.orderId === orderIdIn(output) ? order : undefined;
}
