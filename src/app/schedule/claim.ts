/** Claims occurrences: each is claimed once, on the disk, before its run begins. */
import type { Clock, Millis } from '../../base/clock.ts';
import { LockedError, type AccountLock } from '../../engine/journal/lock.ts';
import { alone } from './alone.ts';
import { openPause, pausesIn } from './pause.ts';
import type { SchedulePlace } from './place.ts';
import type { ScheduleEvent } from './decisions.ts';
import type { Schedule } from './schedule.ts';
import type { ScheduleStore } from './stored.ts';

/** The context that all parts of a scheduler work with. */
export interface SchedulerContext {
  readonly place: SchedulePlace;
  readonly clock: Clock;
  readonly store: ScheduleStore;
  readonly drain: AbortSignal;
  readonly isServed: (schedule: Schedule) => Promise<boolean>;
  /** Whether a process that this one started for a schedule has not ended. */
  readonly isStarted: (schedule: Schedule) => boolean;
  readonly record: (event: ScheduleEvent, schedule?: Schedule) => Promise<void>;
}

/** A schedule with waiting occurrences, locked against other processes. */
export interface Turn {
  readonly schedule: Schedule;
  readonly lock: AccountLock;
}

/**
 * Claims an occurrence that was never claimed before. After a crash it stays claimed, and recorded
 * as waiting or started: it is reported, and never run again.
 */
export async function claimed(
  schedule: Schedule,
  occurrence: Millis,
  context: SchedulerContext,
): Promise<'ours' | 'paused' | 'gone'> {
  return alone(context, () => claimedAlone(schedule, occurrence, context));
}

async function claimedAlone(
  schedule: Schedule,
  occurrence: Millis,
  context: SchedulerContext,
): Promise<'ours' | 'paused' | 'gone'> {
  const { store } = context;
  const { pauses } = await pausesIn(context.place);
  if (openPause(pauses, schedule) !== undefined) return 'paused';
  const isOurs = await store.take(schedule, occurrence);
  // The process that claimed it removed it from the waiting ones, so it did not crash before that.
  if (!isOurs && !(await waitingFor(schedule, store)).includes(occurrence)) return 'gone';
  const message = 'it was already claimed, by a process that may have crashed';
  await context.record(
    isOurs ? { kind: 'taken', occurrence } : { kind: 'gone', occurrence, message },
    schedule,
  );
  await drop(schedule, occurrence, store);
  return isOurs ? 'ours' : 'gone';
}

/** Occurrences that were decided to run and are not claimed yet, oldest first. */
export async function waitingFor(
  { id }: Schedule,
  store: ScheduleStore,
): Promise<readonly Millis[]> {
  const { standing } = await store.standing(id);
  return standing === undefined || standing === 'damaged' ? [] : standing.waiting;
}

async function drop(schedule: Schedule, occurrence: Millis, store: ScheduleStore): Promise<void> {
  for (;;) {
    const known = await store.standing(schedule.id);
    const { standing } = known;
    if (standing === undefined || standing === 'damaged') return;
    const waiting = standing.waiting.filter((other) => other !== occurrence);
    if (await store.keep(schedule, { ...standing, waiting }, known)) return;
  }
}

/**
 * The lock of a schedule; undefined while another process runs it.
 * @throws LockedError that needs a person: nothing else would release it
 */
export async function lockOf(
  { id, playbook }: Schedule,
  { place }: Pick<SchedulerContext, 'place'>,
): Promise<AccountLock | undefined> {
  try {
    return await place.lock(id, playbook);
  } catch (error) {
    if (error instanceof LockedError && !error.needsPerson) return undefined;
    throw error;
  }
}
