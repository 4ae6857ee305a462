/** Adds the outcome to records of runs that had not ended or were in doubt, and to those of schedulers that
 * died.
 */
import { day, type Millis } from '../../base/clock.ts';
import { LockedError } from '../../engine/journal/lock.ts';
import { lockOf, type SchedulerContext } from './claim.ts';
import { unended } from './elsewhere.ts';
import type { Ended, ScheduleRecord } from './decisions.ts';
import type { Schedule } from './schedule.ts';

/** Finds the outcomes of runs in their journals, also when another machine continued them. */
export interface Standing {
  readonly ofRun: (run: string) => Promise<Ended>;
  /** The outcome of an occurrence that a scheduler claimed before it died. */
  readonly ofOccurrence: (schedule: Schedule, occurrence: Millis) => Promise<Ended>;
}

type End = Extract<ScheduleRecord, { readonly kind: 'ended' }>;

const followedFor: Millis = 7 * day; // after its occurrence; then only the run itself shows it
const followedMax = 10; // runs of one schedule

/** Adds the outcomes that are known by now. One scheduler at a time does it; the others skip it. */
export async function settle(
  schedules: readonly Schedule[],
  now: Millis,
  standing: Standing,
  context: Pick<SchedulerContext, 'store' | 'place' | 'record' | 'isStarted'>,
): Promise<void> {
  const { store, place, record } = context;
  const before = await store.records();
  const isOpen = openIn(schedules, before, now).length > 0;
  if (!isOpen && leftIn(schedules, before, now).length === 0) return;
  const lock = await place.lock('settle', 'the scheduler').catch((error: unknown) => {
    if (error instanceof LockedError) return undefined;
    throw error;
  });
  try {
    if (lock === undefined) return;
    for (const { schedule, occurrence } of leftIn(schedules, before, now)) {
      await settleLeft(schedule, occurrence, standing, context);
    }
    for (const { schedule, end } of openIn(schedules, await store.records(), now)) {
      const { occurrence, run } = end;
      const ended =
        run === undefined
          ? await standing.ofOccurrence(schedule, occurrence)
          : await standing.ofRun(run);
      if (ended.run === undefined) continue; // nobody has approved it and run it yet
      if (ended.status === end.status && ended.exit === end.exit) continue;
      await record({ kind: 'ended', occurrence, ...ended }, schedule);
    }
  } finally {
    await lock?.release();
  }
}

/**
 * Settles a claimed occurrence without a recorded end whose schedule is not locked: no process executes it.
 */
async function settleLeft(
  schedule: Schedule,
  occurrence: Millis,
  standing: Standing,
  context: Pick<SchedulerContext, 'store' | 'place' | 'record' | 'isStarted'>,
): Promise<void> {
  const lock = context.isStarted(schedule) ? undefined : await lockOf(schedule, context);
  try {
    const isLeft = unended(schedule, await context.store.records()).includes(occurrence);
    if (lock === undefined || !isLeft) return;
    const ended = await standing.ofOccurrence(schedule, occurrence);
    await context.record({ kind: 'ended', occurrence, ...ended }, schedule);
  } finally {
    await lock?.release();
  }
}

interface Left {
  readonly schedule: Schedule;
  readonly occurrence: Millis;
}

/** The latest claimed occurrences of each schedule that have no recorded end. */
function leftIn(
  schedules: readonly Schedule[],
  records: readonly ScheduleRecord[],
  now: Millis,
): readonly Left[] {
  return schedules.flatMap((schedule) =>
    unended(schedule, records)
      .filter((occurrence) => now - occurrence <= followedFor)
      .slice(-followedMax)
      .map((occurrence) => ({ schedule, occurrence })),
  );
}

interface Open {
  readonly schedule: Schedule;
  /**
   * The last record of the occurrence. Without a run, it waited for an approval: a person may have run its
   * plan since.
   */
  readonly end: End;
}

/** The latest unfinished occurrences of each schedule, with the last record of each. */
function openIn(
  schedules: readonly Schedule[],
  records: readonly ScheduleRecord[],
  now: Millis,
): readonly Open[] {
  return schedules.flatMap((schedule) => {
    const last = new Map<Millis, End>();
    for (const record of records) {
      if (record.kind !== 'ended' || record.schedule !== schedule.id) continue;
      if (now - record.occurrence <= followedFor) last.set(record.occurrence, record);
    }
    return [...last.values()]
      .filter(({ run, status, awaits }) => {
        return run === undefined ? awaits === 'approval' : status !== 'done';
      })
      .map((end) => ({ schedule, end }))
      .slice(-followedMax);
  });
}
