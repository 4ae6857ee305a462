/** The continuous scheduler: it checks when something is due, and at least once a minute, until it is stopped. */
import { minute, second, type Clock, type Millis } from '../../base/clock.ts';
import type { Ended } from './decisions.ts';
import type { Schedule } from './schedule.ts';
import type { Scheduler } from './scheduler.ts';
import { occurrenceAfter } from './occurrences.ts';

export interface Watch {
  readonly scheduler: Scheduler;
  readonly clock: Clock;
  /** Reads the current schedules before every check, because files are edited. */
  readonly schedules: () => Promise<readonly Schedule[]>;
  /** Called with the next run when it changes; undefined if no schedule has one. */
  readonly onNext?: (next: NextRun | undefined) => void;
  /** Called with the error of a failed check, which is repeated in a minute. */
  readonly onError: (error: unknown) => void;
  /** The signal that stops the scheduler: runs in progress are awaited. */
  readonly drain: AbortSignal;
}

/** A run that will start. */
export interface NextRun {
  readonly schedule: Schedule;
  readonly at: Millis;
}

const longestSleep = minute; // the wall clock may be changed meanwhile
const jump = 5 * second; // allowed difference between wall and monotonic clock over one sleep

/** Resolves when the scheduler was stopped and everything it started has ended. */
export async function watch(watching: Watch): Promise<void> {
  const { scheduler, clock, schedules, onNext, onError, drain } = watching;
  const underWay = new Set<Promise<readonly Ended[]>>();
  let reported: NextRun | undefined;
  let before = { wall: clock.now(), monotonic: clock.monotonic() };
  while (!drain.aborted) {
    let all: readonly Schedule[] = [];
    let present = clock.now();
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
      // A clock that is ahead of the one that decides would look too early, and then a minute late.
      present = await scheduler.now();
    } catch (error) {
      onError(error);
    }
    const next = nextOf(all, present);
    if (next?.at !== reported?.at || next?.schedule.id !== reported?.schedule.id) onNext?.(next);
    reported = next;
    await rest(Math.min(longestSleep, (next?.at ?? Infinity) - present), clock, drain);
  }
  await Promise.all(underWay);
}

/** The earliest due occurrence. */
function nextOf(schedules: readonly Schedule[], now: Millis): NextRun | undefined {
  const all = schedules.flatMap((schedule): NextRun[] => {
    const next = occurrenceAfter(schedule, now - schedule.delayMs);
    return next === undefined ? [] : [{ schedule, at: next + schedule.delayMs }];
  });
  return all.toSorted((a, b) => a.at - b.at)[0];
}

async function rest(ms: Millis, clock: Clock, drain: AbortSignal): Promise<void> {
  try {
    await clock.sleep(ms, drain);
  } catch (error) {
    if (!drain.aborted) throw error;
  }
}
