/** Public keys of passkeys, and the signatures they verify. */
import { createPublicKey, verify, type KeyObject } from 'node:crypto';
import { messageOf } from '../../../base/error.ts';
import { bytesIn } from './assertion.ts';

/** Algorithms of COSE that authenticators use: -7, -8 and -257. */
export const algorithms = ['ES256', 'EdDSA', 'RS256'] as const;
export type Algorithm = (typeof algorithms)[number];

const bytesMax = 2_048; // an RSA key of 8192 bits has 1062
const rsaBitsMin = 2_048;
const p256Bytes = 91; // with both coordinates; a compressed point would be another text of the key

/**
 * Reads a public key: SPKI in DER, base64url, in exactly one encoding.
 * @returns the key, or why it is refused
 */
export function publicKeyIn(text: string, algorithm: Algorithm): KeyObject | string {
  const der = bytesIn(text, bytesMax);
  if (der === undefined) return 'is not base64url without padding';
  let key: KeyObject;
  try {
    key = createPublicKey({ key: der, format: 'der', type: 'spki' });
  } catch (error) {
    return `is not a public key in SPKI form: ${messageOf(error)}`;
  }
  if (!key.export({ format: 'der', type: 'spki' }).equals(der)) return 'is not canonical DER';
  return fits[algorithm](key, der.length) ? key : `is not a key for ${algorithm}`;
}

const fits: Readonly<Record<Algorithm, (key: KeyObject, bytes: number) => boolean>> = {
  ES256: ({ asymmetricKeyType, asymmetricKeyDetails }, bytes) =>
    asymmetricKeyType === 'ec' &&
    asymmetricKeyDetails?.namedCurve === 'prime256v1' &&
    bytes === p256Bytes,
  EdDSA: ({ asymmetricKeyType }) => asymmetricKeyType === 'ed25519',
  RS256: ({ asymmetricKeyType, asymmetricKeyDetails }) =>
    asymmetricKeyType === 'rsa' && (asymmetricKeyDetails?.modulusLength ?? 0) >= rsaBitsMin,
};

/** Whether a signature is of these bytes; a malformed one is not. */
export function isSignedBy(
  key: KeyObject,
  algorithm: Algorithm,
  { data, signature }: { readonly data: Buffer; readonly signature: Buffer },
): boolean {
  try {
    return verify(algorithm === 'EdDSA' ? null : 'sha256', data, key, signature);
  } catch {
    return false; // OpenSSL refuses to parse it
  }
}
