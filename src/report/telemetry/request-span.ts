/** A request as a span, after the HTTP conventions of OpenTelemetry, with the waits before it as events. */
import type { Millis } from '../../base/clock.ts';
import { plainText } from '../../base/text.ts';
import { successCode } from '../../exchange/api/errors.ts';
import { operationOf, type OperationName } from '../../exchange/api/operations/index.ts';
import type { Entry } from '../../engine/journal/entry.ts';
import { spanIdOf, type Span, type SpanEvent } from './span.ts';

type EntryOf<K extends Entry['kind']> = Extract<Entry, { readonly kind: K }>;
export type Wait = EntryOf<'waited'>;

interface RequestParent extends Pick<Span, 'traceId'> {
  readonly parentSpanId: string;
  readonly started: EntryOf<'started'>;
}

export interface Request {
  readonly address: string;
  readonly operation: OperationName;
  readonly attempt: number;
  /** Number of the entry that the span is made from: it makes the id of the span unique. */
  readonly seq: number;
  readonly at: Millis;
  readonly to: Millis;
  /** The response; absent for a request without one. */
  readonly answer?: EntryOf<'answered'>;
}

export function requestSpan(
  { address, operation, attempt, seq, at, to, answer }: Request,
  waits: readonly Wait[],
  { traceId, parentSpanId, started }: RequestParent,
): Span {
  const { method, path } = operationOf(operation);
  const problem = problemOf(answer);
  return {
    traceId,
    spanId: spanIdOf(`${started.run} request ${seq}`),
    parentSpanId,
    name: `${method} ${path}`,
    kind: 'client',
    from: answer ? answer.at - answer.ms : at,
    to: Math.max(at, to),
    attributes: {
      'http.request.method': method,
      'url.template': path,
      'server.address': plainText(started.destination.host, 100),
      ...(attempt > 1 && { 'http.request.resend_count': attempt - 1 }),
      ...(answer && { 'http.response.status_code': answer.status }),
      ...(problem !== undefined && { 'error.type': problem }),
      'deskhand.operation': operation,
      'deskhand.address': plainText(address, 120),
      ...(answer?.count !== undefined && { 'deskhand.responses': answer.count }),
    },
    events: waits.map(waitEvent),
    ...(problem !== undefined && { error: errorText(problem) }),
  };
}

/** The error of a response: the code of the exchange, the HTTP status without one, or `no_response`. */
function problemOf(answer: EntryOf<'answered'> | undefined): string | undefined {
  if (answer === undefined) return noResponse;
  const { status, code } = answer;
  if (code !== '' && code !== successCode) return plainText(code, 40);
  return status >= 400 || code === '' ? String(status) : undefined;
}

const noResponse = 'no_response';

function errorText(problem: string): string {
  return problem === noResponse
    ? 'no response was recorded'
    : `the exchange responded with ${problem}`;
}

const waitNames = {
  limit: 'rate limit wait',
  retry: 'retry wait',
  poll: 'poll wait',
  'look-up': 'look-up wait',
} as const;

export function waitEvent({ why, at, ms, because }: Wait): SpanEvent {
  return {
    name: waitNames[why],
    at,
    attributes: {
      'deskhand.wait_ms': ms,
      ...(because !== undefined && { 'deskhand.because': plainText(because, 200) }),
    },
  };
}
