/** Sessions of people whom an issuer identified: in memory, so that a restart of the server ends all
 * of them. A session ends when it was not used for a while, and in any case after a fixed time.
 */
import type { Clock, Millis } from '../../base/clock.ts';
import type { Role } from '../../app/config/role.ts';
import { digestOf, newSecret, type Session, type Sessions } from './session.ts';

export interface TeamSessions extends Sessions {
  /** Begins a session. @returns its secret */
  begin(person: { readonly who: string; readonly role: Role }): string;
}

export interface SessionLimits {
  /** The maximum time since the session's last request. */
  readonly idle: Millis;
  /** The maximum time since the session began. */
  readonly expires: Millis;
}

const sessionsMax = 1_000; // the oldest ends first
const ofPersonMax = 20; // browsers; so that nobody ends the sessions of others by signing in

export function teamSessions({ idle, expires }: SessionLimits, clock: Clock): TeamSessions {
  const sessions = new Map<string, { readonly session: Session; used: Millis }>();
  // Found by digest, so that the time of a search says nothing about a secret.
  const keyOf = (secret: string): string => digestOf(secret).toString('hex');
  const isOver = ({ session, used }: { session: Session; used: Millis }): boolean =>
    clock.now() >= session.until || clock.now() >= used + idle;
  return {
    begin: (person) => {
      for (const [key, each] of sessions) if (isOver(each)) sessions.delete(key);
      const own = [...sessions].filter(([, { session }]) => session.who === person.who);
      for (const [key] of own.slice(0, Math.max(0, own.length + 1 - ofPersonMax))) {
        sessions.delete(key);
      }
      for (const key of sessions.keys()) {
        if (sessions.size < sessionsMax) break;
        sessions.delete(key);
      }
      const secret = newSecret();
      const session = { ...person, until: clock.now() + expires };
      sessions.set(keyOf(secret), { session, used: clock.now() });
      return secret;
    },
    find: (secret) => {
      const found = sessions.get(keyOf(secret));
      if (found === undefined) return undefined;
      if (isOver(found)) {
        sessions.delete(keyOf(secret));
        return undefined;
      }
      found.used = clock.now();
      return found.session;
    },
    end: async (secret) => {
      sessions.delete(keyOf(secret));
    },
  };
}
