/** A person's statement on an action in doubt: compared with the exchange, then recorded as an outcome. */
import { isRecord } from '../../base/json.ts';
import { serves } from '../../exchange/api/family.ts';
import { keyIn, placesOrders, responseFor } from '../../exchange/api/meant-order.ts';
import type { Address, Outcome } from '../journal/entry.ts';
import { isOurName } from '../journal/identity.ts';
import { signingsOf } from '../journal/replay.ts';
import { differenceTo, isSameMarket } from '../plan/found-orders.ts';
import { readable } from '../plan/order-row.ts';
import type { InDoubt, Intent } from './doubts.ts';
import { EvidenceError, look, type Opened, type ShownOrder, type Witness } from './evidence.ts';
import type { Signed } from './fence.ts';
import { absent } from './resolve-absent.ts';

/** The outcome of an action, as a person recorded it. */
export type PersonsFinding =
  | { readonly kind: 'placed'; readonly id: string }
  | { readonly kind: 'absent' }
  | { readonly kind: 'abandon' };

/**
 * The outcome of a person's statement, and a note for them.
 * @throws EvidenceError when the exchange contradicts it
 */
export async function outcomeBy(
  doubt: InDoubt,
  verdict: PersonsFinding,
  witness: Witness,
): Promise<{ readonly outcome: Outcome; readonly note?: string }> {
  const { person } = witness;
  if (verdict.kind === 'abandon') {
    const because = 'a person abandoned it; it may or may not have happened';
    return { outcome: { kind: 'skipped', because, person } };
  }
  const intent = doubt.intents.at(-1);
  if (intent === undefined) {
    const hint = 'resolve it in the run that sent it, or abandon it with --abandon';
    throw new EvidenceError(`this run sent nothing for ${doubt.address}: ${doubt.because}`, hint);
  }
  const signed = doubt.intents.flatMap(signingsOf);
  const looking = { ...witness, accounts: accountsFor(intent, witness) };
  if (verdict.kind === 'absent') return absent(intent, signed, looking);
  if (placesOrders(intent.operation)) return placed(intent, verdict.id, signed, looking);
  switch (intent.operation) {
    case 'account/create-sub': {
      const note = isRecord(intent.input) ? intent.input['note'] : undefined;
      const output = { subUid: verdict.id, ...(typeof note === 'string' && { note }) };
      return { outcome: { kind: 'done', output, evidence: 'by-person', person } };
    }
    default: {
      const hint = `resume the run: it does ${intent.operation} again, which is harmless`;
      throw new EvidenceError(`${doubt.address} has no id to name`, hint);
    }
  }
}

/** The accounts that may have the order: that to which it was sent, and others that its operation serves. */
function accountsFor({ operation, account }: Intent, { accounts }: Witness): readonly Opened[] {
  const sentTo = account ?? accounts[0]?.destination.profile;
  return accounts.filter(({ destination }) => {
    return destination.profile === sentTo || serves(operation, destination.family);
  });
}

async function placed(
  { operation, input, address }: Intent,
  orderId: string,
  signed: readonly Signed[],
  { person, accounts, signal, namesKnown: strays }: Witness,
): Promise<{ readonly outcome: Outcome; readonly note?: string }> {
  const clientOid = keyIn(operation, input) ?? '';
  const outcome = {
    kind: 'done',
    output: responseFor(operation, { id: orderId, name: clientOid }),
    evidence: 'by-person',
    person,
  } as const;
  const looked = await look({ operation, input }, signed, { accounts, signal });
  const ours = looked.orders.find(({ order }) => readable(order, 'clientOid') === clientOid)?.order;
  const named = looked.orders.find(({ order }) => readable(order, 'orderId') === orderId);
  if (named !== undefined && ours === undefined && strays !== undefined) {
    const name = named.order.clientOid;
    if (isOurName(name) && !(await strays()).has(name)) {
      return adoptedStray(named, outcome, address);
    }
  }
  if (named !== undefined) refuseOther(named, address, strays !== undefined);
  if (ours !== undefined && ours.orderId !== orderId) {
    const hint = `if this is the order, use --placed ${ours.orderId}`;
    throw new EvidenceError(`the exchange shows clientOid ${clientOid} as ${ours.orderId}`, hint);
  }
  if (named !== undefined) return { outcome };
  return { outcome, note: looked.unreadable ?? 'the lists do not show it' };
}

/**
 * An order whose journal line is lost, assigned by a person to an action: the action may have had other
 * content when it was sent, because it depends on reads of that time. It counts as the order of this
 * action.
 * @throws EvidenceError for another symbol or another side
 */
function adoptedStray(
  { order, meant }: ShownOrder,
  placedAs: Extract<Outcome, { readonly kind: 'done' }>,
  address: Address,
): { readonly outcome: Outcome; readonly note?: string } {
  const { orderId, clientOid: name } = order;
  const { symbol = '', side = '' } = meant.terms;
  if (!isSameMarket(order, meant)) {
    const what = `it is to ${order.side} ${order.symbol}, not to ${side} ${symbol}`;
    const hint = 'assign it to the action that placed it, or cancel it on the exchange';
    throw new EvidenceError(`order ${orderId} is not ${address}: ${what}`, hint);
  }
  const difference = differenceTo(order, meant);
  const outcome = { ...placedAs, output: responseFor(meant.operation, { id: orderId, name }) };
  return {
    outcome,
    ...(difference && { note: `${address} is order ${orderId} now; ${difference}` }),
  };
}

/** @throws EvidenceError when an order is another one */
function refuseOther({ order, meant }: ShownOrder, address: Address, isForgotten: boolean): void {
  const difference =
    order.clientOid === meant.name
      ? differenceTo(order, meant)
      : `its clientOid is ${order.clientOid}, not ${meant.name}`;
  if (difference === undefined) return;
  const hint = isForgotten
    ? 'name an order of deskhand that no journal knows: the reason of the doubt lists them'
    : 'find the order with this clientOid, or abandon it with --abandon';
  throw new EvidenceError(`order ${order.orderId} is not ${address}: ${difference}`, hint);
}
