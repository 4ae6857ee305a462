/** The days of a calendar of weeks, in the zone of the page. */
import { dayIn, startOfDay, type Day } from './zone.ts';

export interface CalendarDay {
  /** The day in addresses: `2026-11-30`. */
  readonly name: string;
  readonly at: number;
  /** The end, excluded: when the next day begins. */
  readonly until: number;
  /** The day of the month, with the name of the month where it begins. */
  readonly label: string;
  /** The day in full: `Monday, 30 November 2026`. */
  readonly words: string;
}

const weeks = 5;
export const daysShown = 7 * weeks;

/** Five weeks from Monday to Sunday; the last one has the day. @param last its name */
export function weeksTo(last: string): readonly (readonly CalendarDay[])[] {
  const end = dayNamed(last) ?? dayIn(0);
  const afterMonday = (new Date(utcOf(end)).getUTCDay() + 6) % 7;
  const first = end.day - afterMonday - 7 * (weeks - 1);
  const days = Array.from({ length: daysShown }, (_, at) =>
    calendarDay({ ...end, day: first + at }, at === 0),
  );
  return Array.from({ length: weeks }, (_, week) => days.slice(7 * week, 7 * week + 7));
}

/** The name of the day that an address names, or that of today. */
export function dayOf(name: string | null, now: number): string {
  return dayNamed(name ?? '') === undefined ? nameOf(dayIn(now)) : (name ?? '');
}

/** The name of the day some days later, or earlier. */
export function moved(name: string, days: number): string {
  const { year, month, day } = dayNamed(name) ?? dayIn(0);
  return nameOf({ year, month, day: day + days });
}

function dayNamed(name: string): Day | undefined {
  const [, year, month, day] = /^(2\d{3})-(\d\d)-(\d\d)$/.exec(name)?.map(Number) ?? [];
  if (year === undefined || month === undefined || day === undefined) return undefined;
  return nameOf({ year, month, day }) === name ? { year, month, day } : undefined;
}

function calendarDay(day: Day, isFirst: boolean): CalendarDay {
  const date = new Date(utcOf(day));
  const inWords = (options: Intl.DateTimeFormatOptions): string =>
    date.toLocaleDateString('en-GB', { ...options, timeZone: 'UTC' });
  return {
    name: nameOf(day),
    at: startOfDay(day),
    until: startOfDay({ ...day, day: day.day + 1 }),
    label: inWords({
      day: 'numeric',
      ...((isFirst || date.getUTCDate() === 1) && { month: 'short' }),
    }),
    words: inWords({ weekday: 'long', day: 'numeric', month: 'long', year: 'numeric' }),
  };
}

function utcOf({ year, month, day }: Day): number {
  return Date.UTC(year, month - 1, day);
}

function nameOf(day: Day): string {
  return new Date(utcOf(day)).toISOString().slice(0, 10);
}
