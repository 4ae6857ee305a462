/** Who sends a request on a connection: for its share of the places, before the request is handled. */
import type { IncomingMessage } from 'node:http';
import { cookieIn } from './protection.ts';
import type { Sessions } from './session.ts';

/** What a request shows of the client of its connection. */
export interface Caller {
  /** The session that it is signed in with: the same text for all of its connections. */
  readonly session: string;
  /** Whether it opens a stream of events: these are limited separately, and take no place here. */
  readonly isStream: boolean;
}

/** The session of a request, for its share of the connections. */
export function callerOf(
  { headers, url = '' }: IncomingMessage,
  name: string,
  sessions: Sessions,
): Caller | undefined {
  const cookie = cookieIn(headers.cookie, name);
  if (cookie === undefined || sessions.find(cookie) === undefined) return undefined;
  return { session: cookie, isStream: url.split('?')[0] === streamPath };
}

const streamPath = '/api/v1/events';
