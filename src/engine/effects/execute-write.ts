/** The only function that writes to the exchange: records the intent on disk, sends, and records the outcome. */
import { exits } from '../../base/error.ts';
import { fieldOf, isJsonRecord, plainJson, type Json } from '../../base/json.ts';
import type { Millis } from '../../base/clock.ts';
import { checkInput } from '../../exchange/api/check.ts';
import { DoubtError, UnavailableError } from '../../exchange/api/exchange.ts';
import { listedLineOf, meantOrder, placesOrders } from '../../exchange/api/meant-order.ts';
import { operationOf } from '../../exchange/api/operations/index.ts';
import { afterSendings } from '../journal/doubt.ts';
import type { Outcome } from '../journal/entry.ts';
import { unprovedOf } from '../plan/known.ts';
import { withMode } from '../../exchange/api/position-mode.ts';
import { InterruptedError } from '../interpreter/durable.ts';
import type { CallLimits, WriteJob } from '../interpreter/jobs.ts';
import { failureOf } from '../interpreter/outcome.ts';
import type { EffectContext } from './effect-context.ts';
import { endSeen, untilEnded } from './end-order.ts';
import { knownElsewhere } from './elsewhere.ts';
import { doubtOfForgotten } from './forgotten.ts';
import { notSentAgain, ofAnotherKey, takenName, unfitness } from './blocked.ts';
import type { Admitted, Limited } from './limits.ts';
import {
  besideDoubt,
  doubtBefore,
  failedLater,
  madeBefore,
  sentBefore,
  type Sent,
} from './sent.ts';
import { provedState } from './proved-state.ts';
import { settleDoubt, settleEarlier } from './settle.ts';
import { recordCall } from './record-call.ts';

const sendsMax = 3; // sendings of one keyed write, each after both lists proved the last one absent

/**
 * Executes a write, or finds that it is already done. If it cannot be settled, a write that may
 * have been executed is reported as a doubt.
 * @throws DiskError when the journal cannot be written; InterruptedError before anything was
 * sent, or while it is looked up: then nothing is settled
 */
export async function executeWrite(job: WriteJob, context: EffectContext): Promise<Outcome> {
  const outcome = await outcomeOf(job, context);
  const { kind } = outcome;
  if (kind === 'refused' || kind === 'failed') context.limits.release(job.call);
  return provedState(job.call, outcome, context);
}

async function outcomeOf(job: WriteJob, context: EffectContext): Promise<Outcome> {
  const sent = await sentBefore(job.call, context);
  try {
    const outcome =
      (await knownElsewhere(job, context)) ?? (await attemptWrite(job, sent, context));
    return besideDoubt(outcome, sent);
  } catch (error) {
    return doubtBefore(error, sent);
  }
}

async function attemptWrite(
  { call, limits, taken, isOver }: WriteJob,
  sent: Sent,
  context: EffectContext,
): Promise<Outcome> {
  const { unreported } = context.before;
  if (unreported !== undefined && call.effect === 'keyed') {
    const { since, until } = unreported;
    sent.attempts += 1;
    context.limits.count(limited(call, context));
    await recordIntent(call, { attempt: sent.attempts, since, signedAt: until }, context);
    sent.signed.push({ signedAt: since }, { signedAt: until });
  }
  const isSaidAbsent = sent.isSaidAbsent;
  const settled = (await settleEarlier(call, context)) ?? (await settleDoubt(call, sent, context));
  if (settled !== undefined) return settled;
  if (isOver) return notSentAgain;
  const unproved = unprovedOf(context.ledger.get(call.key));
  if (unproved.length > 0) return ofAnotherKey(unproved, context.destination);
  const strange = isSaidAbsent ? undefined : await doubtOfForgotten(call, context);
  if (strange !== undefined) return strange;
  const kept = await keptBack(call, taken, context);
  if (kept !== undefined) return kept;
  const over = await endSeen(call, context);
  if (over !== undefined) return over;
  for (let sends = 1; ; sends++) {
    try {
      const end = await sendWrite(call, limits, sent, context);
      noteVisibility(call, end, sent, context);
      return end;
    } catch (error) {
      const made = madeBefore(error, sent);
      if (made !== undefined) return made;
      if (error instanceof UnavailableError) return failedLater(error, sent);
      if (!(error instanceof DoubtError)) {
        const options = { signal: context.halt, onEvent: recordCall(call.address, context) };
        const ended = await endSeen(call, context); // it may have ended before it was refused
        if (ended !== undefined) return ended;
        const on = { exchange: context.exchange, family: context.destination.family };
        return failureOf(await withMode(error, call, on, options));
      }
      const { because } = error;
      sent.doubt = because;
      sent.isOverLimit = error.isOverLimit;
      const found = await settleDoubt(call, sent, context);
      if (found !== undefined) return found;
      if (sends < sendsMax) continue;
      if (error.isOverLimit) return overLimit(call, because, sends);
      return afterSendings(because, sends, sent.looked);
    }
  }
}

/** The exchange and both lists said each time that it was not executed. */
function overLimit({ operation }: WriteJob['call'], because: string, sends: number): Outcome {
  const words = `${because}; it was sent ${sends} times, and no list shows it`;
  return failureOf(new UnavailableError(operation, words, undefined, true));
}

/** The reason why a write is not sent at all; limits are checked again before each send. */
async function keptBack(
  call: WriteJob['call'],
  taken: string | undefined,
  context: EffectContext,
): Promise<Outcome | undefined> {
  try {
    await context.limits.check(limited(call, context), context.halt);
  } catch (error) {
    return failureOf(error);
  }
  return taken === undefined ? unfitness(call, context) : takenName(taken);
}

function limited(
  { address, operation, input }: WriteJob['call'],
  { destination: account }: EffectContext,
): Limited {
  return { address, operation, input, account };
}

/** Starts to determine whether the lists show an order that was accepted, in parallel to the run. */
function noteVisibility(
  { address, operation, input }: WriteJob['call'],
  end: Outcome,
  { signed }: Sent,
  context: EffectContext,
): void {
  if (!placesOrders(operation) || end.kind !== 'done') return;
  const { family } = context.destination;
  const line = listedLineOf(operation, input, family);
  if (line !== undefined && context.visibility.isListed(line)) return;
  const placed = meantOrder(operation, input, family);
  const orderId = fieldOf(end.output, placed.keyed.id);
  const id = typeof orderId === 'string' ? orderId : '';
  context.visibility.answered({ address, placed, orderId: id, signed: [...signed] }, context);
}

/** Sends one call; its intent is on the disk before the first byte is sent. */
async function sendWrite(
  call: WriteJob['call'],
  limits: CallLimits,
  sent: Sent,
  context: EffectContext,
): Promise<Outcome> {
  if (context.drain.aborted) throw new InterruptedError();
  checkInput(call.operation, call.input);
  const record = recordCall(call.address, context);
  let raw: string | undefined;
  const output = await context.exchange.call(call.operation, call.input, {
    signal: context.halt,
    resend: context.onDoubt === 'resend',
    beforeSend: async ({ signedAt }) => {
      const { admit } = await context.limits.ready(limited(call, context), context.halt);
      if (context.drain.aborted) throw new InterruptedError();
      const admitted = admit();
      sent.signed.push({ signedAt, moment: context.clock.monotonic() });
      sent.attempts += 1;
      await recordIntent(call, { attempt: sent.attempts, signedAt, ...admitted }, context);
    },
    onEvent: (event) => {
      record(event);
      if (event.kind === 'answered') raw = event.raw;
    },
    ...limits,
  });
  if (call.effect === 'set' && isFailure(output)) {
    return {
      kind: 'refused',
      code: 'failure',
      message: 'the exchange answered failure; nothing was changed',
      exit: exits.stopped,
    };
  }
  const { ends } = operationOf(call.operation);
  if (ends !== undefined) return untilEnded(call, ends, context);
  const odd = raw === undefined ? {} : { raw };
  return { kind: 'done', output: withKey(call, plainJson(output)), evidence: 'answered', ...odd };
}

/** The text `failure`, alone or as a value of an object or a list. */
function isFailure(output: unknown): boolean {
  if (typeof output === 'object' && output !== null) {
    return Object.values(output).some((value) => typeof value === 'string' && isFailure(value));
  }
  return typeof output === 'string' && output.toLowerCase() === 'failure';
}

/** The response of a keyed write, with the key it was sent with if the exchange left it out. */
function withKey({ operation, input }: WriteJob['call'], output: Json): Json {
  const { key } = operationOf(operation);
  const sent = key === undefined ? undefined : input[key];
  if (key === undefined || sent === undefined || !isJsonRecord(output)) return output;
  return typeof output[key] === 'string' && output[key] !== ''
    ? output
    : { ...output, [key]: sent };
}

async function recordIntent(
  { address, operation, input, identity }: WriteJob['call'],
  attempt: Admitted & {
    readonly attempt: number;
    readonly since?: Millis;
    readonly signedAt: Millis;
  },
  context: EffectContext,
): Promise<void> {
  const { profile } = context.destination;
  await context.record({
    kind: 'intended',
    address,
    operation,
    input,
    identity,
    ...attempt,
    ...(context.isOneOfMany && { account: profile }),
  });
}
