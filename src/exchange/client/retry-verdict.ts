/** The verdict about a call from the outcome of a request: the only module that says that a call is in
 * doubt.
 */
import type { Millis } from '../../base/clock.ts';
import { InternalError, messageOf, type DeskhandError } from '../../base/error.ts';
import { fieldOf } from '../../base/json.ts';
import { ProxyError } from '../../base/proxy.ts';
import { plainText, spoken } from '../../base/text.ts';
import { classOf, classOfWrite, errorTable, successCode, verdictOf } from '../api/errors.ts';
import {
  AnswerError,
  DoubtError,
  RefusedError,
  UnavailableError,
  type CallEvent,
  type TransportError,
} from '../api/exchange.ts';
import { operationOf, type AnswerOf, type OperationName } from '../api/operations/index.ts';
import { readAnswer, type ReadAnswer } from '../api/read-answer.ts';
import type { Envelope } from '../api/wire.ts';
import type { Answer } from './layers/layer.ts';
import { isOverLimit, retryAfterOf } from './layers/limit.ts';

/** The properties of a call that decide about its outcome. */
export interface AnsweredCall<N extends OperationName> {
  readonly name: N;
  readonly input: object;
  /** A write may be sent again after a rate limit or a refused timestamp. */
  readonly resend: boolean;
}

export type RetryVerdict<N extends OperationName> =
  | Done<N>
  | { readonly kind: 'failed'; readonly error: unknown }
  | Again;

export interface Done<N extends OperationName> {
  readonly kind: 'done';
  readonly output: AnswerOf<N>;
  /** The deviations of the response from the interface. */
  readonly odd: Pick<Extract<CallEvent, { readonly kind: 'answered' }>, 'deviations' | 'raw'>;
}

/** The verdict that a call may be retried; `error` is thrown otherwise. */
export interface Again {
  readonly kind: 'again';
  readonly reason: 'fault' | 'limit' | 'clock';
  readonly because: string;
  readonly error: DeskhandError;
  readonly retryAfterMs?: Millis;
}

/**
 * Classifies a complete response. Only a complete envelope refuses a write, with a code of a class
 * that proves it and a status that does not contradict it; anything else leaves it in doubt.
 * @param now the exchange's time
 */
export function verdictOnAnswer<N extends OperationName>(
  call: AnsweredCall<N>,
  answer: Answer,
  now: Millis,
): RetryVerdict<N> {
  const { name } = call;
  const { status, content } = answer;
  const isRead = operationOf(name).effect === 'read';
  if (isRedirect(status) && isRead) {
    const because = `the address responds with a redirect (HTTP ${status}), which is never followed`;
    return { kind: 'failed', error: new UnavailableError(name, because) };
  }
  if (status < 200 || status >= 500 || status === 408 || isRedirect(status)) {
    return unavailable(name, `HTTP ${status}${wordsOf(answer)}`);
  }
  if (isRead && isOverLimit(answer)) return overLimit(name, answer, now);
  if (content.kind === 'unreadable') return unreadable(name, status, content);
  const { code } = content.envelope;
  if (code === successCode) {
    return status < 300 ? success(call, content.envelope) : oddSuccess(name, status);
  }
  return isRead
    ? refusedRead(name, status, content.envelope)
    : refusedWrite(call, answer, content.envelope, now);
}

function refusedRead(
  name: OperationName,
  status: number,
  { code, msg }: Envelope,
): Again | { readonly kind: 'failed'; readonly error: unknown } {
  const error = new RefusedError(name, { code, message: msg, status });
  switch (verdictOf(classOf(code))) {
    case 'refused':
      return { kind: 'failed', error };
    case 'not-executed':
      return { kind: 'again', reason: 'clock', because: `${code} ${msg}`, error };
    case 'unknown':
      return unavailable(name, saidWith(code, msg));
  }
}

/**
 * A rate limit and a refused timestamp count as not executed only if a write may be sent again;
 * else the lists must agree that it was not.
 */
function refusedWrite(
  { name, resend }: AnsweredCall<OperationName>,
  answer: Answer,
  envelope: Envelope,
  now: Millis,
): Again | { readonly kind: 'failed'; readonly error: unknown } {
  const { status } = answer;
  const { code, msg, requestTime } = envelope;
  const error = new RefusedError(name, { code, message: msg, status });
  const kind = classOfWrite(code, [requestTime ?? now, now]);
  const isLimit = kind === 'limit';
  const odd = status === 429 && !isLimit ? 'HTTP 429' : contradictionIn(answer, envelope);
  if (odd !== undefined) return unavailable(name, `${saidWith(code, msg)} (with ${odd})`);
  switch (verdictOf(kind)) {
    case 'refused':
      return { kind: 'failed', error };
    case 'not-executed': {
      if (!resend && operationOf(name).effect !== 'set') {
        const because = `${saidWith(code, msg)}, which does not prove that it was not executed`;
        return { kind: 'failed', error: new DoubtError(name, because, undefined, isLimit) };
      }
      if (isLimit) return overLimit(name, answer, now);
      return { kind: 'again', reason: 'clock', because: `${code} ${msg}`, error };
    }
    case 'unknown':
      return unavailable(name, saidWith(code, msg));
  }
}

/** The part of a response that a refusal of the exchange never has; undefined if there is none. */
function contradictionIn({ headers }: Answer, { data }: Envelope): string | undefined {
  const type = headers['content-type'];
  if (type !== undefined && !/[/+]json\b/i.test(type)) return `content type ${plainText(type, 60)}`;
  const isEmpty = data === null || data === '' || Object.keys(Object(data)).length === 0;
  return isEmpty ? undefined : 'data';
}

function saidWith(code: string, msg: string): string {
  return `the exchange answered ${code} ${msg || meaningOf(code)}`;
}

/** Classifies an attempt without a complete response. */
export function verdictOnLoss(
  name: OperationName,
  error: TransportError,
  signal: AbortSignal | undefined,
): { readonly kind: 'failed'; readonly error: unknown } | Again {
  const isRead = operationOf(name).effect === 'read';
  if (error.sent === 'no' && isLasting(error.cause)) return { kind: 'failed', error: error.cause };
  if (signal?.aborted) {
    if (isRead || error.sent === 'no') return { kind: 'failed', error: signal.reason };
    const because = 'it was interrupted before its response arrived';
    return { kind: 'failed', error: new DoubtError(name, because, error) };
  }
  if (error.sent === 'maybe') return unavailable(name, error.message, error);
  const because = `nothing could be sent: ${error.message}`;
  const unavailableError = new UnavailableError(name, because, error);
  return { kind: 'again', reason: 'fault', because, error: unavailableError };
}

/** Whether another attempt would fail in the same way. */
function isLasting(cause: unknown): boolean {
  return cause instanceof InternalError || (cause instanceof ProxyError && cause.isLasting);
}

type Uncertain = { readonly kind: 'failed'; readonly error: DoubtError } | Again;

/** A write is in doubt; a read or a set is retried and finally fails with `error`. */
function uncertain(name: OperationName, because: string, error: DeskhandError): Uncertain {
  const doubt = (): DoubtError => new DoubtError(name, because, error.cause);
  switch (operationOf(name).effect) {
    case 'read':
      return { kind: 'again', reason: 'fault', because, error };
    case 'set':
      return { kind: 'again', reason: 'fault', because, error: doubt() };
    case 'keyed':
    case 'once':
      return { kind: 'failed', error: doubt() };
  }
}

function unavailable(name: OperationName, because: string, cause?: unknown): Uncertain {
  return uncertain(name, because, new UnavailableError(name, because, cause));
}

function brokenContract(name: OperationName, because: string, cause?: unknown): Uncertain {
  const error = cause instanceof AnswerError ? cause : new AnswerError(name, because, cause);
  return uncertain(name, because, error);
}

function overLimit(name: OperationName, answer: Answer, now: Millis): Again {
  const retryAfterMs = retryAfterOf(answer, now);
  const asked =
    retryAfterMs === undefined ? '' : `: the exchange asks to wait ${spoken(retryAfterMs)}`;
  const because = `too many requests (HTTP ${answer.status})${asked}`;
  return {
    kind: 'again',
    reason: 'limit',
    because,
    error: new UnavailableError(name, because, undefined, true),
    ...(retryAfterMs !== undefined && { retryAfterMs }),
  };
}

/**
 * A page that asks to log in refuses a read; one of a content network turns some requests away and
 * lets the next pass. About a write a page proves nothing.
 */
function unreadable(
  name: OperationName,
  status: number,
  { because, cause }: { readonly because: string; readonly cause: unknown },
): Uncertain | { readonly kind: 'failed'; readonly error: RefusedError } {
  const said = `HTTP ${status}: ${because}`;
  const isRead = operationOf(name).effect === 'read';
  if ((status === 401 || status === 403) && isRead) {
    const error = new RefusedError(name, {
      code: String(status),
      message: 'and no envelope',
      status,
    });
    return status === 401 ? { kind: 'failed', error } : uncertain(name, said, error);
  }
  return brokenContract(name, said, cause);
}

function oddSuccess(name: OperationName, status: number): Uncertain {
  return brokenContract(name, `the success code with HTTP ${status}`);
}

const rawMax = 4_000; // characters, several times a valid response to a write

/**
 * A write that is answered with the success code is done, whatever else its response holds, unless
 * that names another write. A read needs its list.
 */
function success<N extends OperationName>(
  { name, input }: AnsweredCall<N>,
  { data, rounded }: Envelope,
): RetryVerdict<N> {
  const { key, effect } = operationOf(name);
  let read: ReadAnswer<N>;
  try {
    read = readAnswer(name, data, rounded);
  } catch (error) {
    return brokenContract(name, messageOf(error), error);
  }
  const { answer: output, deviations } = read;
  const asked = key && fieldOf(input, key);
  const named = key && fieldOf(output, key);
  if (asked !== undefined && typeof named === 'string' && named !== '' && named !== asked) {
    return brokenContract(name, `the response has another ${key}`);
  }
  if (deviations.length === 0) return { kind: 'done', output, odd: {} };
  const raw = effect === 'read' ? {} : { raw: plainText(JSON.stringify(data), rawMax) };
  return { kind: 'done', output, odd: { deviations, ...raw } };
}

function isRedirect(status: number): boolean {
  return status >= 300 && status < 400;
}

function wordsOf({ content }: Answer): string {
  if (content.kind !== 'envelope') return '';
  return `: ${content.envelope.code} ${content.envelope.msg}`;
}

function meaningOf(code: string): string {
  return errorTable.get(code)?.meaning ?? 'without a message';
}

/** A set that any attempt may have executed is in doubt, however the last attempt ended. */
export function lastWord(name: OperationName, past: readonly Again[], last: unknown): unknown {
  const doubt = past.map(({ error }) => error).find((error) => error instanceof DoubtError);
  if (doubt === undefined || last instanceof DoubtError) return last;
  const said = last instanceof UnavailableError ? last.because : messageOf(last);
  return new DoubtError(name, `${doubt.because}; a later attempt failed: “${said}”`, last);
}
