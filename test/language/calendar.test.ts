/** Calendar arithmetic in named zones, compared with the clocks of Intl: DST, skipped midnights, ends of months. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { hour, minute, type Millis } from '../../src/base/clock.ts';
import { later, startOf, type Period } from '../../src/language/calendar.ts';
import { zoneOf, type Zone } from '../../src/language/zone.ts';

function zone(name: string): Zone {
  const found = zoneOf(name);
  if (found === undefined) throw new Error(`${name} is not a zone`);
  return found;
}

const formats = new Map<string, Intl.DateTimeFormat>();

/** What clocks of a zone show, by another part of Intl than the one we use: `2026-03-29 03:00:00`. */
function shown(moment: Millis, name: string): string {
  const format =
    formats.get(name) ??
    new Intl.DateTimeFormat('sv-SE', {
      timeZone: name,
      dateStyle: 'short',
      timeStyle: 'medium',
      hourCycle: 'h23',
    });
  formats.set(name, format);
  return format.format(moment);
}

const at = (text: string): Millis => Date.parse(text);

describe('a day of a clock change', () => {
  test.each([
    ['Europe/Berlin', '2026-03-29T12:00Z', 23 * hour],
    ['Europe/Berlin', '2026-10-25T12:00Z', 25 * hour],
    ['America/New_York', '2026-03-08T12:00Z', 23 * hour],
    ['America/New_York', '2026-11-01T12:00Z', 25 * hour],
    ['Australia/Lord_Howe', '2026-10-04T06:00Z', 23 * hour + 30 * minute],
    ['Australia/Lord_Howe', '2026-04-05T06:00Z', 24 * hour + 30 * minute],
    ['America/Sao_Paulo', '2018-11-04T12:00Z', 23 * hour],
    ['Asia/Beirut', '2026-03-29T12:00Z', 23 * hour],
    ['Asia/Singapore', '2026-03-29T12:00Z', 24 * hour],
  ])('in %s that includes %s has its length', (name, moment, length) => {
    const start = startOf('day', at(moment), zone(name));
    expect(startOf('day', start + 26 * hour, zone(name)) - start).toBe(length);
  });

  test.each([
    ['America/Sao_Paulo', '2018-11-04T12:00Z', '2018-11-04 01:00:00'],
    ['Asia/Beirut', '2026-03-29T12:00Z', '2026-03-29 01:00:00'],
    ['Pacific/Apia', '2011-12-31T12:00Z', '2012-01-01 00:00:00'],
  ])('in %s starts when clocks skip its midnight: %s', (name, moment, wanted) => {
    expect(shown(startOf('day', at(moment), zone(name)), name)).toBe(wanted);
  });
});

test('days and months later keep the local time through a clock change', () => {
  const berlin = zone('Europe/Berlin');
  const noon = at('2026-03-28T11:00Z');
  expect(later(noon, { days: 1 }, berlin) - noon).toBe(23 * hour);
  expect(shown(later(noon, { months: 1 }, berlin), 'Europe/Berlin')).toBe('2026-04-28 12:00:00');
});

test('a local time that clocks skip becomes the moment of their change', () => {
  const from = at('2026-03-28T01:30Z'); // 02:30, which the next day does not have
  const next = later(from, { days: 1 }, zone('Europe/Berlin'));
  expect(shown(next, 'Europe/Berlin')).toBe('2026-03-29 03:00:00');
  expect(shown(next - 1, 'Europe/Berlin')).toBe('2026-03-29 01:59:59');
});

test('a local time that clocks show twice keeps the offset that it has', () => {
  const berlin = zone('Europe/Berlin');
  const [first, second] = [at('2026-10-25T00:30Z'), at('2026-10-25T01:30Z')];
  expect([later(first, {}, berlin), later(second, {}, berlin)]).toEqual([first, second]);
  expect(later(at('2026-10-24T00:30Z'), { days: 1 }, berlin)).toBe(first);
  expect(later(at('2026-10-26T01:30Z'), { days: -1 }, berlin)).toBe(second);
});

test.each([
  ['2026-01-31T00:00Z', 1, '2026-02-28'],
  ['2028-01-31T00:00Z', 1, '2028-02-29'],
  ['2026-03-31T00:00Z', -1, '2026-02-28'],
  ['2026-12-31T00:00Z', 2, '2027-02-28'],
  ['2026-01-15T00:00Z', -13, '2024-12-15'],
  ['0001-03-31T00:00Z', -1, '0001-02-28'],
])('%s and %d months later: the end of a month stays in its month', (from, months, wanted) => {
  const moment = later(at(from), { months }, zone('UTC'));
  expect(new Date(moment).toISOString().slice(0, 10)).toBe(wanted);
});

const zones = fc.constantFrom(...Intl.supportedValuesOf('timeZone'));
const moments = fc.integer({ min: Date.UTC(1970, 0, 5), max: Date.UTC(2045, 0) });

/** The first date of a period, from a date such as `2026-11-19`. */
const firstDates: Readonly<Record<Period, (date: string) => string>> = {
  day: (date) => date,
  week: (date) => {
    const midnight = new Date(`${date}T00:00Z`);
    const days = (midnight.getUTCDay() + 6) % 7;
    return new Date(midnight.getTime() - days * 24 * hour).toISOString().slice(0, 10);
  },
  month: (date) => `${date.slice(0, 7)}-01`,
  quarter: (date) => {
    const month = 1 + 3 * Math.floor((Number(date.slice(5, 7)) - 1) / 3);
    return `${date.slice(0, 4)}-${String(month).padStart(2, '0')}-01`;
  },
  year: (date) => `${date.slice(0, 4)}-01-01`,
};

test('of any moment in any zone, a period starts with the first moment of its first date', () => {
  const periods = fc.constantFrom<Period>('day', 'week', 'month', 'quarter', 'year');
  fc.assert(
    fc.property(zones, moments, periods, (name, moment, period) => {
      const start = startOf(period, moment, zone(name));
      const first = firstDates[period](shown(moment, name).slice(0, 10));
      expect(start).toBeLessThanOrEqual(moment);
      expect(shown(start, name) >= `${first} 00:00:00`).toBe(true);
      expect(shown(start - 1, name) < `${first} 00:00:00`).toBe(true);
      const clocks = shown(start, name);
      if (!clocks.endsWith('00:00:00')) {
        // Clocks skip midnight: before the start they show the day before.
        expect(zone(name)(start)).toBeGreaterThan(zone(name)(start - 1));
      }
      expect(startOf(period, start, zone(name))).toBe(start);
    }),
    { numRuns: 3_000 },
  );
});

test('of any moment in any zone, days later have the same time on the clock, or are at its change', () => {
  fc.assert(
    fc.property(zones, moments, fc.integer({ min: -400, max: 400 }), (name, moment, days) => {
      const found = later(moment, { days }, zone(name));
      const local = new Date(`${shown(moment, name).replace(' ', 'T')}Z`).getTime();
      const wanted = new Date(local + days * 24 * hour).toISOString();
      if (shown(found, name).replace(' ', 'T') !== wanted.slice(0, 19)) {
        expect(zone(name)(found)).toBeGreaterThan(zone(name)(found - 1));
        expect(shown(found - 1, name).replace(' ', 'T') < wanted).toBe(true);
        expect(shown(found, name).replace(' ', 'T') > wanted).toBe(true);
      }
      expect(later(moment, {}, zone(name))).toBe(moment);
    }),
    { numRuns: 3_000 },
  );
});
