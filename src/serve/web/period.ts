/** The period of a filter as the address has it: the last hours or days, or a day of the reader's calendar. */
import { dayMs, hourMs } from './clock.ts';
import { dayIn, startOfDay, type Day } from './zone.ts';

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

/** Months of the reader's calendar before now. */
const months = ['this-month', 'last-month'] as const;

/** The last periods, in the words of a choice. */
export const lastPeriods: readonly { readonly name: string; readonly words: string }[] = [
  ...lasts.map(([name, words]) => ({ name, words })),
  ...[...days, ...months].map((name) => ({ name, words: name.replace('-', ' ') })),
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
  if (ago !== -1) return periodOfDay(dayIn(now), ago);
  const month = months.findIndex((name) => name === text);
  if (month !== -1) return periodOfMonth(dayIn(now), month);
  const [from, to, ...rest] = text.split(daysSign);
  if (rest.length > 0) return undefined;
  return to === undefined ? periodOfDate(from) : periodBetween(from, to);
}

/** The days from the first to the last one, of which one may be ''. */
function periodBetween(from = '', to = ''): Period | undefined {
  const [first, last] = [periodOfDate(from), periodOfDate(to)];
  const isWrong = (day: string, period: Period | undefined): boolean =>
    day !== '' && period === undefined;
  if (from + to === '' || isWrong(from, first) || isWrong(to, last)) return undefined;
  const until = last?.until;
  return { since: first?.since ?? 0, ...(until !== undefined && { until }) };
}

/** Between the first and the last day of a period: `2026-10-01..2026-10-31`; one of them may be missing. */
export const daysSign = '..';

/** The period of a day as `2026-10-31`; undefined for anything else. */
function periodOfDate(text = ''): Period | undefined {
  const [, year, month, day] = /^(\d{4})-(\d\d)-(\d\d)$/.exec(text)?.map(Number) ?? [];
  if (year === undefined || month === undefined || day === undefined) return undefined;
  const date = new Date(Date.UTC(year, month - 1, day));
  if (date.getUTCMonth() !== month - 1 || date.getUTCDate() !== day || year < 2000)
    return undefined;
  return periodOfDay({ year, month, day }, 0);
}

/** A month from its first midnight to that of the next. @param ago number of months before that of the day */
function periodOfMonth({ year, month }: Day, ago: number): Period {
  const midnight = (later: number): number =>
    startOfDay({ year, month: month - ago + later, day: 1 });
  return { since: midnight(0), until: midnight(1) };
}

/** A day from midnight to midnight, in the zone of the page. @param ago number of days before the day */
function periodOfDay({ year, month, day }: Day, ago: number): Period {
  const midnight = (later: number): number => startOfDay({ year, month, day: day - ago + later });
  return { since: midnight(0), until: midnight(1) };
}
