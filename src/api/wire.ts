/** Inputs as wire texts and responses as data: encoded once, then signed and sent unchanged. */
import type { Millis } from '../base/clock.ts';
import { decodeUtf8, isRecord, parseJson, type Json } from '../base/json.ts';
import type { WireRequest, WireResponse } from './exchange.ts';
import { operationOf, type OperationName } from './operations/index.ts';
import { learnRows, unrolled, withRows } from './uniform.ts';

/** The envelope of every response. */
export interface Envelope {
  readonly code: string;
  readonly msg: string;
  /** Unix milliseconds of the exchange's clock. */
  readonly requestTime: number;
  readonly data: Json;
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
 * Parses the envelope of an operation's response.
 * @throws JsonError when it is not an envelope in strict JSON
 */
export function decode(name: OperationName, response: WireResponse): Envelope {
  const text = decodeUtf8(response.body);
  const uniform = unrolled(name, text, response.body);
  const value = parseJson(uniform?.frame ?? text);
  if (!isEnvelope(value)) throw new NotAnEnvelopeError();
  const { code, msg, requestTime, data } = value;
  if (uniform === undefined) {
    learnRows(name, data);
    return value;
  }
  return { code, msg, requestTime, data: withRows(name, data, uniform.rows) };
}

/** JSON, but not the envelope of every response of this exchange. */
export class NotAnEnvelopeError extends Error {
  override readonly name = 'NotAnEnvelopeError';
  override readonly message = 'the response is not an envelope of code, msg, requestTime and data';
}

function isEnvelope(value: unknown): value is Envelope {
  return (
    isRecord(value) &&
    typeof value['code'] === 'string' &&
    typeof value['msg'] === 'string' &&
    isMoment(value['requestTime']) &&
    'data' in value
  );
}

function isMoment(value: unknown): value is Millis {
  return typeof value === 'number' && Number.isSafeInteger(value) && value > 0;
}
