/** API keys: whose they are, what they may do, and how their signatures are checked. */
import { createPublicKey, verify } from 'node:crypto';
import { Secret } from '../../base/secret.ts';
import type { Permission } from '../../api/operation.ts';
import {
  equalInConstantTime,
  prehash,
  signatureOf,
  type SignedParts,
} from '../../api/signature.ts';

/** A key as the world keeps it; plain data, because keys of the sandbox guard nothing. */
export interface KeyRecord {
  readonly apiKey: string;
  readonly uid: string;
  readonly passphrase: string;
  /** The secret of an HMAC key. */
  readonly secretKey?: string;
  /** The public key (PEM) of an RSA key. */
  readonly publicKey?: string;
  readonly permissions: readonly Permission[];
  /** Present on the key of a copy-trading leader: the symbols it may lead. */
  readonly leads?: readonly string[];
  /** Addresses it may come from; any when absent. */
  readonly addresses?: readonly string[];
  readonly environment: 'live' | 'demo';
  /** Which paths it serves where families are kept apart; classic when absent. */
  readonly family?: 'classic' | 'unified';
  readonly isFrozen?: boolean;
  /** Belongs to a sub-account. */
  readonly isSub?: boolean;
}

const indexes = new WeakMap<readonly KeyRecord[], ReadonlyMap<string, KeyRecord>>();

/** The key of a name; a list of keys is put in order once. */
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
  if (pem.includes('PRIVATE KEY')) return false; // it would be kept, and shown
  try {
    return createPublicKey(pem).asymmetricKeyType === 'rsa';
  } catch {
    return false; // whatever it is, it is not a key
  }
}

/** Whether a signature is the key's own over these parts. */
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
