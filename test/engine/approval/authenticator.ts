/** An authenticator of an invented person in software: what a browser would return for a challenge. */
import { createHash, generateKeyPairSync, sign, type KeyObject } from 'node:crypto';
import type { Algorithm } from '../../../src/engine/approval/passkey/public-key.ts';
import { assertionOf, type Assertion } from '../../../src/engine/approval/passkey/assertion.ts';
import { challengeOf } from '../../../src/engine/approval/passkey/signature.ts';
import type { PasskeyEntry } from '../../../src/engine/approval/passkey/keys.ts';

export const origin = 'http://localhost:8787';

export interface Authenticator {
  /** Its line of passkeys.json. */
  readonly entry: PasskeyEntry;
  /** Signs a text; the changes make it another answer, signed as well. */
  sign(body: string, changes?: Changes): Assertion;
}

export interface Changes {
  readonly type?: string;
  readonly challenge?: string;
  readonly origin?: string;
  readonly crossOrigin?: boolean;
  readonly rpId?: string;
  /** 0x01 present, 0x04 verified. */
  readonly flags?: number;
  readonly counter?: number;
  /** Of another credential. */
  readonly id?: string;
  /** The whole client data. */
  readonly clientData?: string;
  /** Bytes after the fixed part of the authenticator data. */
  readonly more?: Buffer;
}

export function authenticatorOf(who: string, alg: Algorithm = 'ES256'): Authenticator {
  const { publicKey, privateKey } = keysFor[alg]();
  const id = createHash('sha256').update(`${who} ${alg}`).digest('base64url');
  const entry: PasskeyEntry = {
    who,
    id,
    publicKey: publicKey.export({ format: 'der', type: 'spki' }).toString('base64url'),
    alg,
    rpId: 'localhost',
    origins: [origin],
    addedAt: '2026-01-02T03:04:05Z',
  };
  return {
    entry,
    sign: (body, changes = {}) => {
      const client = {
        type: changes.type ?? 'webauthn.get',
        challenge: changes.challenge ?? challengeOf(body),
        origin: changes.origin ?? origin,
        crossOrigin: changes.crossOrigin ?? false,
      };
      const clientData = Buffer.from(changes.clientData ?? JSON.stringify(client));
      const head = Buffer.alloc(5);
      head.writeUInt8(changes.flags ?? 0x05);
      head.writeUInt32BE(changes.counter ?? 0, 1);
      const rpId = createHash('sha256')
        .update(changes.rpId ?? 'localhost')
        .digest();
      const data = Buffer.concat([rpId, head, changes.more ?? Buffer.alloc(0)]);
      const signed = Buffer.concat([data, createHash('sha256').update(clientData).digest()]);
      const assertion = assertionOf({
        id: changes.id ?? id,
        authenticatorData: data.toString('base64url'),
        clientDataJSON: clientData.toString('base64url'),
        signature: sign(alg === 'EdDSA' ? null : 'sha256', signed, privateKey).toString(
          'base64url',
        ),
      });
      if (assertion === undefined) throw new Error('the test made no assertion');
      return assertion;
    },
  };
}

interface Keys {
  readonly publicKey: KeyObject;
  readonly privateKey: KeyObject;
}

const keysFor: Readonly<Record<Algorithm, () => Keys>> = {
  ES256: () => generateKeyPairSync('ec', { namedCurve: 'prime256v1' }),
  EdDSA: () => generateKeyPairSync('ed25519'),
  RS256: () => generateKeyPairSync('rsa', { modulusLength: 2_048 }),
};
