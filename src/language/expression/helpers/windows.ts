/** Splits a time range into windows of days or calendar months. */
import type { Millis } from '../../../base/clock.ts';
import { later } from '../../calendar.ts';
import type { Zone } from '../../zone.ts';
import { listOf, recordOf, timeType } from '../type.ts';
import { EvaluationError, itemsHint, Moment, TooManyError, type Value } from '../value.ts';
import type { Helper } from './define.ts';
import { daysIn, monthsIn, zonedMoment, zoneIn, zoneOption } from './zoned.ts';

export const windowHelpers: Readonly<Record<string, Helper>> = {
  windows: {
    group: 'time',
    gives: listOf(recordOf({ start: timeType, end: timeType })),
    usage: "windows from to days=30 tz='Europe/Berlin'",
    description:
      'A time range, both ends included, split into windows of so many days=, or months=, of a zone, without gaps or overlaps.',
    example: ["length (windows '2026-01-01' (before '2027-01-01') months=3)", '4'],
    takes: ['time', 'time'],
    oneOf: ['days', 'months'],
    named: {
      days: { kind: 'number', proof: (days) => above(daysIn(days), 'days') },
      months: { kind: 'number', proof: (months) => above(monthsIn(months), 'months') },
      ...zoneOption,
    },
    evaluate: ([from, to], { days, months, tz }, _now, itemsMax) => {
      const range = { from: zonedMoment(from, tz), to: zonedMoment(to, tz) };
      const length =
        days === undefined
          ? { months: above(monthsIn(months), 'months') }
          : { days: above(daysIn(days), 'days') };
      return windowsIn(range, length, zoneIn(tz), itemsMax);
    },
  },
};

/** Each window starts whole days or months after the range; a day that a zone skips has none. */
function windowsIn(
  { from, to }: { readonly from: Millis; readonly to: Millis },
  { days = 0, months = 0 }: { readonly days?: number; readonly months?: number },
  zone: Zone,
  itemsMax: number,
): Value {
  const windows: Value[] = [];
  let start = from;
  for (let index = 1; start <= to; index++) {
    const next = later(from, { days: days * index, months: months * index }, zone);
    if (next > start) {
      windows.push({ start: new Moment(start), end: new Moment(Math.min(to, next - 1)) });
    }
    if (windows.length > itemsMax) {
      throw new TooManyError(`there are more than ${itemsMax} windows`, itemsHint(itemsMax));
    }
    start = next;
  }
  return windows;
}

function above(count: number, what: string): number {
  if (count > 0) return count;
  throw new EvaluationError(`${what} must be above 0`);
}
