/** API keys: their accounts, their permissions, and the verification of their signatures. */
import { createPublicKey, verify } from 'node:crypto';
import { Secret } from '../../base/secret.ts';
import type { Permission } from '../../exchange/api/operation.ts';
import {
  equalInConstantTime,
  prehash,
  signatureOf,
  type SignedParts,
} from '../../exchange/api/signature.ts';

/** An API key as stored in the world; plain data, because keys of the sandbox protect nothing. */
export interface KeyRecord {
  readonly apiKey: string;
  readonly uid: string;
  readonly passphrase: string;
  /** The secret of an HMAC key. */
  readonly secretKey?: string;
  /** The public key (PEM) of an RSA key. */
  readonly publicKey?: string;
  readonly permissions: readonly Permission[];
  /** The symbols that a copy-trading leader's key may lead; absent for other keys. */
  readonly leads?: readonly string[];
  /** Addresses that may use the key; default: all. */
  readonly addresses?: readonly string[];
  readonly environment: 'live' | 'demo';
  /** The paths that the key serves if families are split; default: classic. */
  readonly family?: 'classic' | 'unified';
  readonly isFrozen?: boolean;
  /** Whether the key belongs to a sub-account. */
  readonly isSub?: boolean;
}

const indexes = new WeakMap<readonly KeyRecord[], ReadonlyMap<string, KeyRecord>>();

/** A key by name; a list of keys is indexed once. */
export function keyNamed(keys: readonly KeyRecord[], apiKey: string): KeyRecord | undefined {
  let index = indexes.get(keys);
  if (index === undefined) {
    index = new Map(keys.map((key) => [key.apiKey, key]));
    indexes.set(keys, index);
  }
  return index.get(apiKey);
}

/** Whether a text is the public half of an RSA key, in PEM. */
export function isPublicKey(pem: string): boolean {
  if (pem.includes('PRIVATE KEY')) return false; // it is stored and displayed
  try {
    return createPublicKey(pem).asymmetricKeyType === 'rsa';
  } catch {
    return false; // it is not a valid key
  }
}

/** Whether a signature of these parts was made with the key. */
export function isSignedBy(key: KeyRecord, parts: SignedParts, signature: string): boolean {
  if (key.publicKey !== undefined) {
    return verify('sha256', prehash(parts), key.publicKey, Buffer.from(signature, 'base64'));
  }
  return equalInConstantTime(signature, signatureOf(parts, secretOf(key)));
}

const secrets = new WeakMap<KeyRecord, Secret>();

function secretOf(key: KeyRecord): Secret {
  let secret = secrets.get(key);
  if (secret === undefined) {
    secret = new Secret(key.secretKey ?? '');
    secrets.set(key, secret);
  }
  return secret;
}
