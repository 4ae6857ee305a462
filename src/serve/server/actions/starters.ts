/** The people who started processes from the page, for a second person who wants the same run. */
import type { Millis } from '../../../base/clock.ts';

export interface Starter {
  readonly who: string;
  readonly at: Millis;
  readonly pid: number;
}

export interface Starters {
  /** Records who started a process for a run. @param ended resolves when the process has ended */
  add(stateDir: string, run: string, starter: Starter, ended: Promise<unknown>): void;
  /**
   * The starter of a process that was started from this page and has not ended; the process may not
   * have the lock yet.
   */
  current(stateDir: string, run: string): Starter | undefined;
  /** The starter of a process; undefined if it was not started from this page. */
  of(stateDir: string, run: string, pid: number): Starter | undefined;
}

const keptMax = 1_000;

export function openStarters(): Starters {
  const known = new Map<string, Starter>();
  const running = new Map<string, Starter>();
  const keyOf = (stateDir: string, run: string): string => `${stateDir}\n${run}`;
  return {
    current: (stateDir, run) => running.get(keyOf(stateDir, run)),
    add: (stateDir, run, starter, ended) => {
      const key = keyOf(stateDir, run);
      running.set(key, starter);
      const end = (): unknown => running.get(key) === starter && running.delete(key);
      ended.then(end, end);
      known.delete(key);
      known.set(key, starter);
      for (const [oldest] of known) {
        if (known.size <= keptMax) break;
        known.delete(oldest);
      }
    },
    of: (stateDir, run, pid) => {
      const found = known.get(keyOf(stateDir, run));
      return found?.pid === pid ? found : undefined;
    },
  };
}
