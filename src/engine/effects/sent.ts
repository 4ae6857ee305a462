/** The attempts at a write by this process and earlier ones, and whether its outcome is open. */
import { keyIn } from '../../exchange/api/meant-order.ts';
import { RefusedError, type UnavailableError } from '../../exchange/api/exchange.ts';
import type { Lookup, Outcome } from '../journal/entry.ts';
import type { OpenIntent } from '../journal/ledger.ts';
import { despiteLater, lastAnswer, ofUsedName, openText, unsettled } from '../journal/doubt.ts';
import { isSaidAbsent } from '../journal/replay.ts';
import type { WriteJob } from '../interpreter/jobs.ts';
import { failureOf } from '../interpreter/outcome.ts';
import type { EffectContext } from './effect-context.ts';
import type { Signed } from './fence.ts';
import { unreadBefore } from './lists-said.ts';
import { isUnreadable } from './unreadable.ts';

/** The attempts at a write that were already sent. */
export interface Sent {
  /** The signed attempts without an outcome, oldest first. */
  readonly signed: Signed[];
  attempts: number;
  /** Why the write may have been executed; absent if it certainly was not. */
  doubt: string | undefined;
  /** Whether the only doubt is that the exchange answered with a rate limit. */
  isOverLimit?: boolean;
  /** The last lookup of the write in the lists, if they did not show it. */
  looked?: Lookup;
  /** Whether a person recorded the absence of the write: it is sent after no list shows it either. */
  isSaidAbsent: boolean;
}

/** The attempts of earlier processes of the run, of other runs, and of another machine that ran it before. */
export async function sentBefore(call: WriteJob['call'], context: EffectContext): Promise<Sent> {
  const { before } = context;
  const { effect } = call;
  const elsewhere = openIntents(call, context).filter((intent) => isNamed(call, intent));
  const signed = [...elsewhere.flatMap((intent) => intent.signed), ...before.openSince];
  // A `once` write was stored separately before it was sent: its intent is known, unless it is forgotten.
  const isUnreported =
    before.unreported !== undefined && (effect !== 'once' || before.unreported.forgets === true);
  const isOwn = elsewhere.length === 0 && before.openSince.length > 0;
  const answered = isOwn ? lastAnswer(await context.entries(), call.address) : undefined;
  const doubt = signed.length > 0 || isUnreported ? openText(answered) : undefined;
  const words = [
    ...elsewhere.map((intent) => intent.isSaidAbsent),
    ...(before.openSince.length > 0 ? [isSaidAbsent(before.outcome)] : []),
  ];
  const isSaid = words.length > 0 && words.every((said) => said) && !isUnreported;
  return { signed, attempts: before.attempts, doubt, isSaidAbsent: isSaid };
}

/** The intents of other runs and of this one, from the ledger. */
export function openIntents(
  { key }: WriteJob['call'],
  { ledger }: Pick<EffectContext, 'ledger'>,
): readonly OpenIntent[] {
  const entry = ledger.get(key);
  return entry?.kind === 'open' ? entry.intents : [];
}

/** Whether an intent has the write's current clientOid; without one all are equal. */
export function isNamed(
  { operation, input: named }: Pick<WriteJob['call'], 'operation' | 'input'>,
  { input }: Pick<OpenIntent, 'input'>,
): boolean {
  const name = keyIn(operation, named);
  return name === undefined || keyIn(operation, input) === name;
}

/** The sent input of another run's intent, with its original clientOid. */
export function sentAs({ run, signed, isSaidAbsent: isSaid }: OpenIntent): Sent {
  const doubt = `run ${run} recorded no outcome`;
  return { signed: [...signed], attempts: 0, doubt, isSaidAbsent: isSaid };
}

/** A refusal, or a local reason not to send, proves nothing about earlier attempts. */
export function besideDoubt(outcome: Outcome, { doubt }: Sent): Outcome {
  if (doubt === undefined || (outcome.kind !== 'refused' && outcome.kind !== 'failed')) {
    return outcome;
  }
  const { kind, code, message } = outcome;
  const how = kind === 'refused' ? 'was refused' : 'failed';
  return despiteLater(doubt, how, `${code} ${message}`);
}

/** A later attempt that was not executed proves nothing about earlier ones either. */
export function failedLater(error: UnavailableError, { doubt }: Sent): Outcome {
  if (doubt === undefined) return failureOf(error);
  return despiteLater(doubt, 'failed', error.because);
}

/** An error before another attempt; a read that failed says nothing about earlier attempts. */
export function doubtBefore(error: unknown, sent: Sent): Outcome {
  const { doubt: because } = sent;
  if (because === undefined) throw error;
  if (!isUnreadable(error)) return besideDoubt(failureOf(error), sent);
  return unsettled(because, unreadBefore(error));
}

/** A used name means that an earlier attempt may have created it. */
export function madeBefore(error: unknown, { signed }: Sent): Outcome | undefined {
  if (!(error instanceof RefusedError) || error.class !== 'exists' || signed.length < 2) {
    return undefined;
  }
  return ofUsedName(error.message);
}
