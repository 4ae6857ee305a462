/** Sign-ins that began and did not return from the issuer yet. Each belongs to one browser, by a
 * cookie, and can be taken once.
 */
import { minute, type Clock, type Millis } from '../../../base/clock.ts';
import { digestOf, newSecret } from '../session.ts';

export interface PendingSignIn {
  /** A random value that the issuer returns as it was sent. */
  readonly state: string;
  /** A random value that the ID token must repeat. */
  readonly nonce: string;
  /** The code verifier of PKCE: proves that the client that redeems the code also requested it. */
  readonly verifier: string;
  /** The host that the browser used, to which it returns. */
  readonly host: string;
  /** The path to show after the sign-in. */
  readonly to: string;
}

export interface PendingSignIns {
  /**
   * Adds a sign-in.
   * @returns the value of the browser's cookie
   */
  add(signIn: PendingSignIn): string;
  /** Takes a sign-in; undefined if it is unknown, expired, or was taken before. */
  take(secret: string): PendingSignIn | undefined;
}

export const pendingLength: Millis = 10 * minute;
const pendingMax = 2_000; // the oldest is forgotten first; 1 MB

export function pendingSignIns(clock: Clock): PendingSignIns {
  const pending = new Map<string, { readonly signIn: PendingSignIn; readonly until: Millis }>();
  const keyOf = (secret: string): string => digestOf(secret).toString('hex');
  return {
    add: (signIn) => {
      const secret = newSecret();
      pending.set(keyOf(secret), { signIn, until: clock.now() + pendingLength });
      for (const [key, { until }] of pending) {
        if (pending.size <= pendingMax && until > clock.now()) break;
        pending.delete(key);
      }
      return secret;
    },
    take: (secret) => {
      const found = pending.get(keyOf(secret));
      pending.delete(keyOf(secret));
      return found === undefined || found.until <= clock.now() ? undefined : found.signIn;
    },
  };
}
