/** Whether a passkey signed a text, with node:crypto alone: without a server, and without network.
 * @see WebAuthn Level 3, 7.2 (the steps that need no session)
 */
import { createHash } from 'node:crypto';
import { isRecord } from '../../../base/json.ts';
import { plainText } from '../../../base/text.ts';
import type { Assertion } from './assertion.ts';
import type { Passkey } from './keys.ts';
import { isSignedBy } from './public-key.ts';

/** The challenge that a passkey signs for a text: base64url of its SHA-256. */
export function challengeOf(body: string): string {
  return createHash('sha256').update(body).digest('base64url');
}

/** Why an assertion is not this person's signature of this text; undefined when it is. */
export function assertionProblem(
  assertion: Assertion,
  body: string,
  passkey: Passkey,
): string | undefined {
  const { clientData, authenticatorData, signature } = assertion;
  const data = authenticatorIn(authenticatorData);
  if (data === undefined) return 'its authenticator data is malformed';
  const digest = createHash('sha256').update(clientData).digest();
  const signed = { data: Buffer.concat([authenticatorData, digest]), signature };
  if (!isSignedBy(passkey.key, passkey.alg, signed)) {
    return `the signature is not of the passkey of ${passkey.who}`;
  }
  const problem = clientProblem(clientData, body, passkey);
  if (problem !== undefined) return problem;
  if (!data.rpIdHash.equals(createHash('sha256').update(passkey.rpId).digest())) {
    return `it was signed for another relying party than ${passkey.rpId}`;
  }
  if (!data.isPresent) return 'the person was not present when it was signed';
  if (!data.isVerified) return 'the authenticator did not verify the person (PIN or biometrics)';
  return undefined;
}

/** The signature counter of an assertion; 0 for passkeys that have none. */
export function counterOf({ authenticatorData }: Assertion): number {
  return authenticatorIn(authenticatorData)?.counter ?? 0;
}

/** Why the client data of the browser is refused; undefined if it is accepted. */
function clientProblem(clientData: Buffer, body: string, passkey: Passkey): string | undefined {
  const client = jsonIn(clientData);
  if (client === undefined) return 'its client data is malformed';
  const { type, challenge, origin, crossOrigin } = client;
  if (type !== 'webauthn.get') return `it is of type ${shown(type)}, not webauthn.get`;
  if (challenge !== challengeOf(body)) return 'its challenge is not the digest of this record';
  if (typeof origin !== 'string' || !passkey.origins.includes(origin)) {
    return `it was signed on ${shown(origin)}, not on ${passkey.origins.join(' or ')}`;
  }
  return crossOrigin === true ? 'it was signed in a frame of another page' : undefined;
}

interface AuthenticatorData {
  readonly rpIdHash: Buffer;
  readonly isPresent: boolean;
  readonly isVerified: boolean;
  readonly counter: number;
}

const headLength = 37; // hash of the relying party, flags, counter
const flags = { present: 0x01, verified: 0x04, attested: 0x40, extensions: 0x80 };

/** The fixed part of authenticator data; undefined if the data is cut, or longer than its flags allow. */
export function authenticatorIn(bytes: Buffer): AuthenticatorData | undefined {
  if (bytes.length < headLength) return undefined;
  const set = bytes.readUInt8(32);
  const hasMore = (set & (flags.attested | flags.extensions)) !== 0;
  if (hasMore !== bytes.length > headLength) return undefined;
  return {
    rpIdHash: bytes.subarray(0, 32),
    isPresent: (set & flags.present) !== 0,
    isVerified: (set & flags.verified) !== 0,
    counter: bytes.readUInt32BE(33),
  };
}

function jsonIn(bytes: Buffer): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
    return isRecord(value) ? value : undefined;
  } catch {
    return undefined; // the caller says so
  }
}

function shown(value: unknown): string {
  return typeof value === 'string' ? plainText(value, 100) : typeof value;
}
