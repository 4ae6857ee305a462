/** Times before the run, durations, and times as text. */
import { hour, type Millis } from '../../../base/clock.ts';
import { later, startOf } from '../../calendar.ts';
import { composedText, integerType, timeType } from '../type.ts';
import { EvaluationError, Moment, type Value } from '../value.ts';
import { calendarHelpers } from './calendars.ts';
import { countOf, momentOf, spanOf, textOf, type Helper } from './define.ts';
import { windowHelpers } from './windows.ts';
import { daysIn, zonedMoment, zoneIn, zoneOption } from './zoned.ts';

const times = { group: 'time', gives: timeType } as const;

export const timeHelpers: Readonly<Record<string, Helper>> = {
  daysAgo: {
    ...times,
    usage: "daysAgo n tz='Europe/Berlin'",
    description: 'Start of the day n days before the run, in a zone (default UTC).',
    example: ["daysAgo 90 tz='Europe/Berlin'", 'a moment'],
    takes: ['number'],
    proofs: [daysIn],
    named: zoneOption,
    needsTime: 'always',
    evaluate: ([days], { tz }, now) => {
      const zone = zoneIn(tz);
      const today = startOf('day', now, zone);
      return new Moment(startOf('day', later(today, { days: -daysIn(days) }, zone), zone));
    },
  },
  hoursAgo: {
    ...times,
    usage: 'hoursAgo n',
    description: 'The moment n hours before the run.',
    example: ['hoursAgo 24', 'a moment'],
    takes: ['number'],
    proofs: [hoursOf],
    needsTime: 'always',
    evaluate: ([hours], _named, now) => new Moment(now - hoursOf(hours) * hour),
  },
  ...calendarHelpers,
  addTime: {
    ...times,
    usage: "addTime moment '-2h'",
    description: 'A time plus a duration: ms, s, m, h or d (24 hours).',
    example: ["addTime run.time '-2h'", 'a moment'],
    takes: ['time', 'duration'],
    proofs: [undefined, spanOf],
    evaluate: ([moment, span]) => new Moment(momentOf(moment) + spanOf(span)),
  },
  before: {
    ...times,
    usage: 'before moment',
    description:
      'The last millisecond before a time: the inclusive end of a range that excludes the time.',
    example: ["date (before '2026-12-01') 'yyyy-MM-dd HH:mm:ss.SSS'", '2026-11-30 23:59:59.999'],
    takes: ['time'],
    evaluate: ([moment]) => new Moment(momentOf(moment) - 1),
  },
  time: {
    ...times,
    usage: "time text tz='Europe/Berlin'",
    description:
      'A text such as 2026-11-01 or 2026-11-01T08:00 as the time of a zone (default UTC).',
    example: ["ms (time '1970-01-02' tz='+01:00')", '82800000'],
    takes: ['time'],
    named: zoneOption,
    evaluate: ([text], { tz = 'UTC' }) => new Moment(zonedMoment(text, tz)),
  },
  date: {
    group: 'time',
    gives: composedText,
    usage: "date moment 'yyyy-MM-dd' tz='Europe/Berlin'",
    description: 'A moment as text: yyyy, MM, dd, HH, mm, ss and SSS are filled in.',
    example: ["date 0 'yyyy-MM-dd HH:mm'", '1970-01-01 00:00'],
    takes: ['time', 'text'],
    named: zoneOption,
    evaluate: ([value, pattern], { tz }) => {
      const moment = zonedMoment(value, tz);
      return dated(moment + zoneIn(tz)(moment), textOf(pattern));
    },
  },
  ms: {
    group: 'time',
    gives: integerType,
    usage: 'ms moment',
    description: 'A moment as Unix milliseconds.',
    example: ['ms 1000', '1000'],
    takes: ['time'],
    evaluate: ([moment]) => momentOf(moment),
  },
  ...windowHelpers,
};

function hoursOf(value: Value | undefined): number {
  return countOf(value, 'hours');
}

function dated(local: Millis, pattern: string): string {
  const moment = new Date(local);
  if (Number.isNaN(moment.getTime())) throw new EvaluationError('the moment is out of range');
  const parts: Readonly<Record<string, number>> = {
    yyyy: moment.getUTCFullYear(),
    MM: moment.getUTCMonth() + 1,
    dd: moment.getUTCDate(),
    HH: moment.getUTCHours(),
    mm: moment.getUTCMinutes(),
    ss: moment.getUTCSeconds(),
    SSS: moment.getUTCMilliseconds(),
  };
  return pattern.replace(/yyyy|MM|dd|HH|mm|SSS|ss/g, (part) =>
    String(parts[part] ?? '').padStart(part.length, '0'),
  );
}
