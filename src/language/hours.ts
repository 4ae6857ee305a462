/** Hours of the week in which writes are allowed: `mon-fri 09:00-17:30 Europe/London`. */
import { day, minute, type Millis } from '../base/clock.ts';
import { zoneOf, type Zone } from './zone.ts';

/** A time range on the named days; if it ends past midnight, it belongs to the day on which it started. */
export interface Hours {
  readonly days: ReadonlySet<number>;
  /** Minutes since midnight; the end is exclusive. */
  readonly from: number;
  readonly to: number;
  readonly zone: Zone;
}

/** Days (default: all), times and a zone; undefined for any other text. */
export function hoursIn(text: string): Hours | undefined {
  const [, words, from = '', to = '', name = ''] =
    /^(?:([a-z,-]+) +)?(\d{2}:\d{2})-(\d{2}:\d{2}) +(\S+)$/i.exec(text.trim()) ?? [];
  const days = daysIn((words ?? 'sun-sat').toLowerCase());
  const [start, end] = [minutesIn(from), minutesIn(to)];
  if (days === undefined || start === undefined || end === undefined) return undefined;
  const zone = zoneOf(name);
  if (start === end || zone === undefined) return undefined;
  return { days, from: start, to: end, zone };
}

/** Hours as text, for messages. */
export const hoursHint = 'write days, times and a zone: mon-fri 09:00-17:30 Europe/London';

export function isWithin({ days, from, to, zone }: Hours, at: Millis): boolean {
  const local = new Date(at + zone(at));
  const weekday = local.getUTCDay();
  const minutes = (local.getTime() % day) / minute;
  if (from < to) return days.has(weekday) && minutes >= from && minutes < to;
  if (minutes >= from) return days.has(weekday);
  return minutes < to && days.has((weekday + 6) % 7);
}

const weekdays = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'];

function daysIn(text: string): ReadonlySet<number> | undefined {
  const days = new Set<number>();
  for (const part of text.split(',')) {
    const [first = '', last = first, ...rest] = part.split('-');
    const [start, end] = [weekdays.indexOf(first), weekdays.indexOf(last)];
    if (start === -1 || end === -1 || rest.length > 0) return undefined;
    for (let at = start; ; at = (at + 1) % 7) {
      days.add(at);
      if (at === end) break;
    }
  }
  return days;
}

function minutesIn(text: string): number | undefined {
  const [hours = '', minutes = ''] = text.split(':');
  const isTime = Number(hours) < 24 && Number(minutes) < 60;
  if (text === '24:00') return 24 * 60;
  return text !== '' && isTime ? Number(hours) * 60 + Number(minutes) : undefined;
}
