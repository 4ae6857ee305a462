/** The period of a filter as the address has it: the last hours or days, or a day of the reader's calendar. */
import { dayMs, hourMs } from './clock.ts';

/** A range of time in Unix milliseconds. */
export interface Period {
  readonly since: number;
  /** The end of the period, excluded; absent: the period includes now. */
  readonly until?: number;
}

const lasts = [
  ['1h', 'last hour', hourMs],
  ['24h', 'last 24 hours', dayMs],
  ['7d', 'last 7 days', 7 * dayMs],
  ['30d', 'last 30 days', 30 * dayMs],
] as const;

/** Days of the reader's calendar before now. */
const days = ['today', 'yesterday'] as const;

/** The last periods, in the words of a choice. */
export const lastPeriods: readonly { readonly name: string; readonly words: string }[] = [
  ...lasts.map(([name, words]) => ({ name, words })),
  ...days.map((name) => ({ name, words: name })),
];

const minuteMs = hourMs / 60;

/**
 * The period that a text names.
 * @returns undefined for anything else; the start of a last period moves once a minute
 */
export function periodOf(text: string, now: number): Period | undefined {
  const last = lasts.find(([name]) => name === text);
  if (last !== undefined) return { since: now - (now % minuteMs) - last[2] };
  const ago = days.findIndex((name) => name === text);
  if (ago !== -1) return dayOf(new Date(now), ago);
  const [, year, month, day] = /^(\d{4})-(\d\d)-(\d\d)$/.exec(text)?.map(Number) ?? [];
  if (year === undefined || month === undefined || day === undefined) return undefined;
  const since = new Date(year, month - 1, day);
  if (since.getMonth() !== month - 1 || since.getDate() !== day || year < 2000) return undefined;
  return dayOf(since, 0);
}

/** A day from midnight to midnight. @param ago number of days before the day of a time */
function dayOf(time: Date, ago: number): Period {
  const midnight = (later: number): number =>
    new Date(time.getFullYear(), time.getMonth(), time.getDate() - ago + later).getTime();
  return { since: midnight(0), until: midnight(1) };
}
