/** Authentication: headers, key, clock, passphrase and signature, in the exchange's order. */
import type { Millis } from '../../base/clock.ts';
import { familyOf } from '../../exchange/api/family.ts';
import { validity } from '../../exchange/api/promises.ts';
import { equalInConstantTime } from '../../exchange/api/signature.ts';
import { signedQuery } from '../../exchange/api/wire.ts';
import { Refusal } from '../refusal.ts';
import type { Quirks } from '../world/world-settings.ts';
import { isSignedBy, type KeyRecord } from './api-keys.ts';
import type { Header, RawRequest } from './request.ts';
import type { Route } from './route.ts';

export interface Clocks {
  /** The machine's wall time. */
  readonly wall: Millis;
  /** The exchange's time, which tests may change. */
  readonly business: Millis;
  /** Speed of the exchange's time relative to the machine's clock; default 1. */
  readonly speed?: number;
}

/** The keys, clocks and quirks that a request is checked against. */
export interface Authority {
  readonly keyOf: (apiKey: string) => KeyRecord | undefined;
  readonly clocks: Clocks;
  readonly config: { readonly quirks: Quirks };
}

/**
 * Checks the signature of a request and returns its key. @throws Refusal for the first failed check
 */
export function authenticate(
  request: RawRequest,
  route: Route,
  { keyOf, clocks, config: { quirks } }: Authority,
): KeyRecord {
  const { headers } = request;
  const apiKey = needed(headers['access-key'], '40001');
  const signature = needed(headers['access-sign'], '40002');
  const timestamp = needed(headers['access-timestamp'], '40005');
  const passphrase = needed(headers['access-passphrase'], '40011');
  if (!/^\d{1,16}$/.test(timestamp)) throw new Refusal('40005');
  if (!/^[\x21-\x7e]{1,128}$/.test(apiKey)) throw new Refusal('40006');
  const key = keyOf(apiKey);
  if (key === undefined) throw new Refusal('40037');
  if (!isNear(Number(timestamp), route, clocks)) throw new Refusal('40008');
  if (!equalInConstantTime(passphrase, key.passphrase)) throw new Refusal('40012');
  if (quirks.splitFamilies) checkFamily(route, key);
  if (!isSigned(request, route, { key, signature, timestamp, quirks })) throw new Refusal('40009');
  checkStanding(request, key);
  return key;
}

function needed(header: Header, code: string): string {
  if (typeof header !== 'string' || header === '') throw new Refusal(code);
  return header;
}

/**
 * Whether a request's timestamp is near the time. A rehearsal in another time is signed by either
 * clock, so either is accepted. Where time is accelerated, a read may take as long by the machine's
 * clock as anywhere. A write may not: a client that waits for a lost order counts the 30 seconds on
 * the exchange's clock.
 */
function isNear(
  timestamp: Millis,
  { operation }: Route,
  { wall, business, speed = 1 }: Clocks,
): boolean {
  const reach = operation.effect === 'read' ? validity * Math.max(1, speed) : validity;
  return Math.abs(wall - timestamp) <= validity || Math.abs(business - timestamp) <= reach;
}

/**
 * Whether a request has a valid signature. Public clients differ: some sign the query as sent, some
 * its decoded form; both are accepted. The exchange's own Node client signs no body where it sends
 * `{}`: what the service does with that is not documented, and a signature that does not cover the
 * sent body proves nothing about it, so that needs the quirk.
 */
function isSigned(
  request: RawRequest,
  { path, query }: Route,
  { key, signature, timestamp, quirks }: Proof,
): boolean {
  const { method, body } = request;
  const isSignedAs = (text: string, bytes: Uint8Array): boolean =>
    isSignedBy(key, { timestamp, method, path, query: text, body: bytes }, signature);
  if (isSignedAs(query, body)) return true;
  if (quirks.unsignedEmptyBody && isEmptyObject(body) && isSignedAs(query, nothing)) return true;
  const decoded = decodedOrSame(query);
  return decoded !== query && isSignedAs(decoded, body);
}

interface Proof {
  readonly quirks: Quirks;
  readonly key: KeyRecord;
  readonly signature: string;
  readonly timestamp: string;
}

const nothing = new Uint8Array();

function isEmptyObject(body: Uint8Array): boolean {
  return body.length === 2 && body[0] === 0x7b && body[1] === 0x7d;
}

function decodedOrSame(query: string): string {
  try {
    return signedQuery(query);
  } catch (error) {
    if (error instanceof URIError) return query; // invalid escapes: only the raw form can match
    throw error;
  }
}

/**
 * Checks the family of the account before the signature: the real exchange refuses a wrong family
 * in any case.
 */
function checkFamily({ operation }: Route, { family = 'classic' }: KeyRecord): void {
  const served = familyOf(operation);
  if (served !== undefined && served !== family) {
    throw new Refusal(served === 'unified' ? '40084' : '40085');
  }
}

function checkStanding(request: RawRequest, key: KeyRecord): void {
  const environment = request.headers['paptrading'] === '1' ? 'demo' : 'live';
  if (environment !== key.environment) throw new Refusal('40099');
  const { addresses } = key;
  if (addresses !== undefined && !addresses.includes(request.ip)) throw new Refusal('40018');
  if (key.isFrozen) throw new Refusal('40024');
}
