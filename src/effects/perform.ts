/** The one function that writes on the exchange: intend on disk, send, know what came of it. */
import { exits } from '../base/error.ts';
import { fieldOf, plainJson, type Json } from '../base/json.ts';
import type { Millis } from '../base/clock.ts';
import { checkInput } from '../contract/check.ts';
import { DoubtError } from '../contract/exchange.ts';
import type { FuturesLine } from '../contract/vocabulary.ts';
import type { Outcome } from '../journal/entry.ts';
import { differenceTo, ordersByName, type Order } from '../plan/orders.ts';
import { InterruptedError } from '../run/durable.ts';
import type { CallLimits, WriteJob } from '../run/jobs.ts';
import { failureOf } from '../run/outcome.ts';
import type { Bench } from './bench.ts';
import { heldBack, takenName, unfitness } from './held.ts';
import { reconcile, type Finding } from './reconcile.ts';
import { tell } from './tell.ts';

const sendsMax = 3; // of one keyed write, each after both lists proved the last one absent

/**
 * Does a write, or finds that it is done already. Whatever keeps it from being settled, one that
 * may have happened is told as nothing but a doubt.
 * @throws DiskError when the journal cannot be written; InterruptedError before anything was sent
 */
export async function perform(job: WriteJob, bench: Bench): Promise<Outcome> {
  const sent = sentBefore(job.call, bench);
  try {
    const outcome = (await knownElsewhere(job, bench)) ?? (await act(job, sent, bench));
    return besideDoubt(outcome, sent);
  } catch (error) {
    if (sent.doubt === undefined) throw error;
    return besideDoubt(failureOf(error), sent);
  }
}

/** What was sent of a write so far. */
interface Sent {
  /** When each attempt without a final word was signed, oldest first. */
  readonly signedAt: Millis[];
  attempts: number;
  /** Why it may have happened; absent while it surely has not. */
  doubt: string | undefined;
}

/** By earlier lives of the run, by other runs, and by another machine that had the run. */
function sentBefore({ identity, effect }: WriteJob['call'], { before, ledger }: Bench): Sent {
  const entry = ledger.get(identity);
  const signedAt = [...(entry?.kind === 'open' ? entry.signedAt : []), ...before.openSince];
  // A `once` write was told of by itself before it was sent: its intent stands here already.
  const isElsewhere = before.unreported !== undefined && effect !== 'once';
  const doubt = signedAt.length > 0 || isElsewhere ? 'the answer was never recorded' : undefined;
  return { signedAt, attempts: before.attempts, doubt };
}

/** A refusal, or what kept us from sending, says nothing of what was sent before it. */
function besideDoubt(outcome: Outcome, { doubt }: Sent): Outcome {
  if (doubt === undefined || (outcome.kind !== 'refused' && outcome.kind !== 'failed')) {
    return outcome;
  }
  const { kind, code, message } = outcome;
  const said = kind === 'refused' ? `refused with ${code} ${message}` : message;
  return { kind: 'doubt', because: `${doubt}; after that: ${said}` };
}

/** What another run, or the exchange itself, already shows of a write that is once per playbook. */
async function knownElsewhere(
  { call, asksFirst }: WriteJob,
  bench: Bench,
): Promise<Outcome | undefined> {
  const entry = bench.ledger.get(call.identity);
  if (entry?.kind === 'done') {
    return { kind: 'done', output: entry.output, evidence: 'from-ledger' };
  }
  if (call.operation !== 'futures/place-order') {
    if (entry?.kind !== 'open' || call.effect !== 'once') return undefined;
    return {
      kind: 'doubt',
      because: `run ${entry.run} began ${entry.address} and never knew how it ended`,
    };
  }
  if (!asksFirst) return undefined;
  checkInput(call.operation, call.input);
  const known = await knownOrders(call.input.productType, bench);
  const order = known.get(call.input.clientOid ?? '');
  if (order === undefined) return undefined;
  const difference = differenceTo(order, call.input);
  if (difference === undefined) await bench.sight.shown(order, call.address, bench);
  return difference === undefined
    ? { kind: 'done', output: outputOf(order), evidence: 'looked-up' }
    : {
        kind: 'doubt',
        because: `clientOid ${order.clientOid} belongs to another order: ${difference}`,
      };
}

/** All orders of a line, read before the first write that asks; when that fails, asked anew. */
function knownOrders(
  category: FuturesLine,
  { exchange, orders, halt: signal }: Bench,
): Promise<ReadonlyMap<string, Order>> {
  const known = orders.get(category);
  if (known !== undefined) return known;
  const reading = ordersByName(exchange, { category, since: 0, signal });
  orders.set(category, reading);
  reading.catch(() => orders.delete(category));
  return reading;
}

async function act(
  { call, limits, held, taken }: WriteJob,
  sent: Sent,
  bench: Bench,
): Promise<Outcome> {
  const { unreported } = bench.before;
  if (unreported !== undefined && call.effect === 'keyed') {
    const { since, until } = unreported;
    sent.attempts += 1;
    await recordIntent(call, { attempt: sent.attempts, since, signedAt: until }, bench);
    sent.signedAt.push(since, until);
  }
  const settled = await settleDoubt(call, sent, bench);
  if (settled !== undefined) return settled;
  if (held !== undefined) return heldBack(held);
  if (taken !== undefined) return takenName(taken);
  const unfit = await unfitness(call, bench);
  if (unfit !== undefined) return unfit;
  for (let sends = 1; ; sends++) {
    try {
      const end = await send(call, limits, sent, bench);
      tellSight(call, end, sent, bench);
      return end;
    } catch (error) {
      if (!(error instanceof DoubtError)) return failureOf(error);
      const { because } = error;
      sent.doubt = because;
      const found = await settleDoubt(call, sent, bench);
      if (found !== undefined) return found;
      if (sends < sendsMax) continue;
      return { kind: 'doubt', because: `${because}; sent ${sends} times and never found` };
    }
  }
}

/** An order was answered: whether the lists show it is learned beside the run. */
function tellSight(
  { address, operation, input }: WriteJob['call'],
  end: Outcome,
  { signedAt }: Sent,
  bench: Bench,
): void {
  if (operation !== 'futures/place-order' || end.kind !== 'done') return;
  checkInput(operation, input);
  const orderId = fieldOf(end.output, 'orderId');
  const id = typeof orderId === 'string' ? orderId : '';
  bench.sight.answered({ address, placed: input, orderId: id, signedAt }, bench);
}

/** One call; its intent is on the disk before its first byte leaves. */
async function send(
  call: WriteJob['call'],
  limits: CallLimits,
  sent: Sent,
  bench: Bench,
): Promise<Outcome> {
  if (bench.drain.aborted) throw new InterruptedError();
  checkInput(call.operation, call.input);
  const output = await bench.exchange.call(call.operation, call.input, {
    signal: bench.halt,
    ...limits,
    beforeSend: async ({ signedAt }) => {
      if (bench.drain.aborted) throw new InterruptedError();
      sent.signedAt.push(signedAt);
      sent.attempts += 1;
      await recordIntent(call, { attempt: sent.attempts, signedAt }, bench);
    },
    onEvent: tell(call.address, bench),
  });
  if (call.effect === 'set' && output === 'failure') {
    return {
      kind: 'refused',
      code: 'failure',
      message: 'the exchange answered failure; nothing was changed',
      exit: exits.stopped,
    };
  }
  return { kind: 'done', output: plainJson(output), evidence: 'answered' };
}

async function recordIntent(
  { address, operation, input, identity }: WriteJob['call'],
  attempt: { readonly attempt: number; readonly since?: Millis; readonly signedAt: Millis },
  bench: Bench,
): Promise<void> {
  await bench.record({
    kind: 'intended',
    address,
    operation,
    input,
    identity,
    ...attempt,
  });
}

/** What can be known of a write in doubt. Undefined means: it may be sent, or sent again. */
async function settleDoubt(
  call: WriteJob['call'],
  sent: Sent,
  bench: Bench,
): Promise<Outcome | undefined> {
  const { doubt: because, signedAt } = sent;
  if (because === undefined) return undefined;
  if (call.effect === 'set') return undefined; // the same state again harms nobody
  if (call.operation !== 'futures/place-order') return { kind: 'doubt', because };
  // Lists that show nothing are looked at once: to wait would prove nothing.
  const until = (await bench.sight.known()) === 'unlisted' ? 0 : undefined;
  const finding = await lookUp(call, signedAt, bench, until);
  switch (finding.kind) {
    case 'found':
      await bench.sight.shown(finding.order, call.address, bench);
      return { kind: 'done', output: outputOf(finding.order), evidence: 'looked-up' };
    case 'unknown':
      return { kind: 'doubt', because: `${because}; ${finding.because}` };
    case 'absent': {
      const orders = await bench.sight.known();
      if (orders === 'listed' && bench.onDoubt === 'resend') {
        sent.doubt = undefined;
        return undefined;
      }
      const proof = provesNothing[orders];
      return { kind: 'doubt', because: `${because}; not found in ${finding.evidence}${proof}` };
    }
  }
}

/** What an order that is not in the lists says, by what is known of them. */
const provesNothing = {
  listed: '',
  unlisted: ', and an order that was answered is not in these lists either: they prove nothing',
  unknown: ', and these lists have never shown an order of this account: they prove nothing yet',
} as const;

async function lookUp(
  { address, input }: WriteJob['call'],
  signedAt: readonly Millis[],
  bench: Bench,
  until: Millis | undefined,
): Promise<Finding> {
  checkInput('futures/place-order', input);
  try {
    return await reconcile(input, signedAt, address, bench, until);
  } catch (error) {
    if (!bench.halt.aborted) throw error;
    return { kind: 'unknown', because: 'interrupted while looking it up' };
  }
}

function outputOf(order: Order): Json {
  return { orderId: order.orderId, clientOid: order.clientOid };
}
