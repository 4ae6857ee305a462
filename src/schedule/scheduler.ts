/** Checks schedules and runs what is due: an occurrence is first claimed on the disk, and then run once. */
import type { Clock, Millis } from '../base/clock.ts';
import { LockedError, type AccountLock } from '../journal/lock.ts';
import { alone } from './alone.ts';
import { decide, decidePaused, type Decision, type Left, type Standing } from './decide.ts';
import { openPause, pausesIn, pausesOf, type Pause } from './pause.ts';
import type { SchedulePlace } from './place.ts';
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
        const { pauses } = await pausesIn(options.place);
        const all: PromiseSettledResult<Turn | undefined>[] = [];
        for (const schedule of schedules) {
          all.push(
            ...(await Promise.allSettled([lookAt(schedule, { now: present, pauses }, context)])),
          );
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

/** What holds for all schedules of a check. */
interface Present {
  readonly now: Millis;
  readonly pauses: readonly Pause[];
}

async function lookAt(
  schedule: Schedule,
  { now, pauses }: Present,
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
    decision = decided(schedule, before, { now, pauses, isRunning: lock === undefined });
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

/** Through the pauses since the last check, in order; after one that lasts, nothing is left to decide. */
function decided(
  schedule: Schedule,
  before: Standing,
  { now, pauses, isRunning }: Present & { readonly isRunning: boolean },
): Decision {
  let standing = before;
  const left: Left[] = [];
  for (const { at: since, until } of pausesOf(pauses, schedule)) {
    const isDecided = until !== undefined && until - schedule.delayMs <= standing.until;
    if (isDecided) continue;
    const end = until === undefined ? now : Math.min(until, now);
    const paused = decidePaused(schedule, standing, { now: end, since });
    left.push(...paused.left);
    ({ standing } = paused);
  }
  const rest = decide(schedule, standing, { now, isRunning });
  return { ...rest, left: [...left, ...rest.left] };
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
      const claim = await alone(context, () => claimed(schedule, occurrence, context));
      if (claim === 'paused') break; // the next check leaves what still waits
      if (claim !== 'ours') continue;
      const ended = await context.fire(schedule, occurrence);
      await context.record({ kind: 'ended', occurrence, ...ended }, schedule);
      all.push(ended);
    }
  } finally {
    await lock.release();
  }
  return all;
}

/**
 * Claims an occurrence that was never claimed before. After a crash it stays claimed, and recorded
 * as waiting or started: it is reported, and never run again.
 */
async function claimed(
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
