/** Runs the occurrences of a past time range, oldest first: each once, also those that a scheduler left out. */
import { UsageError } from '../../base/error.ts';
import type { Millis } from '../../base/clock.ts';
import { plainText, shellWord } from '../../base/text.ts';
import { claimed, lockOf, type SchedulerContext } from './claim.ts';
import { countMax } from './decide.ts';
import type { Ended } from './decisions.ts';
import { occurrencesWithin } from './occurrences.ts';
import type { Schedule } from './schedule.ts';
import { shownTime } from './slot.ts';

/** A past time range: `from` is included, `to` is not. */
export interface PastRange {
  readonly from: Millis;
  readonly to: Millis;
}

/**
 * The occurrences of schedules in a past range.
 * @throws UsageError for a schedule that writes: an order that is late is another order
 */
export function occurrencesOf(
  schedules: readonly Schedule[],
  { from, to }: PastRange,
  now: Millis,
): readonly (readonly [Schedule, readonly Millis[]])[] {
  if (to > now) throw new UsageError('--to is in the future', 'leave it out to run up to now');
  if (from >= to) throw new UsageError('--from is not before --to');
  return schedules.map((schedule) => {
    const { playbook, file, writes } = schedule;
    const all: Millis[] = [];
    const until = Math.min(to - 1, now - schedule.delayMs);
    for (const each of occurrencesWithin(schedule, { after: from - 1, until })) all.push(each);
    const [first] = all;
    if (writes && first !== undefined) {
      throw new UsageError(
        `${plainText(playbook, 60)} writes, and is not run for times that are over`,
        `review each: deskhand run ${shellWord(file)} --scheduled-for ${shownTime(first)}`,
      );
    }
    if (all.length > countMax) {
      throw new UsageError(
        `${plainText(playbook, 60)} has more than ${countMax} occurrences in this range`,
        'run it in parts',
      );
    }
    return [schedule, all];
  });
}

/**
 * Runs occurrences one after the other, until one is not done: later ones may need its result. Those that were
 * ever claimed are left out.
 * @param fire runs the schedule for an occurrence
 * @returns undefined while another process runs the schedule
 */
export async function backfill(
  schedule: Schedule,
  occurrences: readonly Millis[],
  fire: (occurrence: Millis) => Promise<Ended>,
  context: SchedulerContext,
): Promise<readonly Ended[] | undefined> {
  const lock = await lockOf(schedule, context);
  if (lock === undefined) return undefined;
  const all: Ended[] = [];
  try {
    for (const occurrence of occurrences) {
      if (context.drain.aborted) break;
      const claim = await claimed(schedule, occurrence, context);
      if (claim === 'paused') break;
      if (claim !== 'ours') continue;
      const ended = await fire(occurrence);
      await context.record({ kind: 'ended', occurrence, ...ended }, schedule);
      all.push(ended);
      if (ended.status !== 'done') break;
    }
  } finally {
    await lock.release();
  }
  return all;
}
