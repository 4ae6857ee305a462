/** The writes of a plan: the changes they would make, the evidence if they are done, and the confidence. */
import type { Millis } from '../../base/clock.ts';
import { decimalText } from '../../base/decimal.ts';
import { fieldOf, type Json } from '../../base/json.ts';
import { shellWord } from '../../base/text.ts';
import {
  declared,
  keyIn,
  lineKey,
  lineOfWrite,
  listedLineOf,
  meantOrder,
  orderTerms,
  responseFor,
} from '../../exchange/api/meant-order.ts';
import { endedBy, operationOf, type OperationName } from '../../exchange/api/operations/index.ts';
import { futuresLine, type Terms } from '../../exchange/api/terms.ts';
import type { ProductType } from '../../exchange/api/vocabulary.ts';
import { isOurName } from '../journal/identity.ts';
import { provenAt } from '../journal/replay.ts';
import { orderFaults } from '../../language/check/order.ts';
import { Unknown, type Value } from '../../language/expression/value.ts';
import type { Step } from '../../language/playbook.ts';
import { otherAccount } from './account-context.ts';
import type { PlannedItem, PlanContext } from './plan-context.ts';
import type { Call } from './call.ts';
import { endChange } from './ended-order.ts';
import { isShown, orderEvidence } from './evidence.ts';
import { distanceOf, notionalOf, type MarketPrices } from './measure.ts';
import { placedOrder, unprovedOf } from './known.ts';
import { differenceTo, refuseNameless, restingIn } from './found-orders.ts';
import { expectRequests } from './pace.ts';
import type { Confidence, PlannedAction } from './plan.ts';
import { inputShown } from './read.ts';
import { positionOf } from './position.ts';
import { asksNobody, lineName } from './recorded.ts';
import { misfitsOf } from './terms.ts';
import { checkKnown, checkName } from './write-checks.ts';
import { stateChange, type PlannedState } from './set-values.ts';
import { usedOf } from './uses.ts';
import { noteOrder } from './unknown-orders.ts';
import { noteOf, quoteOf } from './write-quote.ts';

export async function planWrite(
  step: Step,
  call: Call,
  context: PlanContext,
): Promise<PlannedItem> {
  checkKnown(call);
  checkName(step, call, context);
  const base = { address: call.address, operation: call.operation, input: inputShown(call) };
  const quote = await quoteOf(call, context);
  const market = quote?.market;
  const state = (await endChange(call, context)) ?? (await stateChange(step, call, context));
  const done =
    fromRecord(call, context) ??
    (state ? fromState(state, call, context) : fromLedger(call, context)) ??
    (await fromExchange(step, call, context));
  if (done !== undefined) {
    keepOutput(step, call, done.output, context);
    const change = { kind: 'none' as const, because: done.because };
    return {
      action: { ...base, change, confidence: done.confidence, ...orderOf(call, market) },
      response: done.output,
    };
  }
  const { destination: now } = context.naming;
  const unproved = unprovedOf(context.ledger.get(call.key));
  context.unproved.push(...unproved.map((write) => ({ write, now })));
  const isFitted = await fit(step, call, context);
  expectRequests(context.expected, call.operation, 1);
  const ends = endedBy(call.operation);
  if (ends) expectRequests(context.expected, declared(ends.operation), 2); // before and after it
  if (state) context.states.note(call, context.naming.destination);
  const guarded = {
    address: call.address,
    operation: call.operation,
    input: call.input,
    account: context.naming.destination,
    isPartial: call.unknown.size > 0,
    ...(market && { market }),
    ...(quote?.unpriced !== undefined && { unpriced: quote.unpriced }),
  };
  const position = await positionOf(guarded, context);
  const write = { ...guarded, ...(position && { position }) };
  context.limits.breaks(write);
  const order = orderOf(call, market);
  if (order.order === undefined && !context.isOffline) noteOrder(call, context);
  context.limits.count(write); // a plan is reported with everything it would send
  return {
    response: responseOf(call),
    action: {
      ...base,
      ...(position && { position }),
      change: state?.change ?? { kind: 'create' },
      confidence: confidenceOf(call, state, context),
      ...(isFitted ? {} : await noteOf(call, quote, context)),
      ...order,
    },
  };
}

/** Checks an order against the rules of its product line. @returns whether those of its symbol are known */
async function fit(step: Step, call: Call, context: PlanContext): Promise<boolean> {
  const { operation, input } = call;
  const { keyed } = operationOf(operation);
  if (keyed === undefined) return false;
  const given = [...Object.keys(call.input), ...call.unknown.keys()];
  const faults = orderFaults(operation, input, given);
  context.problems.faults(step, call.address, faults);
  const line = futuresLine(lineOfWrite(operation, input));
  const terms = line && ((await context.terms?.(line)) ?? (await modeFor(call, line, context)));
  if (terms === undefined || faults.length > 0) return false;
  context.problems.misfits(
    step,
    call.address,
    misfitsOf({ operation, keyed, input }, terms, call.unknown),
  );
  return terms.symbols !== undefined;
}

/** The position mode of an account whose exchange reports no rules; undefined if it is not known either. */
async function modeFor(
  call: Call,
  line: ProductType,
  { naming, observer, isOffline }: PlanContext,
): Promise<Terms | undefined> {
  const { family } = naming.destination;
  if (isOffline || family === undefined) return undefined;
  const positionMode = await observer.mode(call, line, family);
  return positionMode && { positionMode };
}

/** The confidence that this write is still needed. */
function confidenceOf(
  call: Call,
  state: PlannedState | undefined,
  { isOffline }: PlanContext,
): Confidence {
  const [waitsFor] = call.unknown.values();
  if (waitsFor !== undefined) return { kind: 'known-after', step: waitsFor };
  if (isOffline) return { kind: 'not-read' };
  const isRead =
    call.effect === 'keyed' ||
    endedBy(call.operation) !== undefined ||
    (state !== undefined && isShown(state.change));
  return { kind: isRead ? 'read-just-now' : 'cannot-be-read-back' };
}

interface Done {
  readonly because: string;
  readonly confidence: Confidence;
  readonly output: Json | Unknown;
}

/** Records in the plan an output that already exists, if later expressions use it. */
function keepOutput(step: Step, { address }: Call, output: Done['output'], context: PlanContext) {
  const uses = context.uses.get(step.id);
  if (uses === undefined || output instanceof Unknown) return;
  context.reads.set(address, usedOf(output, [uses]));
}

/** The evidence in the recomputed plan, without requests. */
function fromRecord({ address }: Call, context: PlanContext): Done | undefined {
  const { recorded } = context;
  const action = asksNobody(context) ? recorded?.actions.get(address) : undefined;
  if (action?.change.kind !== 'none' || action.confidence === undefined) return undefined;
  const { because } = action.change;
  const output = recorded?.reads.get(address) ?? new Unknown(address);
  return { because, confidence: action.confidence, output };
}

/** The change of a state that the run already set, or that an earlier run set last. */
function fromState(
  { change, output: shown, run: setter }: PlannedState,
  { address }: Call,
  { decisions, naming: { run } }: PlanContext,
): Done | undefined {
  const { outcome } = provenAt(decisions.known, address);
  if (outcome?.kind === 'done') {
    const { output } = outcome;
    return { because: `done, by run ${run}`, confidence: { kind: 'from-ledger', run }, output };
  }
  if (change.kind !== 'none' || shown === undefined) return undefined;
  const confidence: Confidence =
    setter === undefined ? { kind: 'read-just-now' } : { kind: 'from-ledger', run: setter };
  return { because: change.because, confidence, output: shown };
}

function fromLedger(call: Call, context: PlanContext): Done | undefined {
  const entry = context.ledger.get(call.key);
  if (entry?.kind === 'open' && !entry.isSaidAbsent && call.effect === 'once') {
    return {
      because: `run ${entry.run} left it in doubt, and only you can tell: deskhand resolve ${shellWord(entry.run)} ${shellWord(entry.address)}`,
      confidence: { kind: 'from-ledger', run: entry.run },
      output: new Unknown(call.address),
    };
  }
  if (entry?.kind !== 'done') return undefined;
  return {
    because: `${nameIn(call.operation, entry.output)}, by run ${entry.run}`,
    confidence: { kind: 'from-ledger', run: entry.run },
    output: entry.output,
  };
}

/** The order as the exchange shows it, if a person or an earlier run placed it. */
async function fromExchange(
  step: Step,
  call: Call,
  context: PlanContext,
): Promise<Done | undefined> {
  const { family } = context.naming.destination;
  const listed = listedLineOf(call.operation, call.input, family);
  if (listed === undefined || context.isOffline) return undefined;
  const orders = await context.observer.orders(listed, sinceOf(step, context));
  if (!asksNobody(context)) {
    const line = lineName(lineKey(listed), otherAccount(context));
    context.openOrders.set(line, restingIn(orders));
  }
  if (call.unknown.size > 0) return undefined;
  const meant = meantOrder(call.operation, call.input, family);
  const entry = context.ledger.get(call.key);
  const order = placedOrder(call, entry, orders);
  if (order === undefined) {
    // No order has a name that this run makes for its first time.
    const isNew = step.oncePer !== 'playbook' && entry === undefined && isOurName(meant.name);
    if (!isNew) refuseNameless(orders, meant);
    return undefined;
  }
  const difference = differenceTo(order, meant);
  if (difference !== undefined) {
    const field = operationOf(call.operation).key ?? '';
    const message = `${field} ${order.clientOid} belongs to another order: ${difference}`;
    const hint = `give it its own ${field}`;
    context.problems.faults(step, call.address, [{ code: 'PB405', field, message, hint }]);
    return undefined;
  }
  return {
    because: orderEvidence(order),
    confidence: { kind: 'read-just-now' },
    output: responseFor(call.operation, { id: order.orderId, name: order.clientOid }),
  };
}

/**
 * The earliest creation time of an order with this clientOid: closed orders are no longer among the open
 * ones.
 */
function sinceOf({ oncePer }: Step, { madeAt }: PlanContext): Millis | undefined {
  return oncePer === 'playbook' ? 0 : madeAt;
}

/** The clientOid of an order is known before it is placed; the rest of a response is not. */
function responseOf(call: Call): Value {
  const unknown = new Unknown(call.address);
  const { keyed, key } = operationOf(call.operation);
  if (keyed === undefined || key === undefined) return unknown;
  return { [keyed.id]: unknown, [key]: keyIn(call.operation, call.input) ?? unknown };
}

function orderOf(call: Call, market: MarketPrices | undefined): Pick<PlannedAction, 'order'> {
  const order = orderTerms(call.operation, call.input);
  if (order === undefined) return {};
  const mark = market?.mark;
  const notional = notionalOf(order, market);
  const distance = distanceOf(order, mark);
  if (notional === undefined) return {};
  return {
    order: {
      notional: decimalText(notional),
      ...(mark !== undefined && { mark }),
      ...(distance !== undefined && { distance: decimalText(distance) }),
    },
  };
}

/** The most telling id of an output. */
function nameIn(operation: OperationName, output: Json): string {
  const { keyed, key } = operationOf(operation);
  const ofOrder = keyed && key !== undefined ? { [keyed.id]: 'order', [key]: key } : {};
  const names = { subUid: 'subUid', ...ofOrder };
  for (const [field, word] of Object.entries(names)) {
    const value = fieldOf(output, field);
    if (typeof value === 'string' && value !== '') return `${word} ${value}`;
  }
  return 'done';
}
