/** Responses of gateways before the exchange: rarely, chosen by seed and moment, and no envelope of the interface. */
import type { Millis } from '../../base/clock.ts';
import { noise } from '../world/noise.ts';
import { RawResponse, type RawRequest } from './request.ts';

/**
 * Faults between exchange and client. The exchange executes a request before its response is
 * emptied or compressed; requests with the other faults never reach it.
 */
export const envelopeFaults = ['empty-200', 'packed', 'legacy', 'page-403', 'page-429'] as const;
export type EnvelopeFault = (typeof envelopeFaults)[number];

/**
 * The fault of a request, if any.
 * @param at time of the machine, which also moves in a frozen world: a repeated request has another
 * one
 */
export function envelopeFaultOf(
  { method, target, body }: Pick<RawRequest, 'method' | 'target' | 'body'>,
  { seed, at }: { readonly seed: number; readonly at: Millis },
): EnvelopeFault | undefined {
  // The clientOid is left out: another run makes other ids, and must meet the same responses.
  const text = Buffer.from(body)
    .toString()
    .replace(/"clientOid":"[^"]*"/, '');
  const chance = noise(seed, `${method} ${target} ${at} ${text}`);
  if (chance.uniform(0) >= rate) return undefined;
  return envelopeFaults[chance.integer(1, envelopeFaults.length)];
}

const rate = 1 / 40; // five attempts of a read fail once in 10^8

/**
 * The response to a request that never reaches the exchange; undefined for a request that does.
 */
export function turnedAway(fault: EnvelopeFault): RawResponse | undefined {
  switch (fault) {
    case 'empty-200':
    case 'packed':
      return undefined;
    case 'legacy': {
      const text = '{"status":"error","err_code":"gateway-busy","err_msg":"try again later"}';
      return new RawResponse(200, { 'content-type': 'application/json' }, text);
    }
    case 'page-403':
      return pageOf(403, 'Forbidden');
    case 'page-429':
      return pageOf(429, 'Too Many Requests');
  }
}

function pageOf(status: number, words: string): RawResponse {
  const text = `<html><head><title>${status} ${words}</title></head><body>${words}</body></html>`;
  return new RawResponse(status, { 'content-type': 'text/html' }, text);
}

/** A successful response without its content; a refusal keeps its content. */
export function emptied(response: RawResponse): RawResponse {
  return response.status === 200 ? new RawResponse(200, response.headers, '') : response;
}
