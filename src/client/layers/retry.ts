/** Retries a call where that is safe, within its attempts and its deadline. */
import { second, type Clock, type Millis } from '../../base/clock.ts';
import { messageOf } from '../../base/error.ts';
import type { Random } from '../../base/random.ts';
import {
  DoubtError,
  TransportError,
  UnavailableError,
  type CallOptions,
  type WireRequest,
} from '../../api/exchange.ts';
import type { OperationName, Output } from '../../api/operations/index.ts';
import { Stopwatch } from '../stopwatch.ts';
import { verdictOnAnswer, verdictOnLoss, type Again, type RetryVerdict } from '../retry-verdict.ts';
import type { Attempt, Carry } from './layer.ts';
import { emit } from './trace.ts';

export interface Retrying {
  readonly clock: Clock;
  readonly random: Random;
  /** The exchange's time, for dates in its responses. */
  readonly now: () => Millis;
}

export interface Bounds {
  /** For the whole call, without its wait for a slot. */
  readonly timeoutMs: Millis;
  readonly attempts: number;
}

const attemptMax: Millis = 10 * second; // per attempt
const clockMax = 3; // attempts with a new timestamp after a refusal
const limitMax = 3; // consecutive rate limit responses that end a call
const backoffBase: Millis = second / 2;
const backoffMax: Millis = 20 * second;
const limitBackoffMax: Millis = 60 * second;

/** Continues until the call is done or may not be retried. */
export async function untilSettled<N extends OperationName>(
  carry: Carry,
  call: { readonly name: N; readonly input: object; readonly request: WireRequest },
  { bounds, options }: { readonly bounds: Bounds; readonly options: CallOptions },
  { clock, random, now }: Retrying,
): Promise<Output<N>> {
  const watch = new Stopwatch(clock);
  const past: Again[] = [];
  for (let number = 1; ; number++) {
    const timeoutMs = Math.max(1, Math.min(attemptMax, bounds.timeoutMs - watch.elapsed()));
    const attempt = { request: call.request, number, timeoutMs, watch, call: options };
    const verdict = await outcomeOf(carry, call, attempt, now);
    if (verdict.kind === 'done') return verdict.output;
    if (verdict.kind === 'failed') throw lastWord(call.name, past, verdict.error);
    past.push(verdict);
    const inMs = delayOf(verdict, number, random);
    const { because, error } = verdict;
    if (mustStop(past, bounds, watch.elapsed() + inMs)) throw lastWord(call.name, past, error);
    emit(options, { kind: 'retrying', operation: call.name, attempt: number + 1, inMs, because });
    try {
      await clock.sleep(inMs, options.signal);
    } catch (reason) {
      throw lastWord(call.name, past, reason);
    }
  }
}

/** Errors other than the transport's come from above the wire: this attempt was not sent. */
async function outcomeOf<N extends OperationName>(
  carry: Carry,
  call: { readonly name: N; readonly input: object },
  attempt: Attempt,
  now: () => Millis,
): Promise<RetryVerdict<N>> {
  try {
    const answer = await carry(attempt);
    const resend = attempt.call.resend === true;
    return verdictOnAnswer({ name: call.name, input: call.input, resend }, answer, now());
  } catch (error) {
    if (!(error instanceof TransportError)) return { kind: 'failed', error };
    return verdictOnLoss(call.name, error, attempt.call.signal);
  }
}

function mustStop(past: readonly Again[], bounds: Bounds, elapsed: Millis): boolean {
  const inARow = past.slice(-limitMax).filter(({ reason }) => reason === 'limit');
  return (
    past.length >= bounds.attempts ||
    elapsed >= bounds.timeoutMs ||
    inARow.length >= limitMax ||
    past.filter(({ reason }) => reason === 'clock').length >= clockMax
  );
}

/** A set that any attempt may have executed is in doubt, however the last attempt ended. */
function lastWord(name: OperationName, past: readonly Again[], last: unknown): unknown {
  const doubt = past.map(({ error }) => error).find((error) => error instanceof DoubtError);
  if (doubt === undefined || last instanceof DoubtError) return last;
  const said = last instanceof UnavailableError ? last.because : messageOf(last);
  return new DoubtError(name, `${doubt.because}; a later attempt failed: “${said}”`, last);
}

/** Full jitter, so that many clients do not retry together. */
function delayOf(again: Again, number: number, random: Random): Millis {
  const grown = backoffBase * 2 ** (number - 1);
  switch (again.reason) {
    case 'clock':
      return 0;
    case 'limit':
      return again.retryAfterMs ?? second + random.next() * Math.min(limitBackoffMax, 4 * grown);
    case 'fault':
      return random.next() * Math.min(backoffMax, grown);
  }
}
