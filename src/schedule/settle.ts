/** Records of runs that had not ended, or were in doubt, are followed by one with their outcome. */
import { day, type Millis } from '../base/clock.ts';
import { LockedError } from '../journal/lock.ts';
import type { SchedulerContext } from './claim.ts';
import type { Ended, ScheduleRecord } from './record.ts';
import type { Schedule } from './schedule.ts';

/** The outcome of a run by its journal, wherever it was continued. */
export type Standing = (run: string, schedule: Schedule) => Promise<Ended>;

type End = Extract<ScheduleRecord, { readonly kind: 'ended' }>;

const followedFor: Millis = 7 * day; // after its occurrence; then only the run itself shows it
const followedMax = 10; // runs of one schedule

/** One scheduler at a time; the others leave it to that one. */
export async function settle(
  schedules: readonly Schedule[],
  now: Millis,
  standing: Standing,
  context: Pick<SchedulerContext, 'store' | 'place' | 'record'>,
): Promise<void> {
  const { store, place, record } = context;
  if (openIn(schedules, await store.records(), now).length === 0) return;
  const lock = await place.lock('settle', 'the scheduler').catch((error: unknown) => {
    if (error instanceof LockedError) return undefined;
    throw error;
  });
  try {
    if (lock === undefined) return;
    for (const { schedule, end } of openIn(schedules, await store.records(), now)) {
      const { occurrence, run } = end;
      const ended = await standing(run, schedule);
      if (ended.status === end.status && ended.exit === end.exit) continue;
      await record({ kind: 'ended', occurrence, ...ended }, schedule);
    }
  } finally {
    await lock?.release();
  }
}

interface Open {
  readonly schedule: Schedule;
  readonly end: End & { readonly run: string };
}

/** Of each schedule the latest ones, with the last record of each occurrence. */
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
      .flatMap((end) => {
        const { run, status } = end;
        return run === undefined || status === 'done' ? [] : [{ schedule, end: { ...end, run } }];
      })
      .slice(-followedMax);
  });
}
