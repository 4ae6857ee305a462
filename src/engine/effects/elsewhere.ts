/** Finds evidence of a write in the ledger and among the exchange's orders before it is sent. */
import { exits } from '../../base/error.ts';
import {
  lineKey,
  meantOrder,
  placesOrders,
  type ListedLine,
} from '../../exchange/api/meant-order.ts';
import { operationOf } from '../../exchange/api/operations/index.ts';
import { showsOnly, stateWords } from '../../exchange/api/shown-state.ts';
import { ofOtherOrder, ofOtherRun } from '../journal/doubt.ts';
import type { Outcome } from '../journal/entry.ts';
import type { LastSet } from '../journal/ledger.ts';
import { isSetBy, stateKey, valueSet } from '../journal/states.ts';
import { placedOrder } from '../plan/known.ts';
import { differenceTo, ordersByName, refuseNameless } from '../plan/found-orders.ts';
import type { NamedOrders } from '../plan/order-row.ts';
import type { WriteJob } from '../interpreter/jobs.ts';
import type { EffectContext } from './effect-context.ts';
import { stateNow } from './proved-state.ts';
import { outputOf } from './settle.ts';

/** The evidence of a once-per-playbook write that another run, or the exchange, shows. */
export async function knownElsewhere(
  { call, asksFirst }: WriteJob,
  context: EffectContext,
): Promise<Outcome | undefined> {
  const entry = context.ledger.get(call.key);
  if (operationOf(call.operation).sets !== undefined) return stateElsewhere(call, context);
  if (entry?.kind === 'done') {
    return { kind: 'done', output: entry.output, evidence: 'from-ledger' };
  }
  if (!placesOrders(call.operation)) {
    if (entry?.kind !== 'open' || entry.isSaidAbsent || call.effect !== 'once') return undefined;
    return ofOtherRun(entry.run, entry.address);
  }
  const isFound = context.found.has(call.address);
  if (!asksFirst && !isFound) return undefined;
  const meant = meantOrder(call.operation, call.input, context.destination.family);
  const known = await knownOrders(meant, context);
  const order = placedOrder(call, entry, known);
  if (order === undefined) {
    refuseNameless(known, meant);
    return isFound ? goneSince(call) : undefined;
  }
  const difference = differenceTo(order, meant);
  if (difference === undefined) {
    await context.visibility.shown({ order, on: meant, address: call.address }, context);
  }
  return difference === undefined
    ? { kind: 'done', output: outputOf(call.operation, order), evidence: 'looked-up' }
    : ofOtherOrder(order.clientOid, difference);
}

/**
 * The evidence that nothing is to be set: the account shows the value, or an earlier run set it where nothing
 * shows it. A state that the plan found is never set: nobody reviewed that.
 */
async function stateElsewhere(
  call: WriteJob['call'],
  context: EffectContext,
): Promise<Outcome | undefined> {
  const entry = context.ledger.get(call.key);
  const recorded = entry?.kind === 'set' ? await setElsewhere(call, entry, context) : undefined;
  const isFound = context.found.has(call.address);
  if (recorded === undefined && !isFound) return undefined;
  const state = await stateNow(call, context);
  if (state === undefined) return recorded ?? otherSince(call, 'cannot be read');
  const value = valueSet(call.operation, call.input);
  if (value !== undefined && showsOnly(state, value)) {
    const output = entry?.kind === 'set' && entry.done?.value === value ? entry.done.output : null;
    return { kind: 'done', output, evidence: 'looked-up' };
  }
  const { unit = '' } = operationOf(call.operation).sets ?? {};
  return isFound ? otherSince(call, `is ${stateWords(state, unit)} now`) : undefined;
}

/** The failure if a state that the plan found is another one: setting it was not approved. */
function otherSince({ address, operation }: WriteJob['call'], now: string): Outcome {
  const { value = 'state' } = operationOf(operation).sets ?? {};
  return {
    kind: 'failed',
    code: 'stale-plan',
    message: `${address}: the plan found nothing to do, but the ${value} ${now}`,
    hint: 'make a new plan',
    exit: exits.stopped,
  };
}

/** An equal value that an earlier run set last, unless this run has sent anything for it since. */
async function setElsewhere(
  { operation, input, key }: WriteJob['call'],
  last: LastSet,
  { runId, entries, destination: { profile } }: EffectContext,
): Promise<Outcome | undefined> {
  if (!isSetBy(last, valueSet(operation, input), runId)) return undefined;
  const isSentHere = (await entries()).some(
    (entry) =>
      entry.kind === 'intended' &&
      stateKey(entry.operation, entry.input) === key &&
      (entry.account ?? profile) === profile,
  );
  if (isSentHere || last.done === undefined) return undefined;
  return { kind: 'done', output: last.done.output, evidence: 'from-ledger' };
}

/** The failure if an order that the plan showed as existing is gone: placing a new one was not approved. */
function goneSince({ address }: WriteJob['call']): Outcome {
  return {
    kind: 'failed',
    code: 'stale-plan',
    message: `${address}: the plan found this order on the exchange, but it is not there anymore`,
    hint: 'make a new plan',
    exit: exits.stopped,
  };
}

/**
 * All orders of a product line, read before the first write that needs them; a failed read is
 * repeated.
 */
function knownOrders(
  { line, lists }: ListedLine,
  { exchange, orders, halt: signal }: EffectContext,
): Promise<NamedOrders> {
  const key = lineKey({ line, lists });
  const known = orders.get(key);
  if (known !== undefined) return known;
  const reading = ordersByName(exchange, { line, lists, since: 0, signal });
  orders.set(key, reading);
  reading.catch(() => orders.delete(key));
  return reading;
}
