/** Checks schedules and runs those that are due: an occurrence is first claimed on the disk, and then run
 * once.
 */
import type { Clock, Millis } from '../../base/clock.ts';
import { InternalError } from '../../base/error.ts';
import { alone } from './alone.ts';
import { backfill } from './backfill.ts';
import { claimed, lockOf, waitingFor, type SchedulerContext, type Turn } from './claim.ts';
import { decide, decidePaused, type Decision, type Left, type Standing } from './decide.ts';
import { runElsewhere, type StartDue } from './elsewhere.ts';
import { pausesIn, pausesOf, type Pause } from './pause.ts';
import type { SchedulePlace } from './place.ts';
import type { Ended, ScheduleEvent, ScheduleRecord } from './decisions.ts';
import type { Schedule } from './schedule.ts';
import { settle, type Standing as RunStanding } from './settle.ts';
import { storeIn } from './stored.ts';
import { lastOccurrence, occurrenceAfter } from './occurrences.ts';

export type SchedulerOptions = Scheduling &
  (
    | {
        /**
         * Runs a schedule for one of its occurrences, in this process. The result describes every outcome,
         * also an error.
         */
        readonly fire: (schedule: Schedule, occurrence: Millis) => Promise<Ended>;
      }
    | {
        /** Starts another process that checks a schedule and runs it if it is due. */
        readonly start: StartDue;
      }
  );

interface Scheduling {
  readonly place: SchedulePlace;
  readonly clock: Clock;
  /**
   * Whether this process can run a due schedule. Default: it can run all. Others are left to schedulers that
   * can.
   */
  readonly isServed?: (schedule: Schedule) => Promise<boolean>;
  /** The outcome so far of the run of an occurrence. Default: a record does not change. */
  readonly standing?: RunStanding;
  /** Called with each record after it is durable. */
  readonly report: (record: ScheduleRecord, schedule?: Schedule) => void | Promise<void>;
  /** The signal that stops the scheduler: no further occurrence is claimed. */
  readonly drain: AbortSignal;
}

export interface Scheduler {
  /**
   * Decides about everything due since the last check and starts what should run.
   * @returns the started work: one promise for each schedule; rejected for one that could not be
   * checked, which does not block the others
   */
  look(schedules: readonly Schedule[]): Promise<readonly Promise<readonly Ended[]>[]>;
  /**
   * Runs occurrences of the past that were never claimed, in order, until one is not done.
   * @returns undefined while another process runs the schedule
   */
  backfill(
    schedule: Schedule,
    occurrences: readonly Millis[],
  ): Promise<readonly Ended[] | undefined>;
  record(event: ScheduleEvent, schedule?: Schedule): Promise<void>;
  /** The time that decides what is due. */
  now(): Promise<Millis>;
}

export function schedulerOf(options: SchedulerOptions): Scheduler {
  const store = storeIn(options.place, options.clock);
  const started = new Set<string>();
  const context: SchedulerContext = {
    place: options.place,
    clock: options.clock,
    drain: options.drain,
    isServed: options.isServed ?? (async () => true),
    isStarted: ({ id }) => started.has(id),
    store,
    record: async (event, schedule) => {
      await options.report(await store.record(event, schedule), schedule);
    },
  };
  const now = options.place.now ?? (async () => options.clock.now());
  const work = async (turn: Turn): Promise<readonly Ended[]> => {
    if ('fire' in options) return runHere(turn, options.fire, context);
    const { id } = turn.schedule;
    started.add(id);
    try {
      return await runElsewhere(turn, options.start, context);
    } finally {
      started.delete(id);
    }
  };
  return {
    now,
    record: context.record,
    backfill: async (schedule, occurrences) => {
      if (!('fire' in options)) throw new InternalError('occurrences of the past are run here');
      return backfill(schedule, occurrences, (each) => options.fire(schedule, each), context);
    },
    look: async (schedules) => {
      if (options.standing) await settle(schedules, await now(), options.standing, context);
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
      return looks.map(async (look) => {
        if (look.status === 'rejected') throw look.reason;
        return look.value === undefined ? [] : work(look.value);
      });
    },
  };
}

/** The facts that are the same for all schedules of a check. */
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
  // A process that was started for the schedule counts before it has the lock.
  const lock = context.isStarted(schedule) ? undefined : await lockOf(schedule, context);
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

/**
 * Decides through the pauses since the last check, in order; after a pause that lasts, nothing is left to
 * decide.
 */
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

/** Whether nothing is due, and a recent check is recorded. */
function isQuiet(schedule: Schedule, { until, waiting }: Standing, now: Millis): boolean {
  const upTo = now - schedule.delayMs;
  if (waiting.length > 0 || upTo < until || upTo - until > schedule.lateMs / 2) return false;
  return (occurrenceAfter(schedule, until) ?? Infinity) > upTo;
}

/**
 * The first state of a schedule. It counts from when it is first seen; of earlier occurrences, only one that
 * is on time is due.
 */
function firstStanding(schedule: Schedule, now: Millis): Standing {
  const until = now - schedule.delayMs;
  const newest = lastOccurrence(schedule, { after: until - schedule.lateMs - 1, until });
  return { until: (newest ?? until) - 1, waiting: [] };
}

/** Runs the waiting occurrences of a schedule, one after the other. */
async function runHere(
  { schedule, lock }: Turn,
  fire: (schedule: Schedule, occurrence: Millis) => Promise<Ended>,
  context: SchedulerContext,
): Promise<readonly Ended[]> {
  const { store } = context;
  const all: Ended[] = [];
  try {
    while (!context.drain.aborted) {
      const [occurrence] = await waitingFor(schedule, store);
      if (occurrence === undefined) break;
      const claim = await claimed(schedule, occurrence, context);
      if (claim === 'paused') break; // the next check leaves what still waits
      if (claim !== 'ours') continue;
      const ended = await fire(schedule, occurrence);
      await context.record({ kind: 'ended', occurrence, ...ended }, schedule);
      all.push(ended);
    }
  } finally {
    await lock.release();
  }
  return all;
}
