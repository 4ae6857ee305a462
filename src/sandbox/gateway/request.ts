/** Requests and responses as bytes. */
import type { Millis } from '../../base/clock.ts';
import type { WireResponse } from '../../exchange/api/exchange.ts';
import { successCode } from '../../exchange/api/errors.ts';
import type { Refusal } from '../refusal.ts';

/**
 * The value of a header. A duplicate header is one text or, for a few that we never read, a list.
 */
export type Header = string | readonly string[] | undefined;

export interface RawRequest {
  readonly method: string;
  /** The path and query of the request, exactly as sent. */
  readonly target: string;
  /** The headers by name in lower case. */
  readonly headers: Readonly<Record<string, Header>>;
  readonly body: Uint8Array;
  /** The address of the sender, for limits and key allowlists. */
  readonly ip: string;
}

/** A response; its bytes are only created for a caller that does not send the text itself. */
export class RawResponse implements WireResponse {
  readonly status: number;
  readonly headers: WireResponse['headers'];
  readonly text: string;

  constructor(status: number, headers: WireResponse['headers'], text: string) {
    this.status = status;
    this.headers = headers;
    this.text = text;
  }

  get body(): Buffer {
    return Buffer.from(this.text, 'utf8');
  }
}

/** The value of a header that was sent once. */
export function textOf(header: Header): string | undefined {
  return typeof header === 'string' ? header : undefined;
}

/** The content type of a request's body. */
export function mediaTypeOf({ headers }: RawRequest): string | undefined {
  const type = textOf(headers['content-type']);
  return type === jsonMedia ? type : type?.split(';')[0]?.trim().toLowerCase();
}

/**
 * The response of a successful request.
 * @param remaining how many more requests the limit allows
 */
export function answered(data: unknown, requestTime: Millis, remaining?: number): RawResponse {
  return answeredAs(JSON.stringify(data ?? null), requestTime, remaining);
}

/** The response of a successful request with data that is JSON text; '' omits the data. */
export function answeredAs(data: string, requestTime: Millis, remaining?: number): RawResponse {
  const field = data === '' ? '' : `,"data":${data}`;
  const text = `{"code":"${successCode}","msg":"success","requestTime":${requestTime}${field}}`;
  return new RawResponse(200, headersFor(remaining), text);
}

/** The response to a refused request. */
export function refused(refusal: Refusal, requestTime: Millis, remaining?: number): RawResponse {
  const { code, message, status } = refusal;
  const text = JSON.stringify({ code, msg: message, requestTime, data: null });
  return new RawResponse(status, headersFor(remaining), text);
}

const jsonMedia = 'application/json';
const jsonType = 'application/json;charset=UTF-8';

function headersFor(remaining: number | undefined): WireResponse['headers'] {
  return remaining === undefined
    ? { 'content-type': jsonType }
    : { 'content-type': jsonType, 'x-mbx-used-remain-limit': String(remaining) };
}
