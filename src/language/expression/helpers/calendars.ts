/** Starts of days, weeks, months, quarters and years, and moments some days or months later, in a zone. */
import { later, startOf, type Period } from '../../calendar.ts';
import { timeType } from '../type.ts';
import { Moment } from '../value.ts';
import type { Helper } from './define.ts';
import { daysIn, monthsIn, zonedMoment, zoneIn, zoneOption } from './zoned.ts';

const times = { group: 'time', gives: timeType, named: zoneOption } as const;

export const calendarHelpers: Readonly<Record<string, Helper>> = {
  startOfDay: starting('day', 'Start of the day of a moment (default: of the run), in a zone.'),
  startOfWeek: starting(
    'week',
    'Start of the Monday at or before a moment (default: of the run), in a zone.',
  ),
  startOfMonth: starting(
    'month',
    'Start of the month of a moment (default: of the run), in a zone.',
  ),
  startOfQuarter: starting(
    'quarter',
    'Start of the quarter of a moment (default: of the run), in a zone.',
  ),
  startOfYear: starting('year', 'Start of the year of a moment (default: of the run), in a zone.'),
  addDays: {
    ...times,
    usage: "addDays moment n tz='Europe/Berlin'",
    description:
      'The same local time n calendar days later, in a zone: a day of a clock change has 23 or 25 hours.',
    example: ["date (addDays '2026-02-28' 1) 'yyyy-MM-dd'", '2026-03-01'],
    takes: ['time', 'number'],
    proofs: [undefined, daysIn],
    evaluate: ([moment, days], { tz }) =>
      new Moment(later(zonedMoment(moment, tz), { days: daysIn(days) }, zoneIn(tz))),
  },
  addMonths: {
    ...times,
    usage: "addMonths moment n tz='Europe/Berlin'",
    description:
      'The same local time n months later, in a zone; a day that the month does not have becomes its last one.',
    example: ["date (addMonths '2026-01-31' 1) 'yyyy-MM-dd'", '2026-02-28'],
    takes: ['time', 'number'],
    proofs: [undefined, monthsIn],
    evaluate: ([moment, months], { tz }) =>
      new Moment(later(zonedMoment(moment, tz), { months: monthsIn(months) }, zoneIn(tz))),
  },
};

function starting(period: Period, description: string): Helper {
  const name = `startOf${period.charAt(0).toUpperCase()}${period.slice(1)}`;
  return {
    ...times,
    usage: `${name} moment tz='Europe/Berlin'`,
    description,
    example: [`${name} tz='Europe/Berlin'`, 'a moment'],
    takes: ['time'],
    least: 0,
    needsTime: 'without arguments',
    evaluate: ([moment], { tz }, now) =>
      new Moment(startOf(period, moment === undefined ? now : zonedMoment(moment, tz), zoneIn(tz))),
  };
}
