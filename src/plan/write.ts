/** Writes in a plan: what they would change, what shows that they are done already, and how sure. */
import type { Millis } from '../base/clock.ts';
import { decimalText } from '../base/decimal.ts';
import { fieldOf, type Json } from '../base/json.ts';
import { checkInput, inputProblems } from '../contract/check.ts';
import { InputError } from '../contract/exchange.ts';
import { accountOf } from '../journal/account.ts';
import { orderFaults } from '../playbook/check/order.ts';
import { Unknown, type Value } from '../playbook/expression/value.ts';
import type { Step } from '../playbook/playbook.ts';
import type { PlannedItem, PlanningBench } from './bench.ts';
import type { Call } from './call.ts';
import { distanceOf, notionalOf } from './measure.ts';
import { lineOf, scaleOf, type Quote } from './observe.ts';
import { differenceTo, type Order } from './orders.ts';
import { expectRequests } from './pace.ts';
import type { Confidence, PlannedAction } from './plan.ts';
import { inputShown } from './read.ts';
import { misfitsOf } from './terms.ts';

export async function planWrite(
  step: Step,
  call: Call,
  bench: PlanningBench,
): Promise<PlannedItem> {
  checkKnown(call);
  checkName(step, call, bench);
  const base = { address: call.address, operation: call.operation, input: inputShown(call) };
  const quote = await quoteOf(call, bench);
  const mark = quote?.mark;
  const done = fromLedger(call, bench) ?? (await fromExchange(step, call, bench));
  if (done !== undefined) {
    const change = { kind: 'none' as const, because: done.because };
    return {
      action: { ...base, change, confidence: done.confidence, ...orderOf(call, mark) },
      response: done.output,
    };
  }
  const isFitted = await fit(step, call, bench);
  expectRequests(bench.expected, call.operation, 1);
  bench.guards.add({
    address: call.address,
    operation: call.operation,
    input: call.input,
    account: bench.naming.destination,
    isPartial: call.unknown.size > 0,
    ...(mark !== undefined && { mark }),
  });
  return {
    response: responseOf(call),
    action: {
      ...base,
      change: { kind: call.effect === 'set' ? 'set' : 'create' },
      confidence: confidenceOf(call, bench),
      ...(isFitted ? {} : await noteOf(call, quote, bench)),
      ...orderOf(call, mark),
    },
  };
}

/** @throws InputError for fields that are known and against the contract */
function checkKnown({ operation, input, unknown }: Call): void {
  const problems = inputProblems(operation, input).filter(
    ({ keyword, path }) => keyword !== 'required' || !unknown.has(String(path[0])),
  );
  if (problems.length > 0) throw new InputError(operation, problems);
}

/** Two orders of one clientOid could not be told apart: a lost one would be taken for the other. */
function checkName(step: Step, { address, input, unknown }: Call, bench: PlanningBench): void {
  const { clientOid } = input;
  if (typeof clientOid !== 'string' || unknown.has('clientOid')) return;
  const name = `${accountOf(bench.naming.destination)} ${clientOid}`;
  const other = bench.names.get(name);
  if (other === undefined) bench.names.set(name, address);
  else {
    const message = `its clientOid ${clientOid} is that of ${other}, too`;
    const hint = 'give each order a clientOid of its own, or leave it out';
    bench.problems.faults(step, address, [{ code: 'PB405', field: 'clientOid', message, hint }]);
  }
}

/** Holds an order against the terms of its line. @returns whether there are any */
async function fit(step: Step, call: Call, bench: PlanningBench): Promise<boolean> {
  const line = lineOf(call.input['productType']);
  if (call.operation !== 'futures/place-order') return false;
  const given = [...Object.keys(call.input), ...call.unknown.keys()];
  const faults = orderFaults(call.input, given);
  bench.problems.faults(step, call.address, faults);
  const terms = line && (await bench.terms?.(line));
  if (terms === undefined || faults.length > 0) return false;
  bench.problems.misfits(step, call.address, misfitsOf(call.input, terms, call.unknown));
  return true;
}

/** How sure it is that this is still to be done. */
function confidenceOf(call: Call, { isOffline }: PlanningBench): Confidence {
  const [waitsFor] = call.unknown.values();
  if (waitsFor !== undefined) return { kind: 'known-after', step: waitsFor };
  if (isOffline) return { kind: 'not-read' };
  return { kind: call.effect === 'keyed' ? 'read-just-now' : 'cannot-be-read-back' };
}

interface Done {
  readonly because: string;
  readonly confidence: Confidence;
  readonly output: Value;
}

function fromLedger(call: Call, bench: PlanningBench): Done | undefined {
  const entry = bench.ledger.get(call.identity);
  if (entry?.kind === 'open' && call.effect === 'once') {
    return {
      because: `run ${entry.run} left it in doubt: resume that run first`,
      confidence: { kind: 'from-ledger', run: entry.run },
      output: new Unknown(call.address),
    };
  }
  if (entry?.kind !== 'done') return undefined;
  return {
    because: `${nameIn(entry.output)}, by run ${entry.run}`,
    confidence: { kind: 'from-ledger', run: entry.run },
    output: entry.output,
  };
}

/** The order as the exchange shows it, when a person or an earlier run placed it. */
async function fromExchange(
  step: Step,
  call: Call,
  bench: PlanningBench,
): Promise<Done | undefined> {
  const line = lineOf(call.input['productType']);
  if (call.operation !== 'futures/place-order' || line === undefined || bench.isOffline) {
    return undefined;
  }
  const orders = await bench.observer.orders(line, sinceOf(step, bench));
  bench.openOrders.set(line, [...orders.values()].filter(isOpen).length);
  if (call.unknown.size > 0) return undefined;
  checkInput(call.operation, call.input);
  const order = orders.get(call.input.clientOid ?? '');
  if (order === undefined) return undefined;
  const difference = differenceTo(order, call.input);
  if (difference !== undefined) {
    const message = `clientOid ${order.clientOid} belongs to another order: ${difference}`;
    const hint = 'give it a clientOid of its own';
    bench.problems.faults(step, call.address, [
      { code: 'PB405', field: 'clientOid', message, hint },
    ]);
    return undefined;
  }
  return {
    because: `order ${order.orderId} is ${order.orderStatus}`,
    confidence: { kind: 'read-just-now' },
    output: { orderId: order.orderId, clientOid: order.clientOid },
  };
}

/** How far back an order of this name may lie: closed orders are no longer among the open ones. */
function sinceOf({ oncePer }: Step, { madeAt }: PlanningBench): Millis | undefined {
  return oncePer === 'playbook' ? 0 : madeAt;
}

function isOpen(order: Order): boolean {
  return order.orderStatus !== 'filled' && order.orderStatus !== 'cancelled';
}

/** The clientOid of an order is known before it is placed; everything else of an answer is not. */
function responseOf(call: Call): Value {
  const unknown = new Unknown(call.address);
  if (call.operation !== 'futures/place-order') return unknown;
  const clientOid = call.input['clientOid'];
  return { orderId: unknown, clientOid: typeof clientOid === 'string' ? clientOid : unknown };
}

async function quoteOf(call: Call, bench: PlanningBench): Promise<Quote | undefined> {
  const line = lineOf(call.input['productType']);
  const symbol = call.input['symbol'];
  if (call.operation !== 'futures/place-order' || line === undefined || bench.isOffline) {
    return undefined;
  }
  if (typeof symbol !== 'string') return undefined;
  const quotes = await bench.observer.quotes(line);
  const quote = quotes.get(symbol.toUpperCase());
  if (quote !== undefined) bench.marks.set(symbol.toUpperCase(), quote.mark);
  return quote;
}

function orderOf(call: Call, mark: string | undefined): Pick<PlannedAction, 'order'> {
  if (call.operation !== 'futures/place-order') return {};
  const notional = notionalOf(call.input, mark);
  const distance = distanceOf(call.input, mark);
  if (notional === undefined) return {};
  return {
    order: {
      notional: decimalText(notional),
      ...(mark !== undefined && { mark }),
      ...(distance !== undefined && { distance: decimalText(distance) }),
    },
  };
}

async function noteOf(
  call: Call,
  quote: Quote | undefined,
  bench: PlanningBench,
): Promise<Pick<PlannedAction, 'note'>> {
  if (call.operation === 'futures/place-order') return finerThan(quote, call);
  const line = lineOf(call.input['productType']);
  if (call.operation !== 'futures/set-all-leverage' || line === undefined) return {};
  if (bench.isOffline) return { note: 'takes effect only for symbols with an open position' };
  const symbols = await bench.observer.positions(line);
  bench.positions.set(line, symbols);
  return {
    note:
      symbols.length === 0
        ? 'no symbol has an open position now: nothing would change'
        : `takes effect for symbols with an open position: ${symbols.join(', ')}`,
  };
}

/** None of the 18 operations tells a symbol's steps; its own quotes show how fine they are. */
function finerThan(quote: Quote | undefined, { input }: Call): Pick<PlannedAction, 'note'> {
  if (quote === undefined) return {};
  const finer = (['price', 'size'] as const).flatMap((field) => {
    const value = input[field];
    const scale = quote[`${field}Scale`];
    return typeof value === 'string' && scaleOf([value]) > scale
      ? [`${field} ${value} has more than the ${scale} decimal places this symbol is quoted in`]
      : [];
  });
  return finer.length === 0 ? {} : { note: `${finer.join('; ')}: it may be refused` };
}

/** What an output is best known by. */
function nameIn(output: Json): string {
  const names = { subUid: 'subUid', orderId: 'order', clientOid: 'clientOid' };
  for (const [field, word] of Object.entries(names)) {
    const value = fieldOf(output, field);
    if (typeof value === 'string' && value !== '') return `${word} ${value}`;
  }
  return 'done';
}
