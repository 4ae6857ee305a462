/** Times at which an external program must start deskhand: patterns in its time zone that include every
 * occurrence.
 */
import { day, minute, type Millis } from '../../../base/clock.ts';
import { InternalError } from '../../../base/error.ts';
import { zoneOf } from '../../../language/zone.ts';
import type { Schedule } from '../schedule.ts';
import { occurrencesAfter } from '../occurrences.ts';

/**
 * Calendar times; an absent field matches any. They include every occurrence and may include more:
 * what is due is decided at the check, so an unnecessary start is harmless.
 */
export interface Wake {
  readonly minutes: readonly number[];
  readonly hours?: readonly number[];
  readonly days?: readonly number[];
  readonly months?: readonly number[];
  /** Days of the week; 0 is Sunday. */
  readonly weekdays?: readonly number[];
}

const horizon = 1_534 * day; // four years and a quarter: includes every leap day and clock change
const timesLeast = 8; // for occurrences that are years apart
const timesMost = 10_000; // about 30 per day for a year
const wholeYear = 366 * day;

/**
 * The calendar times of a schedule.
 * @param timezone of the timer that starts us
 */
export function wakesOf(schedule: Schedule, timezone: string, now: Millis): readonly Wake[] {
  const zone = zoneOf(timezone);
  if (zone === undefined) throw new InternalError(`${timezone} is not a time zone`);
  const shown: Date[] = [];
  const offsets = new Set<Millis>();
  let isDense = false;
  for (const occurrence of occurrencesAfter(schedule, now)) {
    if (occurrence > now + horizon && shown.length >= timesLeast) break;
    isDense = shown.length >= timesMost;
    if (isDense && occurrence > now + wholeYear) break;
    if (shown.length >= 3 * timesMost) break;
    const at = Math.ceil((occurrence + schedule.delayMs) / minute) * minute;
    const ahead = zone(at);
    offsets.add(ahead);
    shown.push(new Date(at + ahead));
  }
  // A program with clock changes may skip an hour, or run one once.
  if (offsets.size > 1 || isDense) return [{ minutes: fieldOf(shown, (at) => at.getUTCMinutes()) }];
  return hourly(shown).map(([minutes, hours]) => ({ minutes, hours, ...daysOf(shown) }));
}

/** Groups hours with the same minutes. */
function hourly(shown: readonly Date[]): [readonly number[], readonly number[]][] {
  const groups = new Map<string, [number[], readonly number[]]>();
  for (const own of fieldOf(shown, (at) => at.getUTCMinutes())) {
    const inside = shown.filter((at) => at.getUTCMinutes() === own);
    const hours = fieldOf(inside, (at) => at.getUTCHours());
    const group = groups.get(String(hours)) ?? [[], hours];
    group[0].push(own);
    groups.set(String(hours), group);
  }
  return [...groups.values()];
}

/**
 * Months, and days by the narrower of month and week: a timer with both would run on days that match either.
 */
function daysOf(shown: readonly Date[]): Pick<Wake, 'days' | 'months' | 'weekdays'> {
  const months = fieldOf(shown, (at) => at.getUTCMonth() + 1);
  const days = fieldOf(shown, (at) => at.getUTCDate());
  const weekdays = fieldOf(shown, (at) => at.getUTCDay());
  const narrow =
    weekdays.length / 7 <= days.length / 31
      ? weekdays.length < 7 && { weekdays }
      : days.length < 31 && { days };
  return { ...(months.length < 12 && { months }), ...narrow };
}

function fieldOf(shown: readonly Date[], read: (at: Date) => number): readonly number[] {
  return [...new Set(shown.map(read))].toSorted((a, b) => a - b);
}

/** A list of numbers in a pattern, such as `1,3-5`. */
export function listedNumbers(numbers: readonly number[], range: string): string {
  const runs: [number, number][] = [];
  for (const number of numbers) {
    const last = runs.at(-1);
    if (last?.[1] === number - 1) last[1] = number;
    else runs.push([number, number]);
  }
  return runs
    .flatMap(([from, to]) => {
      if (from === to) return [String(from)];
      return to === from + 1 ? [String(from), String(to)] : [`${from}${range}${to}`];
    })
    .join(',');
}

/** The five fields of a crontab. */
export function fiveFields({ minutes, hours, days, months, weekdays }: Wake): string {
  const all = (field: readonly number[] | undefined): string =>
    field === undefined ? '*' : listedNumbers(field, '-');
  const every = minutes.length === 60 ? '*' : listedNumbers(minutes, '-');
  return [every, all(hours), all(days), all(months), all(weekdays)].join(' ');
}
