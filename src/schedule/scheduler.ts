/** Checks schedules and runs what is due: an occurrence is first claimed on the disk, and then run once. */
import { minute, second, type Clock, type Millis } from '../base/clock.ts';
import { LockedError, type AccountLock } from '../journal/lock.ts';
import type { SchedulePlace } from './place.ts';
import { decide, type Decision, type Standing } from './decide.ts';
import type { Ended, ScheduleEvent, ScheduleRecord } from './record.ts';
import type { Schedule } from './schedule.ts';
import { storeIn, type ScheduleStore } from './store.ts';
import { lastOccurrence, occurrenceAfter } from './occurrences.ts';

export interface SchedulerOptions {
  readonly place: SchedulePlace;
  readonly clock: Clock;
  /** Whether this process can run a due schedule; default: all. Others are left to schedulers that can. */
  readonly isServed?: (schedule: Schedule) => Promise<boolean>;
  /** Runs a schedule for one of its occurrences; every outcome is in its result. */
  readonly fire: (schedule: Schedule, occurrence: Millis) => Promise<Ended>;
  /** Called with each record after it is durable. */
  readonly report: (record: ScheduleRecord, schedule?: Schedule) => void | Promise<void>;
  /** Aborted to stop: no further occurrence is claimed. */
  readonly drain: AbortSignal;
}

export interface Scheduler {
  /**
   * Decides about everything due since the last check and starts what should run.
   * @returns the started work: one promise for each schedule; rejected for one that could not be
   * checked, which does not block the others
   */
  look(schedules: readonly Schedule[]): Promise<readonly Promise<readonly Ended[]>[]>;
  record(event: ScheduleEvent, schedule?: Schedule): Promise<void>;
  /** The time that decides what is due. */
  now(): Promise<Millis>;
}

export function schedulerOf(options: SchedulerOptions): Scheduler {
  const store = storeIn(options.place, options.clock);
  const context: SchedulerContext = {
    ...options,
    isServed: options.isServed ?? (async () => true),
    store,
    record: async (event, schedule) => {
      await options.report(await store.record(event, schedule), schedule);
    },
  };
  const now = options.place.now ?? (async () => options.clock.now());
  return {
    now,
    record: context.record,
    look: async (schedules) => {
      const looks = await alone(context, async () => {
        const present = await now();
        const all: PromiseSettledResult<Turn | undefined>[] = [];
        for (const schedule of schedules) {
          all.push(...(await Promise.allSettled([lookAt(schedule, present, context)])));
        }
        return all;
      });
      return looks.map((look) => work(look, context));
    },
  };
}

interface SchedulerContext extends Required<SchedulerOptions> {
  readonly store: ScheduleStore;
  readonly record: Scheduler['record'];
}

/** A schedule with waiting occurrences, locked against other processes. */
interface Turn {
  readonly schedule: Schedule;
  readonly lock: AccountLock;
}

const patience = minute; // a check takes far less time

/** Only one process decides at a time. */
async function alone<T>(context: SchedulerContext, act: () => Promise<T>): Promise<T> {
  const { clock } = context;
  const since = clock.monotonic();
  for (;;) {
    try {
      const lock = await context.place.lock('schedule', 'the scheduler');
      try {
        return await act();
      } finally {
        await lock.release();
      }
    } catch (error) {
      const isWorthWaiting = error instanceof LockedError && !error.needsPerson;
      if (!isWorthWaiting || clock.monotonic() - since > patience) throw error;
      await clock.sleep(second / 20);
    }
  }
}

async function lookAt(
  schedule: Schedule,
  now: Millis,
  context: SchedulerContext,
): Promise<Turn | undefined> {
  const { store } = context;
  const known = await store.standing(schedule.id);
  const found = known.standing === 'damaged' ? undefined : known.standing;
  const before = found ?? firstStanding(schedule, now);
  if (found !== undefined && isQuiet(schedule, found, now)) return undefined;
  if (!(await context.isServed(schedule))) return undefined;
  const lock = await context.place.lock(schedule.id, schedule.playbook).catch(undefinedWhenLocked);
  let decision: Decision;
  let isKept: boolean;
  try {
    if (known.standing === 'damaged') await context.record({ kind: 'forgotten' }, schedule);
    decision = decide(schedule, before, { now, isRunning: lock === undefined });
    for (const left of decision.left) await context.record({ kind: 'left', ...left }, schedule);
    isKept = await store.keep(schedule, decision.standing, known);
  } catch (error) {
    await lock?.release();
    throw error;
  }
  // Another process decides meanwhile if a lease ended before its lock was released.
  if (lock === undefined || !isKept || context.drain.aborted) {
    await lock?.release();
    return undefined;
  }
  if (decision.standing.waiting.length > 0) return { schedule, lock };
  await lock.release();
  return undefined;
}

/** Nothing is due, and a recent check is recorded. */
function isQuiet(schedule: Schedule, { until, waiting }: Standing, now: Millis): boolean {
  const upTo = now - schedule.delayMs;
  if (waiting.length > 0 || upTo < until || upTo - until > schedule.lateMs / 2) return false;
  return (occurrenceAfter(schedule, until) ?? Infinity) > upTo;
}

/**
 * A schedule counts from when it is first seen; of earlier occurrences, only one that is on time is
 * due.
 */
function firstStanding(schedule: Schedule, now: Millis): Standing {
  const until = now - schedule.delayMs;
  const newest = lastOccurrence(schedule, { after: until - schedule.lateMs - 1, until });
  return { until: (newest ?? until) - 1, waiting: [] };
}

/** Runs the waiting occurrences, one after the other. */
async function work(
  look: PromiseSettledResult<Turn | undefined>,
  context: SchedulerContext,
): Promise<readonly Ended[]> {
  if (look.status === 'rejected') throw look.reason;
  if (look.value === undefined) return [];
  const { schedule, lock } = look.value;
  const { store } = context;
  const all: Ended[] = [];
  try {
    while (!context.drain.aborted) {
      const [occurrence] = await waitingFor(schedule, store);
      if (occurrence === undefined) break;
      const ended = await once(schedule, occurrence, context);
      if (ended !== undefined) all.push(ended);
    }
  } finally {
    await lock.release();
  }
  return all;
}

/**
 * Claims an occurrence, and runs it if it was never claimed before. After a crash it stays claimed,
 * and recorded as waiting or started: it is reported, and never run again.
 */
async function once(
  schedule: Schedule,
  occurrence: Millis,
  context: SchedulerContext,
): Promise<Ended | undefined> {
  const { store } = context;
  const isOurs = await store.take(schedule, occurrence);
  // The process that claimed it removed it from the waiting ones, so it did not crash before that.
  if (!isOurs && !(await waitingFor(schedule, store)).includes(occurrence)) return undefined;
  const message = 'it was already claimed, by a process that may have crashed';
  await context.record(
    isOurs ? { kind: 'taken', occurrence } : { kind: 'gone', occurrence, message },
    schedule,
  );
  await alone(context, () => drop(schedule, occurrence, store));
  if (!isOurs) return undefined;
  const ended = await context.fire(schedule, occurrence);
  await context.record({ kind: 'ended', occurrence, ...ended }, schedule);
  return ended;
}

async function waitingFor({ id }: Schedule, store: ScheduleStore): Promise<readonly Millis[]> {
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

/** A lock that needs a person is reported: nothing else would release it. */
function undefinedWhenLocked(error: unknown): undefined {
  if (error instanceof LockedError && !error.needsPerson) return undefined;
  throw error;
}
