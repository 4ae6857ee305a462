/** A request as bytes brought it, and the answer as bytes take it away. */
import type { Millis } from '../../base/clock.ts';
import type { WireResponse } from '../../contract/exchange.ts';
import { successCode } from '../../contract/errors.ts';
import type { Refusal } from '../refusal.ts';

export interface RawRequest {
  readonly method: string;
  /** Path and query exactly as sent. */
  readonly target: string;
  /** Names in lower case; what came twice is one text or, of a few headers we never read, a list. */
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly body: Uint8Array;
  /** Address of the sender, for limits by IP and key address lists. */
  readonly ip: string;
}

export type RawResponse = WireResponse;

/** The text of a header that was sent. */
export function headerOf({ headers }: RawRequest, name: string): string | undefined {
  const value = headers[name];
  return typeof value === 'string' ? value : undefined;
}

/** What kind of body a request says it has. */
export function mediaTypeOf(request: RawRequest): string | undefined {
  return headerOf(request, 'content-type')?.split(';')[0]?.trim().toLowerCase();
}

/** The answer of a request that went well. @param remaining how many more fit into its limit */
export function answered(data: unknown, requestTime: Millis, remaining?: number): RawResponse {
  return envelope({ code: successCode, msg: 'success', requestTime, data }, { remaining });
}

/** The answer of a request that was refused. */
export function refused(refusal: Refusal, requestTime: Millis, remaining?: number): RawResponse {
  const { code, message, status } = refusal;
  return envelope({ code, msg: message, requestTime, data: null }, { status, remaining });
}

const jsonType = 'application/json;charset=UTF-8';

function envelope(
  value: unknown,
  { status = 200, remaining }: { status?: number; remaining: number | undefined },
): RawResponse {
  const headers: RawResponse['headers'] =
    remaining === undefined
      ? { 'content-type': jsonType }
      : { 'content-type': jsonType, 'x-mbx-used-remain-limit': String(remaining) };
  return { status, headers, body: Buffer.from(JSON.stringify(value), 'utf8') };
}
