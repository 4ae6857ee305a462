/** Sessions of the person at this machine. A link that works once is exchanged for a cookie. They are
 * stored beside the state, so that a session survives a restart of the server.
 */
import { timingSafeEqual } from 'node:crypto';
import { join } from 'node:path';
import { day, type Clock, type Millis } from '../../base/clock.ts';
import { digestOf, newSecret, type Session, type Sessions } from './session.ts';
import { sessionFolder } from './session-folder.ts';

export interface LinkSessions extends Sessions {
  /** The token of a new link; each works once, and only the newest. */
  link(): string;
  /** Exchanges the token of a link for the secret of a session; undefined if it is not valid. */
  exchange(token: string): Promise<string | undefined>;
}

const sessionLength: Millis = 7 * day;
const sessionsMax = 100; // the oldest ends first

/**
 * Opens the sessions of a folder.
 * @param stateDir where they are stored
 * @param who the person at this machine
 * @param onUsed a link was used, whether or not its session could be stored
 */
export function openSessions(
  stateDir: string,
  who: string,
  clock: Clock,
  onUsed: () => void = () => undefined,
): LinkSessions {
  const stored = sessionFolder(join(stateDir, 'serve', 'sessions'), sessionsMax);
  // Found by digest, so that the time of a search says nothing about a secret.
  const keyOf = (secret: string): string => digestOf(secret).toString('hex');
  let linkDigest: Buffer | undefined;
  return {
    link: () => {
      const token = newSecret();
      linkDigest = digestOf(token);
      return token;
    },
    exchange: async (token) => {
      if (linkDigest === undefined || !timingSafeEqual(linkDigest, digestOf(token))) {
        return undefined;
      }
      linkDigest = undefined; // before anything is awaited: it works once
      onUsed();
      const secret = newSecret();
      const now = clock.now();
      const session: Session = { who, role: 'approver', until: now + sessionLength };
      await stored.begin(keyOf(secret), session, now);
      return secret;
    },
    find: (secret) => {
      const session = stored.find(keyOf(secret));
      return session !== undefined && session.until > clock.now() ? session : undefined;
    },
    end: (secret) => stored.end(keyOf(secret)),
  };
}
