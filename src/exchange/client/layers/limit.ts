/** Waits for a rate limit slot, so that the exchange never receives more requests than allowed. */
import { hour, minute, second, type Clock, type Millis } from '../../../base/clock.ts';
import { sha256 } from '../../../base/json.ts';
import { classOf, successCode } from '../../api/errors.ts';
import type { Limit } from '../../api/operation.ts';
import { operationOf, type OperationName } from '../../api/operations/index.ts';
import { ownPace, type Pace, type Slot } from '../pace.ts';
import { sharedPace } from '../shared-pace.ts';
import { Turnstile } from '../turn.ts';
import type { Answer, Layer } from './layer.ts';
import { emit } from './trace.ts';

export interface Limiter {
  /** Resolves when the call may be sent, in the order of requests. */
  acquire(operation: OperationName, options?: AcquireOptions): Promise<Slot>;
  /** Blocks the operation for a while after a rate limit response. */
  penalise(operation: OperationName, ms: Millis): Promise<void>;
}

export interface AcquireOptions {
  readonly signal?: AbortSignal;
  readonly onWait?: (ms: Millis) => void;
}

export interface LimiterOptions {
  readonly clock: Clock;
  /** Identifies accounts: a user id or a key's fingerprint, with its host. */
  readonly account?: string;
  /** Whether the key belongs to a copy-trading leader, with tighter limits. */
  readonly isLeader?: boolean;
  /**
   * A folder shared by all processes of this machine; without it each process counts separately.
   */
  readonly paceDir?: string;
  /**
   * Whether another machine may have used up every window until now: then nothing is sent for the
   * length of one window.
   */
  readonly startsFull?: boolean;
  /**
   * Records that several machines share: for limits by IP address, and for reads of an account.
   * Writes of an account come from one run at a time, which counts them here.
   */
  readonly paces?: (key: string, limit: Limit) => Pace;
}

/**
 * The exchange's 6,000 per minute from one address, applied as 100 per second: this is stricter,
 * and its record is sixty times shorter.
 */
const addressLimit: Limit = { permits: 100, per: second, of: 'ip' };

/** Enforces the limits of the API strictly, in any sliding window. */
export function createLimiter(options: LimiterOptions): Limiter {
  const { clock, account = '', isLeader, paceDir, startsFull = false, paces } = options;
  const opened = clock.monotonic();
  const queues = new Map<string, Queue>();
  const owner = sha256(account).slice(0, 8);
  const queueOf = (name: string, limit: Limit, isShared: boolean): Queue => {
    const key = limit.of === 'ip' ? name : `${name}@${owner}`;
    const known = queues.get(key);
    if (known) return known;
    if (paces && isShared) {
      const shared = { pace: paces(key, limit), turnstile: new Turnstile() };
      queues.set(key, shared);
      return shared;
    }
    const pace = paceDir
      ? sharedPace(`${paceDir}/${key.replaceAll('/', '.')}.json`, limit, clock)
      : ownPace(limit, clock);
    const queue = { pace, turnstile: new Turnstile() };
    queues.set(key, queue);
    const left = limit.per - (clock.monotonic() - opened);
    const fill =
      startsFull && left > 0 ? queue.turnstile.through(() => pace.hold(left)) : undefined;
    fill?.catch(() => undefined); // the next request reports what is wrong
    return queue;
  };
  const operationQueue = (name: OperationName): Queue => {
    const { limit, leaderLimit, effect } = operationOf(name);
    const own = isLeader && leaderLimit ? leaderLimit : limit;
    return queueOf(name, own, own.of === 'ip' || effect === 'read');
  };
  return {
    acquire: async (name, options = {}) => {
      const own = await enter(operationQueue(name), clock, options);
      const slots = [own];
      try {
        slots.push(await enter(queueOf('address', addressLimit, true), clock, options));
      } catch (error) {
        await own.answered();
        throw error;
      }
      return {
        answered: async () => {
          for (const slot of slots) await slot.answered();
        },
      };
    },
    penalise: async (name, ms) => operationQueue(name).pace.hold(ms),
  };
}

/** Waits before each attempt, releases the slot with its response, and obeys the response. */
export function pacing(limiter: Limiter, now: () => Millis): Layer {
  return (next) => async (attempt) => {
    const { call, request, watch } = attempt;
    const { operation } = request;
    const slot = await watch.without(
      limiter.acquire(operation, {
        onWait: (ms) => emit(call, { kind: 'waiting', operation, ms }),
        ...(call.signal && { signal: call.signal }),
      }),
    );
    try {
      const answer = await next(attempt);
      const shut = shutFor(answer, operationOf(operation).limit, now());
      if (shut > 0) await limiter.penalise(operation, shut);
      return answer;
    } finally {
      await slot.answered();
    }
  };
}

/**
 * Whether the exchange refused the request because of a rate limit; a success response never means
 * that.
 */
export function isOverLimit({ status, content }: Answer): boolean {
  const code = content.kind === 'envelope' ? content.envelope.code : '';
  return classOf(code) === 'limit' || (status === 429 && code !== successCode);
}

const retryAfterMax: Millis = hour; // a longer delay is a mistake
const shutMax: Millis = minute; // then another call may ask again

/** The duration of `Retry-After`, in seconds or as a date; undefined when absent or implausible. */
export function retryAfterOf({ headers }: Answer, now: Millis): Millis | undefined {
  const text = headers['retry-after']?.trim() ?? '';
  const ms = /^\d{1,9}$/.test(text) ? Number(text) * second : Date.parse(text) - now;
  return ms >= 0 && ms <= retryAfterMax ? ms : undefined;
}

interface Queue {
  readonly pace: Pace;
  readonly turnstile: Turnstile;
}

function enter(
  { pace, turnstile }: Queue,
  clock: Clock,
  { signal, onWait }: AcquireOptions,
): Promise<Slot> {
  return turnstile.through(async () => {
    let isReported = false;
    for (;;) {
      signal?.throwIfAborted();
      const turn = await pace.take(signal);
      switch (turn.kind) {
        case 'go':
          return turn.slot;
        case 'wait':
          if (!isReported) onWait?.(turn.ms);
          isReported = true;
          await clock.sleep(turn.ms, signal);
          break;
        case 'wait-for-answer':
          await turn.answer;
      }
    }
  }, signal);
}

/** The time for which a response blocks the operation: after a refusal, or when no request is left. */
function shutFor(answer: Answer, limit: Limit, now: Millis): Millis {
  if (isOverLimit(answer)) return Math.min(retryAfterOf(answer, now) ?? limit.per, shutMax);
  return answer.headers['x-mbx-used-remain-limit'] === '0' ? limit.per : 0;
}
