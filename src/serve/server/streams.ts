/** Limits open streams. A browser needs one for all of its tabs, and a lost connection is noticed late:
 * the newest streams of a session remain.
 */
import { Refusal } from './failure.ts';

export interface OpenStreams {
  /**
   * Takes a place for a stream.
   * @param session any text that is the same for streams of one session
   * @param end called when newer streams of the session need its place
   * @returns what gives its place back
   * @throws Refusal when there are too many of all sessions
   */
  enter(session: string, end: () => void): () => void;
  /**
   * Ends all streams, because the server ends. Streams do not listen to the server's signal, which
   * warns of more than ten listeners.
   */
  end(): void;
}

export const streamsOfSession = 10;
const streamsMax = 1_000; // each takes a connection and 20 KB

export function openStreams(max = streamsMax): OpenStreams {
  const bySession = new Map<string, Set<() => void>>();
  let open = 0;
  return {
    enter: (session, end) => {
      const own = bySession.get(session) ?? new Set();
      const leave = (): void => {
        if (!own.delete(ending)) return;
        open -= 1;
        if (own.size === 0) bySession.delete(session);
      };
      const ending = (): void => {
        leave();
        end();
      };
      if (own.size < streamsOfSession && open >= max) {
        throw new Refusal(
          503,
          'busy',
          'too many pages are open',
          'close some, and reload this one',
        );
      }
      const [oldest] = own;
      if (own.size >= streamsOfSession) oldest?.();
      own.add(ending);
      bySession.set(session, own);
      open += 1;
      return leave;
    },
    end: () => {
      for (const ending of [...bySession.values()].flatMap((own) => [...own])) ending();
    },
  };
}
