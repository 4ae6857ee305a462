/** The signature of a request: made by the client, checked by the sandbox, from one text. */
import { createHash, createHmac, createPrivateKey, sign, timingSafeEqual } from 'node:crypto';
import type { Secret } from '../base/secret.ts';

export interface SignedParts {
  /** Unix milliseconds as they stand in ACCESS-TIMESTAMP. */
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
  const key = secret.reveal();
  if (key.includes('PRIVATE KEY')) {
    return sign('sha256', prehash(parts), createPrivateKey(key)).toString('base64');
  }
  return createHmac('sha256', key).update(prehash(parts)).digest('base64');
}

/** What is signed: timestamp, method, path, query with its question mark, body. */
export function prehash({ timestamp, method, path, query, body }: SignedParts): Buffer {
  const head = `${timestamp}${method}${path}${query === '' ? '' : `?${query}`}`;
  return Buffer.concat([Buffer.from(head, 'utf8'), Buffer.from(body)]);
}

/** Compares in a time that tells nothing about where two texts differ. */
export function equalInConstantTime(a: string, b: string): boolean {
  const digest = (value: string): Buffer => createHash('sha256').update(value).digest();
  return timingSafeEqual(digest(a), digest(b));
}
