/** Runs schedules in separate processes. Each decides, claims and records like every scheduler, and a run that
 * crashes ends nothing else. Records that such a process could not write are written here.
 */
import type { Millis } from '../../base/clock.ts';
import { claimed, lockOf, waitingFor, type SchedulerContext, type Turn } from './claim.ts';
import type { Ended, ScheduleRecord } from './decisions.ts';
import type { Schedule } from './schedule.ts';

/**
 * Starts a process that checks one schedule as `schedule run-due` does.
 * @returns how the process ended; undefined when this process ends first, and the other one continues
 */
export type StartDue = (schedule: Schedule) => Promise<Departure | undefined>;

/** The end of a separate process. */
export interface Departure {
  readonly isFailed: boolean;
  /** The record for an occurrence that the process claimed and did not end, or should have claimed. */
  readonly left: Pick<Ended, 'exit' | 'message' | 'hint' | 'run'>;
}

/**
 * Runs a schedule in a separate process.
 * @returns the ends that are recorded here; those of the other process are in the record only
 */
export async function runElsewhere(
  { schedule, lock }: Turn,
  start: StartDue,
  context: SchedulerContext,
): Promise<readonly Ended[]> {
  let waiting: readonly Millis[];
  try {
    waiting = await waitingFor(schedule, context.store);
  } finally {
    await lock.release();
  }
  const departure = await start(schedule);
  if (departure === undefined) return [];
  const again = await lockOf(schedule, context);
  if (again === undefined) return []; // another process runs it now
  try {
    return await recordLeft(schedule, waiting, departure, context);
  } finally {
    await again.release();
  }
}

async function recordLeft(
  schedule: Schedule,
  waiting: readonly Millis[],
  { isFailed, left }: Departure,
  context: SchedulerContext,
): Promise<readonly Ended[]> {
  const { store } = context;
  const [first = Infinity] = waiting;
  const all: Ended[] = [];
  const end = async (occurrence: Millis, ended: Ended): Promise<void> => {
    await context.record({ kind: 'ended', occurrence, ...ended }, schedule);
    all.push(ended);
  };
  for (const occurrence of unended(schedule, await store.records())) {
    if (occurrence < first) continue;
    await end(occurrence, { status: 'interrupted', ...left, cause: 'crash' });
  }
  const still = await waitingFor(schedule, store);
  const hasClaimed = waiting.some((occurrence) => !still.includes(occurrence));
  if (!isFailed || hasClaimed) return all;
  // The process failed before its first claim, and would fail again: the oldest occurrence is used up and
  // reported.
  const occurrence = still.find((each) => waiting.includes(each));
  if (occurrence === undefined) return all;
  if ((await claimed(schedule, occurrence, context)) === 'ours') {
    await end(occurrence, { status: 'not-begun', ...left });
  }
  return all;
}

/** Occurrences that were claimed and have no recorded end. */
export function unended({ id }: Schedule, records: readonly ScheduleRecord[]): readonly Millis[] {
  const open = new Set<Millis>();
  for (const record of records) {
    if (record.schedule !== id) continue;
    if (record.kind === 'taken') open.add(record.occurrence);
    if (record.kind === 'ended') open.delete(record.occurrence);
  }
  return [...open];
}
