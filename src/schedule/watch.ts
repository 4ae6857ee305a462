/** The scheduler that stays: it looks when something is due, at least once a minute, until it is stopped. */
import { minute, second, type Clock, type Millis } from '../base/clock.ts';
import type { Ended } from './record.ts';
import type { Schedule } from './schedule.ts';
import type { Scheduler } from './scheduler.ts';
import { tickAfter } from './ticks.ts';

export interface Watch {
  readonly scheduler: Scheduler;
  readonly clock: Clock;
  /** The schedules as they are now; asked before every look, for files are edited. */
  readonly schedules: () => Promise<readonly Schedule[]>;
  /** A look that failed: told, and taken again in a minute. */
  readonly onError: (error: unknown) => void;
  /** Aborted to stop: runs under way are waited for. */
  readonly drain: AbortSignal;
}

const longestSleep = minute; // the wall clock may be set meanwhile
const jump = 5 * second; // by which wall and monotonic time may differ over one sleep

/** Resolves when it was stopped and everything it began has ended. */
export async function watch({ scheduler, clock, schedules, onError, drain }: Watch): Promise<void> {
  const underWay = new Set<Promise<readonly Ended[]>>();
  let before = { wall: clock.now(), monotonic: clock.monotonic() };
  while (!drain.aborted) {
    let all: readonly Schedule[] = [];
    try {
      const now = { wall: clock.now(), monotonic: clock.monotonic() };
      const moved = now.wall - before.wall - (now.monotonic - before.monotonic);
      before = now;
      if (Math.abs(moved) > jump) await scheduler.record({ kind: 'clock', ms: Math.round(moved) });
      all = await schedules();
      for (const work of await scheduler.look(all)) {
        const ending = work.catch((error: unknown) => {
          onError(error);
          return [];
        });
        underWay.add(ending);
        void ending.finally(() => underWay.delete(ending));
      }
    } catch (error) {
      onError(error);
    }
    await rest(untilNext(all, clock.now()), clock, drain);
  }
  await Promise.all(underWay);
}

/** How long nothing is due. */
function untilNext(schedules: readonly Schedule[], now: Millis): Millis {
  const next = schedules.map(
    (schedule) => (tickAfter(schedule, now - schedule.delayMs) ?? Infinity) + schedule.delayMs,
  );
  return Math.min(longestSleep, ...next.map((moment) => moment - now));
}

async function rest(ms: Millis, clock: Clock, drain: AbortSignal): Promise<void> {
  try {
    await clock.sleep(ms, drain);
  } catch (error) {
    if (!drain.aborted) throw error;
  }
}
