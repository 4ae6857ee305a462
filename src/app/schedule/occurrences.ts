/** The occurrences of a schedule as times: local times of its zone, through every clock change. */
import { day, hour, type Millis } from '../../base/clock.ts';
import { InternalError } from '../../base/error.ts';
import { cronTimes, type CronTimes } from '../../language/cron.ts';
import type { ScheduleEntry } from '../../language/playbook.ts';
import { momentAt, momentsAt, zoneOf, type Zone } from '../../language/zone.ts';

/** When a schedule is due: its pattern, in its time zone. */
export type Timing = Pick<ScheduleEntry, 'cron' | 'timezone'>;

const stretch = day; // searched at once

/**
 * Every occurrence after a time, in order, without end. When clocks move forward, a skipped time is
 * due at the moment of the change; when they move back, a repeated time is due the first time. An
 * hourly pattern follows elapsed time instead.
 */
export function* occurrencesAfter({ cron, timezone }: Timing, after: Millis): Generator<Millis> {
  const zone = zoneOf(timezone);
  if (zone === undefined) throw new InternalError(`${timezone} is not a time zone`);
  const next = cronTimes(cron);
  const isHourly = /^\S+\s+\*/.test(cron.trim());
  for (let from = after; ;) {
    const start = leapOver(from, next, zone);
    if (start === undefined) return;
    const until = start + stretch;
    yield* between({ from: start, until }, { next, zone, isHourly });
    from = until;
  }
}

/** The first occurrence after a time; undefined if there is none. */
export function occurrenceAfter(timing: Timing, after: Millis): Millis | undefined {
  for (const occurrence of occurrencesAfter(timing, after)) return occurrence;
  return undefined;
}

/** The times in (after, until], in order. */
export function* occurrencesWithin(
  timing: Timing,
  { after, until }: { readonly after: Millis; readonly until: Millis },
): Generator<Millis> {
  for (const occurrence of occurrencesAfter(timing, after)) {
    if (occurrence > until) return;
    yield occurrence;
  }
}

/** The last occurrence in (after, until]; searched from the end, because there may be very many. */
export function lastOccurrence(
  timing: Timing,
  { after, until }: { readonly after: Millis; readonly until: Millis },
): Millis | undefined {
  for (let back = hour; ; back *= 8) {
    const from = Math.max(after, until - back);
    let last: Millis | undefined;
    for (const occurrence of occurrencesWithin(timing, { after: from, until })) last = occurrence;
    if (last !== undefined || from === after) return last;
  }
}

interface Reading {
  readonly next: CronTimes;
  readonly zone: Zone;
  readonly isHourly: boolean;
}

interface TimeRange {
  readonly from: Millis;
  readonly until: Millis;
}

/**
 * Where to continue the search: the time itself, or shortly before the next occurrence if that is far away.
 */
function leapOver(from: Millis, next: CronTimes, zone: Zone): Millis | undefined {
  const reading = next(from + zone(from) - 2 * day);
  if (reading === undefined) return undefined;
  return Math.max(from, reading - zone(reading) - 2 * day);
}

/** The occurrences in (from, until]. */
function* between({ from, until }: TimeRange, reading: Reading): Generator<Millis> {
  const { next, zone } = reading;
  const [before, behind] = [zone(from - day), zone(until + day)];
  if (before === behind) {
    for (let at = next(from + before); at !== undefined && at - before <= until; at = next(at)) {
      yield at - before;
    }
    return;
  }
  const found = new Set<Millis>();
  const last = until + Math.max(before, behind);
  for (
    let at = next(from + Math.min(before, behind));
    at !== undefined && at <= last;
    at = next(at)
  ) {
    for (const moment of momentsOf(at, reading)) {
      if (moment > from && moment <= until) found.add(moment);
    }
  }
  yield* [...found].sort((a, b) => a - b);
}

/** The times of an occurrence: of a pattern that follows elapsed time, each time that clocks show it. */
function momentsOf(at: Millis, { zone, isHourly }: Reading): readonly Millis[] {
  return isHourly ? momentsAt(at, zone) : [momentAt(at, zone)];
}
