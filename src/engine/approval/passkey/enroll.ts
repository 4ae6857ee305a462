/** The entry of a new passkey, from what a browser returns from `navigator.credentials.create`. */
import { createHash } from 'node:crypto';
import { ConfigError, messageOf } from '../../../base/error.ts';
import { isRecord } from '../../../base/json.ts';
import { bytesIn } from './assertion.ts';
import { passkeysIn, type PasskeyEntry } from './keys.ts';
import type { Algorithm } from './public-key.ts';
import { authenticatorIn } from './signature.ts';

/** The values of a registration in base64url, as the browser returns them. @see WebAuthn Level 3, 5.2.1 */
export interface Registration {
  readonly who: string;
  readonly id: string;
  readonly rpId: string;
  readonly alg: Algorithm;
  /** The public key: SPKI in DER. */
  readonly publicKey: string;
  readonly authenticatorData: string;
  readonly clientDataJSON: string;
}

const bytesMax = 8_192; // an attestation with a certificate has about 2,000

/**
 * The line for `passkeys.json`. A person adds it in a reviewed commit; nothing is stored here.
 * @param at `2026-01-02T03:04:05Z`
 * @throws ConfigError for a registration that no approval could use
 */
export function enrolledEntry(registration: Registration, at: string): PasskeyEntry {
  const { who, id, rpId, alg, publicKey } = registration;
  const data = bytesIn(registration.authenticatorData, bytesMax);
  const authenticator = data && authenticatorIn(data);
  const origin = originIn(registration.clientDataJSON);
  if (authenticator === undefined || origin === undefined) {
    throw refused('the browser returned a malformed registration');
  }
  if (!authenticator.rpIdHash.equals(createHash('sha256').update(rpId).digest())) {
    throw refused(`the passkey is for another relying party than ${rpId}`);
  }
  if (!authenticator.isVerified) {
    throw refused('the authenticator did not verify the person (PIN or biometrics)');
  }
  const { counter } = authenticator;
  const entry: PasskeyEntry = {
    who,
    id,
    publicKey,
    alg,
    rpId,
    origins: [origin],
    ...(counter > 0 && { counter }),
    addedAt: at,
  };
  try {
    passkeysIn([entry]);
  } catch (error) {
    throw refused(messageOf(error));
  }
  return entry;
}

/** The origin that the browser states; undefined for anything but a registration. */
function originIn(text: string): string | undefined {
  try {
    const bytes = bytesIn(text, bytesMax);
    const client: unknown = JSON.parse(bytes?.toString('utf8') ?? '');
    if (!isRecord(client) || client['type'] !== 'webauthn.create') return undefined;
    const { origin } = client;
    return typeof origin === 'string' ? origin : undefined;
  } catch {
    return undefined; // the caller says so
  }
}

function refused(why: string): ConfigError {
  return new ConfigError(`this passkey cannot approve: ${why}`, 'use another authenticator');
}
