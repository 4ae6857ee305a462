/** Sessions of browsers. A link that works once is exchanged for a cookie. Only digests of cookies
 * are stored, beside the state, so that a session survives a restart of the server.
 */
import { randomBytes, timingSafeEqual } from 'node:crypto';
import { dirname, join } from 'node:path';
import { day, type Clock, type Millis } from '../base/clock.ts';
import { isCode } from '../base/error.ts';
import { isRecord, sha256 } from '../base/json.ts';
import { readRegular } from '../base/read-file.ts';
import { roles, type Role } from '../config/role.ts';
import { makeFolder, replaceFile } from '../journal/file.ts';

export interface Session {
  /** The person, for records of what they do. */
  readonly who: string;
  readonly role: Role;
  readonly until: Millis;
}

export interface Sessions {
  /** Undefined for an unknown or expired secret. */
  find(secret: string): Session | undefined;
  end(secret: string): Promise<void>;
}

/** Sessions of the person at this machine. */
export interface LinkSessions extends Sessions {
  /** The token of a new link; each works once, and only the newest. */
  link(): string;
  /** Exchanges the token of a link for the secret of a session; undefined if it is not valid. */
  exchange(token: string): Promise<string | undefined>;
}

const sessionLength: Millis = 7 * day;
const sessionsMax = 100; // the oldest ends first

/**
 * @param stateDir where they are stored
 * @param who the person at this machine
 */
export async function openSessions(
  stateDir: string,
  who: string,
  clock: Clock,
  onUsed: () => void = () => undefined,
): Promise<LinkSessions> {
  const path = join(stateDir, 'serve', 'sessions.json');
  let sessions = await stored(path);
  let linkDigest: Buffer | undefined;
  const store = async (next: ReadonlyMap<string, Session>): Promise<void> => {
    sessions = next;
    await makeFolder(dirname(path));
    const rows = [...sessions].map(([digest, session]) => ({ digest, ...session }));
    await replaceFile(path, `${JSON.stringify({ version: 1, sessions: rows })}\n`);
  };
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
      const secret = newSecret();
      const now = clock.now();
      const session: Session = { who, role: 'approver', until: now + sessionLength };
      const valid = [...sessions].filter(([, { until }]) => until > now).slice(1 - sessionsMax);
      await store(new Map([...valid, [digestOf(secret).toString('hex'), session]]));
      onUsed();
      return secret;
    },
    find: (secret) => {
      const digest = digestOf(secret);
      const now = clock.now();
      let found: Session | undefined;
      for (const [each, session] of sessions) {
        // All are compared, each in constant time.
        const isSame = timingSafeEqual(Buffer.from(each, 'hex'), digest);
        if (isSame && session.until > now) found = session;
      }
      return found;
    },
    end: async (secret) => {
      const digest = digestOf(secret).toString('hex');
      await store(new Map([...sessions].filter(([each]) => each !== digest)));
    },
  };
}

/** Whether a person's role includes another. */
export function mayAct({ role }: Session, least: Role): boolean {
  return roles.indexOf(role) >= roles.indexOf(least);
}

/** 256 random bits. */
export function newSecret(): string {
  return randomBytes(32).toString('base64url');
}

export function digestOf(secret: string): Buffer {
  return Buffer.from(sha256(secret), 'hex');
}

/** None when the file is missing or damaged: then people open a new link. */
async function stored(path: string): Promise<ReadonlyMap<string, Session>> {
  const found = new Map<string, Session>();
  let value: unknown;
  try {
    value = JSON.parse((await readRegular(path)).toString('utf8'));
  } catch (error) {
    if (isCode(error, 'ENOENT') || error instanceof SyntaxError) return found;
    throw error;
  }
  const rows = isRecord(value) && value['version'] === 1 ? value['sessions'] : undefined;
  for (const row of Array.isArray(rows) ? rows : []) {
    if (!isRecord(row)) continue;
    const { digest, who, role, until } = row;
    const known = roles.find((each) => each === role);
    if (typeof digest !== 'string' || !/^[0-9a-f]{64}$/.test(digest)) continue;
    if (known === undefined || typeof who !== 'string' || typeof until !== 'number') continue;
    found.set(digest, { who, role: known, until });
  }
  return found;
}
