/** Retries a call where that is safe, within its attempts and its deadline. */
import { second, type Clock, type Millis } from '../../../base/clock.ts';
import type { DeskhandError } from '../../../base/error.ts';
import type { Random } from '../../../base/random.ts';
import { spoken } from '../../../base/text.ts';
import {
  TransportError,
  UnavailableError,
  type CallOptions,
  type WireRequest,
} from '../../api/exchange.ts';
import type { AnswerOf, OperationName } from '../../api/operations/index.ts';
import { Stopwatch } from '../stopwatch.ts';
import {
  lastWord,
  verdictOnAnswer,
  verdictOnLoss,
  type Again,
  type RetryVerdict,
} from '../retry-verdict.ts';
import type { Attempt, Carry } from './layer.ts';
import { emit, reportAnswer } from './trace.ts';

export interface Retrying {
  readonly clock: Clock;
  readonly random: Random;
  /** The exchange's time, for dates in its responses. */
  readonly now: () => Millis;
}

export interface Bounds {
  /** The timeout of the whole call, without its wait for a slot. */
  readonly timeoutMs: Millis;
  /** The maximum number of attempts; those that ended with a rate limit do not count. */
  readonly attempts: number;
}

const attemptMax: Millis = 10 * second; // per attempt
const clockMax = 3; // attempts with a new timestamp after a refusal
const backoffBase: Millis = second / 2;
const backoffMax: Millis = 20 * second;
const limitBackoffMax: Millis = 60 * second;

/** Continues until the call is done or may not be retried. */
export async function untilSettled<N extends OperationName>(
  carry: Carry,
  call: { readonly name: N; readonly input: object; readonly request: WireRequest },
  { bounds, options }: { readonly bounds: Bounds; readonly options: CallOptions },
  { clock, random, now }: Retrying,
): Promise<AnswerOf<N>> {
  const watch = new Stopwatch(clock);
  const past: Again[] = [];
  for (let number = 1; ; number++) {
    const timeoutMs = Math.max(1, Math.min(attemptMax, bounds.timeoutMs - watch.elapsed()));
    const attempt = { request: call.request, number, timeoutMs, watch, call: options };
    const verdict = await outcomeOf(carry, call, attempt, now);
    if (verdict.kind === 'done') return verdict.output;
    if (verdict.kind === 'failed') throw lastWord(call.name, past, verdict.error);
    past.push(verdict);
    const inMs = delayOf(past, bounds.timeoutMs - watch.elapsed(), random);
    const { reason, because } = verdict;
    if (mustStop(past, bounds, watch.elapsed() + inMs)) {
      throw lastWord(call.name, past, timedOut(call.name, verdict, bounds));
    }
    const next = { operation: call.name, attempt: number + 1, inMs };
    emit(options, { kind: 'retrying', ...next, reason, because });
    try {
      await clock.sleep(inMs, options.signal);
    } catch (reason) {
      throw lastWord(call.name, past, reason);
    }
  }
}

/**
 * The outcome of an attempt. Errors other than the transport's arise before the wire: that attempt was
 * not sent.
 */
async function outcomeOf<N extends OperationName>(
  carry: Carry,
  call: { readonly name: N; readonly input: object },
  attempt: Attempt,
  now: () => Millis,
): Promise<RetryVerdict<N>> {
  try {
    const answer = await carry(attempt);
    const resend = attempt.call.resend === true;
    const answered = { name: call.name, input: call.input, resend };
    const verdict = verdictOnAnswer(answered, answer, now());
    reportAnswer(attempt, answer, verdict.kind === 'done' ? verdict.odd : {});
    return verdict;
  } catch (error) {
    if (!(error instanceof TransportError)) return { kind: 'failed', error };
    return verdictOnLoss(call.name, error, attempt.call.signal);
  }
}

function mustStop(past: readonly Again[], bounds: Bounds, elapsed: Millis): boolean {
  const isLimited = past.at(-1)?.reason === 'limit';
  return (
    (!isLimited && past.filter(({ reason }) => reason !== 'limit').length >= bounds.attempts) ||
    elapsed >= bounds.timeoutMs ||
    past.filter(({ reason }) => reason === 'clock').length >= clockMax
  );
}

/** The error of the last attempt; after a rate limit only the timeout can have ended the call. */
function timedOut(name: OperationName, last: Again, { timeoutMs }: Bounds): DeskhandError {
  if (last.reason !== 'limit') return last.error;
  const because = `${last.because}, beyond the timeout of ${spoken(timeoutMs)}`;
  return new UnavailableError(name, because, undefined, true);
}

/**
 * The delay before the next attempt, with full jitter, so that many clients do not retry together. A
 * rate limit is waited out as long as the exchange asks; without that, a wait leaves time for another
 * attempt. A zero counts once.
 */
function delayOf(past: readonly Again[], left: Millis, random: Random): Millis {
  const last = past.at(-1);
  const grown = backoffBase * 2 ** (past.length - 1);
  switch (last?.reason) {
    case undefined:
    case 'clock':
      return 0;
    case 'limit': {
      const { retryAfterMs: asked } = last;
      if (asked !== undefined && (asked > 0 || past.at(-2)?.reason !== 'limit')) return asked;
      const own = second + random.next() * Math.min(limitBackoffMax, 4 * grown);
      return Math.min(own, Math.max(second, left / 2));
    }
    case 'fault':
      return random.next() * Math.min(backoffMax, grown);
  }
}
