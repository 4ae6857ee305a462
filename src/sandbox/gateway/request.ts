/** A request as bytes brought it, and the answer as bytes take it away. */
import type { Millis } from '../../base/clock.ts';
import type { WireResponse } from '../../contract/exchange.ts';
import { successCode } from '../../contract/errors.ts';
import type { Refusal } from '../refusal.ts';

export interface RawRequest {
  readonly method: string;
  /** Path and query exactly as sent. */
  readonly target: string;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly body: Uint8Array;
  /** Address of the sender, for limits by IP and key address lists. */
  readonly ip: string;
}

export type RawResponse = WireResponse;

/** The answer of a request that went well. */
export function answered(data: unknown, requestTime: Millis): RawResponse {
  return envelope(200, { code: successCode, msg: 'success', requestTime, data });
}

/** The answer of a request that was refused. */
export function refused(refusal: Refusal, requestTime: Millis): RawResponse {
  const { code, message, status } = refusal;
  return envelope(status, { code, msg: message, requestTime, data: null });
}

function envelope(status: number, value: unknown): RawResponse {
  return {
    status,
    headers: { 'content-type': 'application/json;charset=UTF-8' },
    body: Buffer.from(JSON.stringify(value), 'utf8'),
  };
}
