/** The effect of a rule on a request: executed or not, answered or not. */
import { minute, type Millis } from '../../base/clock.ts';
import { Refusal } from '../refusal.ts';
import { RawResponse, refused } from '../gateway/request.ts';
import type { Delivery } from './delivery.ts';
import type { FaultRule } from './rules.ts';

export interface Struck {
  /** Executes the request and returns its response. */
  readonly execute: () => RawResponse;
  /** Delays the request's write and loses its response. */
  readonly postpone: (ms: Millis) => void;
  readonly now: () => Millis;
}

/** Delivery of a request that a rule applies to. */
export function deliverStruck({ when, action }: FaultRule, request: Struck): Delivery {
  if (action.kind === 'delay' && when === 'before') {
    return { kind: 'wait', ms: action.ms, next: () => whole(request.execute()) };
  }
  if (action.kind === 'late-commit') {
    request.postpone(action.ms);
    return { kind: 'reset' };
  }
  const isExecuted = when === 'after-commit' || action.kind === 'stale-reads';
  const response = isExecuted ? request.execute() : undefined;
  return damaged(action, response ?? nothing(request.now()), request.now());
}

function damaged(action: FaultRule['action'], response: RawResponse, now: number): Delivery {
  switch (action.kind) {
    case 'status':
      return whole(statusOf(action, now));
    case 'delay':
      return { kind: 'wait', ms: action.ms, next: () => whole(response) };
    case 'reset':
    case 'empty':
      return { kind: action.kind };
    case 'never':
      return { kind: 'silence', ms: action.ms ?? minute };
    case 'truncated':
      return { kind: 'half', response };
    case 'slow-drip':
      return { kind: 'drip', response, everyMs: action.everyMs };
    case 'wrong-content-type':
      return whole(
        new RawResponse(
          response.status,
          { ...response.headers, 'content-type': 'text/html' },
          response.text,
        ),
      );
    case 'html-502':
      return whole(badGateway);
    case 'late-commit':
    case 'stale-reads':
      return whole(response);
  }
}

function statusOf(
  { status, code, retryAfter }: Extract<FaultRule['action'], { readonly kind: 'status' }>,
  now: number,
): RawResponse {
  const { headers, text } = refused(new Refusal(code, undefined, status), now);
  const asked = retryAfter === undefined ? {} : { 'retry-after': String(retryAfter) };
  return new RawResponse(status, { ...headers, ...asked }, text);
}

function whole(response: RawResponse): Delivery {
  return { kind: 'whole', response };
}

/** The response to a request that was not executed. */
function nothing(now: number): RawResponse {
  return refused(new Refusal('40015'), now);
}

const badGateway = new RawResponse(
  502,
  { 'content-type': 'text/html' },
  '<html><body><h1>502 Bad Gateway</h1></body></html>',
);
