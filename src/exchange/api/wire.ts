/** Inputs as wire texts and responses as data: encoded once, then signed and sent unchanged. */
import type { Millis } from '../../base/clock.ts';
import {
  decodeUtf8,
  fieldOf,
  isJsonRecord,
  parseExact,
  type ExactJson,
  type Json,
} from '../../base/json.ts';
import { successCode } from './errors.ts';
import type { WireRequest, WireResponse } from './exchange.ts';
import { operationOf, type OperationName } from './operations/index.ts';

/** The envelope of every response. */
export interface Envelope {
  readonly code: string;
  readonly msg: string;
  /** Unix milliseconds of the exchange's clock; only a success may come without it. */
  readonly requestTime?: Millis;
  /** A number that JavaScript would show with other digits is a text. */
  readonly data: Json;
  /** The data with rounded numbers. */
  readonly rounded: Json;
}

/** Encodes an input: the query of a GET in key order, the JSON body of a POST. */
export function encode(name: OperationName, input: object): Omit<WireRequest, 'headers'> {
  const { method, path } = operationOf(name);
  const given = Object.entries(input).filter(([, value]) => value !== undefined);
  if (method === 'POST') {
    const body = JSON.stringify(Object.fromEntries(given));
    return { operation: name, method, path, query: '', body };
  }
  const query = given
    .map(([key, value]) => `${encodeURIComponent(key)}=${encodeURIComponent(String(value))}`)
    .sort()
    .join('&');
  return { operation: name, method, path, query, body: '' };
}

/** The query for the signature: percent-decoded, in the order sent (facts A1). */
export function signedQuery(query: string): string {
  return decodeURIComponent(query.replaceAll('+', '%20'));
}

/**
 * Parses the envelope of a response.
 * @throws JsonError when it is not an envelope in strict JSON
 */
export function decode({ body }: WireResponse): Envelope {
  const envelope = envelopeIn(parseExact(decodeUtf8(body), timesIn));
  if (envelope === undefined) throw new NotAnEnvelopeError();
  return envelope;
}

/** The number of times in a response: nearly all responses have no other number than their time. */
function timesIn(value: Json): number {
  return isMoment(fieldOf(value, 'requestTime')) ? 1 : 0;
}

/** JSON, but not the envelope of every response of this exchange. */
export class NotAnEnvelopeError extends Error {
  override readonly name = 'NotAnEnvelopeError';
  override readonly message = 'the response is not an envelope of code, msg, requestTime and data';
}

/** Reads an envelope. A success needs only its code: however odd its other fields are, it was executed. */
function envelopeIn({ value, rounded: whole }: ExactJson): Envelope | undefined {
  if (!isJsonRecord(value) || !isJsonRecord(whole)) return undefined;
  const { code, msg, requestTime, data } = value;
  const rounded = whole['data'] ?? null;
  if (code === successCode) {
    const time = typeof requestTime === 'string' ? Number(requestTime) : requestTime;
    return {
      code,
      msg: typeof msg === 'string' ? msg : '',
      ...(isMoment(time) && { requestTime: time }),
      data: data ?? null,
      rounded,
    };
  }
  if (typeof code !== 'string' || typeof msg !== 'string') return undefined;
  if (!isMoment(requestTime) || data === undefined) return undefined;
  return { code, msg, requestTime, data, rounded };
}

function isMoment(value: unknown): value is Millis {
  return typeof value === 'number' && Number.isSafeInteger(value) && value > 0;
}
