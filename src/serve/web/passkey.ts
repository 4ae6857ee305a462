/** Passkeys of this browser: make one, and sign a record with one. */
import type { Answer, BodyOf } from './api.ts';

type Passkeys = Answer<'GET /plans/{plan}/record'>['passkeys'];
type Assertion = BodyOf<'POST /plans/{plan}/decision'>['assertion'];
type Registration = BodyOf<'POST /passkeys'>;

/** COSE numbers of the algorithms that approvals accept. */
const algorithms: ReadonlyMap<number, Registration['alg']> = new Map([
  [-7, 'ES256'],
  [-8, 'EdDSA'],
  [-257, 'RS256'],
]);

/** The passkeys that may sign on this page. */
export function passkeysHere(all: Passkeys): Passkeys {
  return all.filter(({ origins }) => origins.includes(location.origin));
}

/**
 * Asks the person to sign a record: the challenge is computed here, from the text itself.
 * @throws Error when no passkey fits, or the person cancels
 */
export async function signed(record: string, passkeys: Passkeys): Promise<Assertion> {
  const here = passkeysHere(passkeys);
  const [first] = here;
  if (first === undefined) throw new Error('no passkey of this profile can sign on this page');
  const challenge = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(record));
  const credential = await navigator.credentials.get({
    publicKey: {
      challenge,
      rpId: first.rpId,
      userVerification: 'required',
      allowCredentials: here.map(({ id }) => ({ type: 'public-key', id: bytesOf(id) })),
    },
  });
  if (!(credential instanceof PublicKeyCredential)) throw new Error('nothing was signed');
  const { response } = credential;
  if (!(response instanceof AuthenticatorAssertionResponse)) throw new Error('nothing was signed');
  return {
    id: credential.id,
    authenticatorData: textOf(response.authenticatorData),
    clientDataJSON: textOf(response.clientDataJSON),
    signature: textOf(response.signature),
  };
}

/**
 * Makes a passkey.
 * @param who the address of the person
 * @throws Error when the person cancels
 */
export async function made(who: string): Promise<Registration> {
  const rpId = location.hostname;
  const credential = await navigator.credentials.create({
    publicKey: {
      challenge: random(),
      rp: { id: rpId, name: 'deskhand' },
      user: { id: random(), name: who, displayName: who },
      pubKeyCredParams: [...algorithms.keys()].map((alg) => ({ type: 'public-key', alg })),
      authenticatorSelection: { userVerification: 'required', residentKey: 'preferred' },
    },
  });
  if (!(credential instanceof PublicKeyCredential)) throw new Error('no passkey was made');
  const { response } = credential;
  if (!(response instanceof AuthenticatorAttestationResponse))
    throw new Error('no passkey was made');
  const publicKey = response.getPublicKey();
  const alg = algorithms.get(response.getPublicKeyAlgorithm());
  if (publicKey === null || alg === undefined) {
    throw new Error('this browser does not show the public key; use another one');
  }
  return {
    who,
    id: credential.id,
    rpId,
    alg,
    publicKey: textOf(publicKey),
    authenticatorData: textOf(response.getAuthenticatorData()),
    clientDataJSON: textOf(response.clientDataJSON),
  };
}

/** The reason why this page cannot use passkeys; undefined when it can. */
export function whyNot(): string | undefined {
  if (/^[\d.]+$|^\[/.test(location.hostname)) {
    return `Browsers have no passkeys for ${location.hostname}. Open this page as localhost.`;
  }
  return 'PublicKeyCredential' in globalThis ? undefined : 'This browser has no passkeys.';
}

function random(): Uint8Array<ArrayBuffer> {
  return crypto.getRandomValues(new Uint8Array(32));
}

function textOf(bytes: ArrayBuffer): string {
  const text = btoa(String.fromCharCode(...new Uint8Array(bytes)));
  return text.replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}

function bytesOf(text: string): Uint8Array<ArrayBuffer> {
  const binary = atob(text.replaceAll('-', '+').replaceAll('_', '/'));
  return Uint8Array.from(binary, (letter) => letter.charCodeAt(0));
}
