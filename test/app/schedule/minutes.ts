/** When a pattern is due, found the slow way: every minute is looked at on the clocks of the zone. */
import { hour, minute, type Millis } from '../../../src/base/clock.ts';

/** What the clocks of a zone show. */
interface Reading {
  readonly minute: number;
  readonly hour: number;
  readonly day: number;
  readonly month: number;
  readonly weekday: number;
}

const weekdays = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'];

function clockIn(timezone: string): (moment: Millis) => Reading {
  const [, sign, hours, minutes] = /^([+-])(\d\d):(\d\d)$/.exec(timezone) ?? [];
  const size = Number(hours ?? 0) * hour + Number(minutes ?? 0) * minute;
  const offset = sign === '-' ? -size : size;
  const format = new Intl.DateTimeFormat('en-GB', {
    timeZone: sign === undefined ? timezone : 'UTC',
    hourCycle: 'h23',
    weekday: 'short',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
  });
  return (moment) => {
    // as in "Sun 25/10, 02:30"
    const found = /(\w+),? (\d+)\/(\d+), (\d+):(\d+)/.exec(format.format(moment + offset)) ?? [];
    const [weekday = '', ...numbers] = found.slice(1);
    const [ofMonth = 0, month = 0, ofDay = 0, minutesShown = 0] = numbers.map(Number);
    return {
      minute: minutesShown,
      hour: ofDay,
      day: ofMonth,
      month,
      weekday: weekdays.indexOf(weekday),
    };
  };
}

/** Values that `*`, `5`, `1-5`, `1,3`, and steps of the first and third allow. */
function allowedBy(field: string): ReadonlySet<number> {
  const values = Array.from({ length: 60 }, (_, value) => value);
  return new Set(values.filter((value) => allows(field, value)));
}

function allows(field: string, value: number): boolean {
  return field.split(',').some((part) => {
    const [range = '', step = '1'] = part.split('/');
    const [low = '', high = range.includes('/') ? '59' : low] = range.split('-');
    const [from, to] = range === '*' ? [0, 59] : [Number(low), Number(high)];
    return value >= from && value <= to && (value - from) % Number(step) === 0;
  });
}

interface Span {
  readonly after: Millis;
  readonly until: Millis;
}

/** A minute as the clocks show it, whether they showed it before, and what they left out before it. */
interface Minute {
  readonly at: Millis;
  readonly shown: Reading;
  readonly isAgain: boolean;
  readonly leftOut: readonly Reading[];
}

/** Every minute of (after, until] on the clocks of a zone. */
export function minutesIn(timezone: string, { after, until }: Span): readonly Minute[] {
  const show = clockIn(timezone);
  const minutes: Minute[] = [];
  const seen = new Map<string, Millis>();
  const first = Math.floor((after - 3 * hour) / minute) * minute;
  let last = ofDay(show(first - minute));
  for (let at = first; at <= until; at += minute) {
    const shown = show(at);
    const name = `${shown.month} ${shown.day} ${shown.hour} ${shown.minute}`;
    const isAgain = at - (seen.get(name) ?? -Infinity) < 4 * hour;
    if (!isAgain) seen.set(name, at);
    const leap = (ofDay(shown) - last + 1_440) % 1_440;
    if (at > after) minutes.push({ at, shown, isAgain, leftOut: between(last, leap, shown) });
    last = ofDay(shown);
  }
  return minutes;
}

/**
 * The minutes a pattern is due. A reading that the clocks leave out is due at the minute of the
 * change; one that comes twice, the first time; a pattern of every hour knows neither.
 */
export function minutesDue(cron: string, minutes: readonly Minute[]): Millis[] {
  const [minutesField = '', hours = '', days = '', months = '', onWeekdays = ''] = cron.split(' ');
  // Each field is parsed once: there are 50,000 minutes.
  const [atMinute, atHour, onDay, inMonth, onWeekday] = [
    allowedBy(minutesField),
    allowedBy(hours),
    allowedBy(days),
    allowedBy(months),
    allowedBy(onWeekdays),
  ];
  const isHourly = hours.startsWith('*');
  const fits = (shown: Reading): boolean => {
    const isDay = onDay.has(shown.day);
    const { weekday } = shown;
    const isWeekday = onWeekday.has(weekday) || (weekday === 0 && onWeekday.has(7));
    return (
      atMinute.has(shown.minute) &&
      atHour.has(shown.hour) &&
      inMonth.has(shown.month) &&
      (days === '*' || onWeekdays === '*' ? isDay && isWeekday : isDay || isWeekday)
    );
  };
  return minutes
    .filter(({ shown, isAgain, leftOut }) =>
      isHourly ? fits(shown) : leftOut.some(fits) || (fits(shown) && !isAgain),
    )
    .map(({ at }) => at);
}

function ofDay(shown: Reading): number {
  return shown.hour * 60 + shown.minute;
}

/** The readings between two that follow one another; none where the clocks go back. */
function between(last: number, leap: number, shown: Reading): Reading[] {
  if (leap > 240) return [];
  return Array.from({ length: Math.max(0, leap - 1) }, (_, index) => {
    const at = (last + 1 + index) % 1_440;
    return { ...shown, hour: Math.floor(at / 60), minute: at % 60 };
  });
}
