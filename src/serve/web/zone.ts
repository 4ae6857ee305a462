/** The time zone of all times on the page: the browser's, UTC, or that of the exchange, as chosen here. */
import { signal } from '@preact/signals';

export const zones = ['browser', 'UTC', 'exchange'] as const;
type Zone = (typeof zones)[number];

const minute = 60_000;
const exchangeOffset = 8 * 60; // minutes: the days of the exchange begin at 16:00 UTC
export const zone = signal<Zone>('browser');

/** The choice in words: `browser, UTC+1`. */
export function zoneWords(now: number): string {
  return zone.value === 'UTC' ? 'UTC' : `${zone.value}, ${zoneLabel(now)}`;
}

/** The choice for the server, which counts days in it: `Europe/Berlin`, `UTC`, `+08:00`. */
export function zoneName(): string {
  switch (zone.value) {
    case 'browser':
      return new Intl.DateTimeFormat().resolvedOptions().timeZone;
    case 'UTC':
      return 'UTC';
    case 'exchange':
      return '+08:00';
  }
}

/** How a time is labelled: `UTC+1`, `UTC-3:30`, `UTC`. */
export function zoneLabel(at: number): string {
  const offset = offsetOf(at);
  if (offset === 0) return 'UTC';
  const [hours, minutes] = [Math.floor(Math.abs(offset) / 60), Math.abs(offset) % 60];
  const rest = minutes === 0 ? '' : `:${String(minutes).padStart(2, '0')}`;
  return `UTC${offset < 0 ? '-' : '+'}${hours}${rest}`;
}

/** A date and time with its zone: `2026-11-30 08:10 UTC+1`. */
export function momentText(at: number): string {
  return `${shifted(at).slice(0, 16)} ${zoneLabel(at)}`;
}

/** The time of a moment with seconds. */
export function exactText(at: number): string {
  return `${shifted(at).slice(0, 19)} ${zoneLabel(at)}`;
}

/** The time of day with milliseconds, without its zone: `08:10:39.720`. */
export function clockText(at: number): string {
  return shifted(at).slice(11);
}

/** A day of the calendar. */
export interface Day {
  readonly year: number;
  readonly month: number;
  readonly day: number;
}

/** The day of a time in the chosen zone. */
export function dayIn(at: number): Day {
  const [year = 0, month = 0, day = 0] = shifted(at).slice(0, 10).split('-').map(Number);
  return { year, month, day };
}

/** The midnight at which a day begins in the chosen zone; its number may exceed those of the month. */
export function startOfDay({ year, month, day }: Day): number {
  if (zone.value === 'browser') return new Date(year, month - 1, day).getTime();
  return Date.UTC(year, month - 1, day) - offsetOf(0) * minute;
}

const stamp = String.raw`\d{4}-\d\d-\d\d[ T]\d\d:\d\d(?::\d\d(?:\.\d{1,3})?)?`;
const labelled = new RegExp(
  String.raw`\b(?:(${stamp}) (to|instead of) )?(${stamp})(?: UTC\b(?![+-]\d)|Z\b)`,
  'g',
);

/** A text of the server with its times in the chosen zone: it has them in UTC, and says so. */
export function inZone(text: string): string {
  return text.replace(labelled, (_all, from: string | undefined, word = '', to = '') => {
    const before = from === undefined ? '' : `${restamped(from)} ${word} `;
    return `${before}${restamped(to)} ${zoneLabel(parsed(to))}`;
  });
}

/** A time of a text in the chosen zone, as precise as it was. */
function restamped(text: string): string {
  return shifted(parsed(text)).slice(0, text.length);
}

function parsed(text: string): number {
  return Date.parse(`${text.replace(' ', 'T')}Z`);
}

function shifted(at: number): string {
  return new Date(at + offsetOf(at) * minute).toISOString().slice(0, 23).replace('T', ' ');
}

/** The minutes by which the chosen zone is ahead of UTC at a time. */
function offsetOf(at: number): number {
  switch (zone.value) {
    case 'browser':
      return -new Date(at).getTimezoneOffset();
    case 'UTC':
      return 0;
    case 'exchange':
      return exchangeOffset;
  }
}
