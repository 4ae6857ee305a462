/** The signature of a request: created by the client and verified by the sandbox, from one text. */
import {
  createHmac,
  createPrivateKey,
  createSecretKey,
  sign,
  timingSafeEqual,
  type KeyObject,
} from 'node:crypto';
import type { Secret } from '../../base/secret.ts';

export interface SignedParts {
  /** The time of signing in Unix milliseconds, as in ACCESS-TIMESTAMP. */
  readonly timestamp: string;
  readonly method: string;
  readonly path: string;
  /** The query as on the wire or decoded, without its question mark; '' for none. */
  readonly query: string;
  readonly body: string | Uint8Array;
}

/**
 * The signature in base64: HMAC-SHA256 with the secret, or RSA PKCS #1 v1.5 over SHA-256 when the
 * secret is a PEM private key.
 */
export function signatureOf(parts: SignedParts, secret: Secret): string {
  const key = keyOf(secret);
  if (key.type === 'private') return sign('sha256', prehash(parts), key).toString('base64');
  return createHmac('sha256', key).update(headOf(parts)).update(parts.body).digest('base64');
}

/** Secrets in the form the library needs, created once each. */
const keys = new WeakMap<Secret, KeyObject>();

function keyOf(secret: Secret): KeyObject {
  let key = keys.get(secret);
  if (key === undefined) {
    const text = secret.reveal();
    key = text.includes('PRIVATE KEY') ? createPrivateKey(text) : createSecretKey(text, 'utf8');
    keys.set(secret, key);
  }
  return key;
}

/** The signed bytes: timestamp, method, path, query with its question mark, body. */
export function prehash(parts: SignedParts): Buffer {
  return Buffer.concat([Buffer.from(headOf(parts), 'utf8'), Buffer.from(parts.body)]);
}

function headOf({ timestamp, method, path, query }: SignedParts): string {
  return `${timestamp}${method}${path}${query === '' ? '' : `?${query}`}`;
}

/** Compares two texts in a time that does not depend on where texts of one length differ. */
export function equalInConstantTime(a: string, b: string): boolean {
  if (a.length !== b.length) return false;
  const { left, right } = roomFor(a.length);
  left.write(a, 'utf16le'); // a fixed encoding of each character: no two texts have the same bytes
  right.write(b, 'utf16le');
  return timingSafeEqual(left, right);
}

/** Buffers for comparing two texts of one length. */
interface Room {
  readonly left: Buffer;
  readonly right: Buffer;
}

const longestKept = 128;
const rooms: Room[] = [];

/** Allocated once per length of passphrases and signatures; a longer text gets its own. */
function roomFor(length: number): Room {
  if (length > longestKept) return newRoom(length);
  return (rooms[length] ??= newRoom(length));
}

function newRoom(length: number): Room {
  return { left: Buffer.alloc(2 * length), right: Buffer.alloc(2 * length) };
}
