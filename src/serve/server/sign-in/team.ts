/** Signs people of a team in, through their issuer: begin, return, sign out. */
import type { Clock } from '../../../base/clock.ts';
import { listed, plainText } from '../../../base/text.ts';
import type { Secret } from '../../../base/secret.ts';
import type { AuthSettings } from '../../../app/config/served-team.ts';
import { Refusal } from '../failure.ts';
import { newSecret, type Sessions } from '../session.ts';
import { teamSessions } from '../team-sessions.ts';
import { DeclinedError, IssuerError, openIssuer, type ProxyTo } from './issuer.ts';
import { pendingSignIns } from './pending.ts';
import { personOf } from './person.ts';
import type { TeamSignIn } from './sign-in.ts';

export const beginPath = '/api/v1/sign-in';
const returnPath = '/api/v1/sign-in/return';

export interface TeamOptions {
  readonly auth: AuthSettings;
  /** Reads the secret of the client; undefined for a public client. */
  readonly secretOf: () => Promise<Secret | undefined>;
  /** The proxy to an address of the issuer. @throws ConfigError */
  readonly proxyTo: ProxyTo;
  readonly clock: Clock;
  /** Called with the reason of a failed sign-in, for the terminal of the server. */
  readonly onError: (error: unknown) => void;
}

export function teamSignIn(options: TeamOptions): {
  readonly team: TeamSignIn;
  readonly sessions: Sessions;
} {
  const { auth, clock, onError } = options;
  const issuer = openIssuer(auth, options);
  const pending = pendingSignIns(clock);
  const sessions = teamSessions(auth, clock);
  const asked = async <T>(act: () => Promise<T>): Promise<T> => {
    try {
      return await act();
    } catch (error) {
      if (!(error instanceof IssuerError)) throw error;
      onError(error);
      if (error instanceof DeclinedError) throw declined();
      throw new Refusal(502, 'issuer', 'the sign-in failed', 'the terminal of the server has why');
    }
  };
  const team: TeamSignIn = {
    begin: async ({ host, to, asksAgain }) => {
      const [state, nonce, verifier] = [newSecret(), newSecret(), newSecret()];
      const signIn = { state, nonce, verifier, host, to };
      const returnTo = `https://${host}${returnPath}`;
      const { href } = await asked(() => issuer.signInUrl(signIn, { returnTo, asksAgain }));
      return { url: href, secret: pending.add(signIn) };
    },
    finish: async ({ host, search, secret }) => {
      const signIn = secret === undefined ? undefined : pending.take(secret);
      if (signIn === undefined || signIn.host !== host) {
        const message = 'this sign-in did not begin in this browser, or it ended';
        throw new Refusal(403, 'sign-in', message, 'sign in again');
      }
      const returned = new URL(`https://${host}${returnPath}${search}`);
      const claims = await asked(() => issuer.redeem(returned, signIn));
      const { who, role, groups } = personOf(claims, auth);
      if (role === undefined) throw withoutRole(who, groups);
      const person = { who, role };
      return { session: sessions.begin(person), person, to: signIn.to };
    },
    signOutUrl: async (host) => {
      return (await asked(() => issuer.signOutUrl(`https://${host}/`)))?.href;
    },
  };
  return { team, sessions };
}

/**
 * The refusal of a declined sign-in. Nothing that the issuer sent is shown: everyone can write the
 * address that a browser returns to.
 */
function declined(): Refusal {
  return new Refusal(
    403,
    'declined',
    'the sign-in was declined at the issuer',
    'Try again, or ask for access there. The terminal of the server has the reason, if the issuer sent one.',
  );
}

const groupsMax = 20;

function withoutRole(who: string, groups: readonly string[]): Refusal {
  const own = groups.slice(0, groupsMax).map((group) => plainText(group, 100));
  const found = own.length === 0 ? 'no groups' : `the groups ${listed(own)}`;
  return new Refusal(
    403,
    'role',
    `${who} has no role on this server`,
    `The issuer sent ${found}. A role is given to groups and verified e-mail addresses under serve.auth.roles of deskhand.yaml.`,
  );
}
