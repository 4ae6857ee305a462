/** Kept-alive connections to one exchange, with one request at a time on each. */
import { setImmediate } from 'node:timers/promises';
import { second, type Clock, type Millis } from '../../../base/clock.ts';

/** Sends over one connection, and reopens it after it was closed. */
export interface Connection {
  destroy(): Promise<void>;
}

export interface Connections<C> {
  /** Takes an idle warm connection, or a new one; waits while `most` of them are in use. */
  take(): Promise<C>;
  /**
   * @param isWhole whether the connection's last response was complete; otherwise the connection is not
   * used again
   */
  give(connection: C, isWhole: boolean): void;
  close(): Promise<void>;
}

const most = 16;

/**
 * The time for which a connection stays warm after a complete response. Servers close idle connections
 * after 5 s or more: within 2 s a correct server closes none while a request is in transit.
 */
export const warmFor: Millis = 2 * second;

interface Idle<C> {
  readonly connection: C;
  readonly since: Moments;
}

/**
 * A time on both clocks: the monotonic one stops while the machine is suspended, the wall clock may be
 * set.
 */
interface Moments {
  readonly wall: Millis;
  readonly monotonic: Millis;
}

export function connectionsTo<C extends Connection>(open: () => C, clock: Clock): Connections<C> {
  const all = new Set<C>();
  const idle: Idle<C>[] = [];
  const waiting: (() => void)[] = [];
  let used = 0;
  const now = (): Moments => ({ wall: clock.now(), monotonic: clock.monotonic() });
  const drop = async (connection: C): Promise<void> => {
    all.delete(connection);
    await connection.destroy().catch(() => undefined); // it is not reused after an error
  };
  return {
    take: async () => {
      if (used < most) used += 1;
      else await new Promise<void>((resolve) => waiting.push(resolve));
      for (;;) {
        const last = idle.pop();
        if (last === undefined) break;
        if (isWarm(last.since, now())) {
          await setImmediate(); // a close that has already arrived is noticed before anything is written
          return last.connection;
        }
        await drop(last.connection);
      }
      const connection = open();
      all.add(connection);
      return connection;
    },
    give: (connection, isWhole) => {
      if (isWhole) idle.push({ connection, since: now() });
      else void drop(connection);
      const next = waiting.shift();
      if (next === undefined) used -= 1;
      else next();
    },
    close: async () => {
      await Promise.all([...all].map(drop));
    },
  };
}

function isWarm(since: Moments, now: Moments): boolean {
  const [wall, monotonic] = [now.wall - since.wall, now.monotonic - since.monotonic];
  return wall >= 0 && wall < warmFor && monotonic < warmFor;
}
