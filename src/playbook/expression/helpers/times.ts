/** Moments, days and dates; always told in which zone. */
import { day, hour, minute, type Millis } from '../../../base/clock.ts';
import { integerType, listOf, recordOf, text, timeType } from '../type.ts';
import { EvaluationError, Moment, type Value } from '../value.ts';
import { countOf, momentOf, spanOf, textOf, type Helper, type Named } from './define.ts';

const times = { group: 'time', gives: timeType } as const;
const zone = { tz: { kind: 'text' } } as const;

export const timeHelpers: Readonly<Record<string, Helper>> = {
  daysAgo: {
    ...times,
    usage: "daysAgo n tz='+08:00'",
    description: 'Start of the day n days before the run, in a zone (UTC unless named).',
    example: ["daysAgo 90 tz='+08:00'", 'a moment'],
    takes: ['number'],
    named: zone,
    evaluate: ([days], named, now) =>
      new Moment(dayStart(now, offsetOf(named)) - countOf(days, 'days', 100_000) * day),
  },
  hoursAgo: {
    ...times,
    usage: 'hoursAgo n',
    description: 'The moment n hours before the run.',
    example: ['hoursAgo 24', 'a moment'],
    takes: ['number'],
    evaluate: ([hours], _named, now) => new Moment(now - countOf(hours, 'hours') * hour),
  },
  startOfDay: {
    ...times,
    usage: "startOfDay moment tz='+08:00'",
    description: 'Start of the day of a moment (of the run unless given), in a zone.',
    example: ["startOfDay tz='+08:00'", 'a moment'],
    takes: ['time'],
    least: 0,
    named: zone,
    evaluate: ([moment], named, now) =>
      new Moment(dayStart(moment === undefined ? now : momentOf(moment), offsetOf(named))),
  },
  addTime: {
    ...times,
    usage: "addTime moment '-2h'",
    description: 'A moment moved by a length of time: ms, s, m, h or d.',
    example: ["addTime run.time '-2h'", 'a moment'],
    takes: ['time', 'any'],
    evaluate: ([moment, span]) => new Moment(momentOf(moment) + spanOf(span)),
  },
  date: {
    group: 'time',
    gives: text,
    usage: "date moment 'yyyy-MM-dd' tz='+08:00'",
    description: 'A moment as text: yyyy, MM, dd, HH, mm, ss and SSS are filled in.',
    example: ["date 0 'yyyy-MM-dd HH:mm'", '1970-01-01 00:00'],
    takes: ['time', 'text'],
    named: zone,
    evaluate: ([moment, pattern], named) =>
      dated(momentOf(moment) + offsetOf(named), textOf(pattern)),
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
  windows: {
    group: 'time',
    gives: listOf(recordOf({ start: timeType, end: timeType })),
    usage: 'windows from to days=30',
    description: 'A span of time cut into windows of so many days, without gaps or overlaps.',
    example: ['length (windows 0 86400000 days=1)', '2'],
    takes: ['time', 'time'],
    named: { days: { kind: 'number', isRequired: true } },
    evaluate: ([from, to], named) =>
      windowsBetween(momentOf(from), momentOf(to), countOf(named['days'], 'days', 400) * day),
  },
};

function windowsBetween(from: Millis, to: Millis, length: Millis): Value {
  if (length <= 0) throw new EvaluationError('days must be above 0');
  const windows: Value[] = [];
  for (let start = from; start <= to && windows.length < 10_000; start += length) {
    windows.push({ start: new Moment(start), end: new Moment(Math.min(to, start + length - 1)) });
  }
  return windows;
}

function dayStart(moment: Millis, offset: Millis): Millis {
  return Math.floor((moment + offset) / day) * day - offset;
}

function offsetOf(named: Named): Millis {
  if (named['tz'] === undefined) return 0;
  const zoneName = textOf(named['tz']);
  const match = /^([+-])(\d{2}):(\d{2})$/.exec(zoneName);
  if (zoneName === 'UTC' || zoneName === 'Z') return 0;
  if (!match) throw new EvaluationError(`tz must be an offset such as '+08:00', not '${zoneName}'`);
  const size = Number(match[2]) * hour + Number(match[3]) * minute;
  return match[1] === '-' ? -size : size;
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
