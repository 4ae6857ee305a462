/** Times, days and dates, always with their time zone. */
import { day, hour, minute, type Millis } from '../../../base/clock.ts';
import { integerType, listOf, recordOf, text, timeType } from '../type.ts';
import { EvaluationError, Moment, type Value } from '../value.ts';
import { countOf, momentOf, spanOf, textOf, type Helper } from './define.ts';

const times = { group: 'time', gives: timeType } as const;
const zone = { tz: { kind: 'text', proof: offsetOf } } as const;

export const timeHelpers: Readonly<Record<string, Helper>> = {
  daysAgo: {
    ...times,
    usage: "daysAgo n tz='+08:00'",
    description: 'Start of the day n days before the run, in a zone (default UTC).',
    example: ["daysAgo 90 tz='+08:00'", 'a moment'],
    takes: ['number'],
    proofs: [daysOf],
    named: zone,
    needsTime: true,
    evaluate: ([days], { tz }, now) => new Moment(dayStart(now, offsetOf(tz)) - daysOf(days) * day),
  },
  hoursAgo: {
    ...times,
    usage: 'hoursAgo n',
    description: 'The moment n hours before the run.',
    example: ['hoursAgo 24', 'a moment'],
    takes: ['number'],
    proofs: [hoursOf],
    needsTime: true,
    evaluate: ([hours], _named, now) => new Moment(now - hoursOf(hours) * hour),
  },
  startOfDay: {
    ...times,
    usage: "startOfDay moment tz='+08:00'",
    description: 'Start of the day of a moment (default: of the run), in a zone.',
    example: ["startOfDay tz='+08:00'", 'a moment'],
    takes: ['time'],
    least: 0,
    named: zone,
    needsTime: true,
    evaluate: ([moment], { tz }, now) =>
      new Moment(dayStart(moment === undefined ? now : momentOf(moment), offsetOf(tz))),
  },
  addTime: {
    ...times,
    usage: "addTime moment '-2h'",
    description: 'A time plus a duration: ms, s, m, h or d.',
    example: ["addTime run.time '-2h'", 'a moment'],
    takes: ['time', 'duration'],
    proofs: [undefined, spanOf],
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
    evaluate: ([moment, pattern], { tz }) =>
      dated(momentOf(moment) + offsetOf(tz), textOf(pattern)),
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
    description: 'A time range split into windows of so many days, without gaps or overlaps.',
    example: ['length (windows 0 86400000 days=1)', '2'],
    takes: ['time', 'time'],
    named: { days: { kind: 'number', isRequired: true, proof: windowOf } },
    evaluate: ([from, to], { days }) =>
      windowsBetween(momentOf(from), momentOf(to), windowOf(days)),
  },
};

function windowsBetween(from: Millis, to: Millis, length: Millis): Value {
  const windows: Value[] = [];
  for (let start = from; start <= to && windows.length < 10_000; start += length) {
    windows.push({ start: new Moment(start), end: new Moment(Math.min(to, start + length - 1)) });
  }
  return windows;
}

function dayStart(moment: Millis, offset: Millis): Millis {
  return Math.floor((moment + offset) / day) * day - offset;
}

function daysOf(value: Value | undefined): number {
  return countOf(value, 'days', 100_000);
}

function hoursOf(value: Value | undefined): number {
  return countOf(value, 'hours');
}

function windowOf(value: Value | undefined): Millis {
  const days = countOf(value, 'days', 400);
  if (days <= 0) throw new EvaluationError('days must be above 0');
  return days * day;
}

/** The offset of a zone from UTC; default: UTC. */
function offsetOf(tz: Value | undefined): Millis {
  const name = tz === undefined ? 'UTC' : textOf(tz);
  if (name === 'UTC' || name === 'Z') return 0;
  const [, sign, hours, minutes] = /^([+-])(\d{2}):(\d{2})$/.exec(name) ?? [];
  const size = Number(hours) * hour + Number(minutes) * minute;
  if (size <= 14 * hour && Number(minutes) < 60) return sign === '-' ? -size : size;
  throw new EvaluationError(
    `tz must be an offset such as '+08:00', not '${name}'`,
    likelyOffset(name),
  );
}

/** The likely offset for a misspelled zone: `+08:00` for `+8` and `0800`. */
function likelyOffset(name: string): string | undefined {
  if (/^(utc|gmt|z)$/i.test(name)) return "did you mean 'UTC'?";
  const match = /^(?:UTC|GMT)?([+-]?)(\d{1,2})(?::?(\d{2}))?$/i.exec(name);
  if (match === null) return undefined;
  const [, sign, hours = '', minutes = '00'] = match;
  const likely = `${sign === '-' ? '-' : '+'}${hours.padStart(2, '0')}:${minutes}`;
  return likely === name ? undefined : `did you mean '${likely}'?`;
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
