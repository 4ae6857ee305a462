/** The times of schedules, checked against a search of every minute. */
import { describe, expect, test } from 'vitest';
import { day, type Millis } from '../../../src/base/clock.ts';
import {
  lastOccurrence,
  occurrenceAfter,
  occurrencesAfter,
  occurrencesWithin,
} from '../../../src/app/schedule/occurrences.ts';
import { minutesDue, minutesIn } from './minutes.ts';

const shown = (moments: Iterable<Millis>): string[] =>
  [...moments].map((moment) => new Date(moment).toISOString().slice(0, 16));

function first(cron: string, timezone: string, from: string, count = 3): string[] {
  const found: Millis[] = [];
  for (const occurrence of occurrencesAfter({ cron, timezone }, Date.parse(from))) {
    found.push(occurrence);
    if (found.length === count) break;
  }
  return shown(found);
}

describe('when clocks move forward', () => {
  const eve = '2027-03-27T12:00Z';

  test('a skipped time is due at the moment of the change', () => {
    expect(first('30 2 * * *', 'Europe/Berlin', eve)).toEqual([
      '2027-03-28T01:00',
      '2027-03-29T00:30',
      '2027-03-30T00:30',
    ]);
  });

  test('several skipped times, and one at that moment, are one occurrence', () => {
    expect(first('15,45 2,3 * * *', 'Europe/Berlin', eve)).toEqual([
      '2027-03-28T01:00',
      '2027-03-28T01:15',
      '2027-03-28T01:45',
    ]);
    expect(first('0 2,3 * * *', 'Europe/Berlin', eve, 2)).toEqual([
      '2027-03-28T01:00',
      '2027-03-29T00:00',
    ]);
  });

  test('half an hour is skipped like a whole one', () => {
    expect(first('10 2 * * *', 'Australia/Lord_Howe', '2026-10-03T00:00Z', 2)).toEqual([
      '2026-10-03T15:30',
      '2026-10-04T15:10',
    ]);
  });
});

describe('when clocks move back', () => {
  test('a repeated time is due the first time', () => {
    expect(first('30 2 * * *', 'Europe/Berlin', '2026-10-24T12:00Z', 2)).toEqual([
      '2026-10-25T00:30',
      '2026-10-26T01:30',
    ]);
  });

  test('a half-hourly pattern follows elapsed time', () => {
    expect(first('*/30 * * * *', 'Europe/Berlin', '2026-10-25T00:00Z', 4)).toEqual([
      '2026-10-25T00:30',
      '2026-10-25T01:00',
      '2026-10-25T01:30',
      '2026-10-25T02:00',
    ]);
  });
});

test('an offset is a zone without clock changes', () => {
  expect(first('15 2 * * *', '+08:00', '2026-10-24T12:00Z', 2)).toEqual([
    '2026-10-24T18:15',
    '2026-10-25T18:15',
  ]);
  expect(first('15 2 * * *', '-03:30', '2026-10-24T12:00Z', 1)).toEqual(['2026-10-25T05:45']);
});

test('a leap day is due every four years', () => {
  expect(first('0 12 29 2 *', 'UTC', '2026-10-24T12:00Z', 2)).toEqual([
    '2028-02-29T12:00',
    '2032-02-29T12:00',
  ]);
});

test('the last occurrence of a range is found from its end', () => {
  const timing = { cron: '0 12 29 2 *', timezone: 'UTC' };
  const until = Date.parse('2031-01-01T00:00Z');
  expect(shown([lastOccurrence(timing, { after: 0, until }) ?? 0])).toEqual(['2028-02-29T12:00']);
  expect(lastOccurrence(timing, { after: Date.parse('2028-02-29T12:00Z'), until })).toBeUndefined();
});

const patterns = [
  '30 2 * * *',
  '*/15 * * * *',
  '0 */2 * * *',
  '15,45 1-3 * * *',
  '10 2 1 * *',
  '59 1 * * 0',
  '0 3 13 * 5',
  '5 0 * 3,4,10,11 1-5',
] as const;
const zones = [
  'UTC',
  '+08:00',
  'Europe/Berlin',
  'America/New_York',
  'Australia/Lord_Howe',
  'America/St_Johns',
] as const;

describe.each(['2026-10-01T00:00Z', '2027-03-07T00:00Z'])('from %s on', (from) => {
  const span = { after: Date.parse(from), until: Date.parse(from) + 37 * day };

  test.each(zones)('in %s, every pattern is due as a check of every minute says', (timezone) => {
    const minutes = minutesIn(timezone, span);
    for (const cron of patterns) {
      const found = shown(occurrencesWithin({ cron, timezone }, span));
      expect(found, cron).toEqual(shown(minutesDue(cron, minutes)));
    }
  });
});

test('an occurrence is never before the previous one, nor skipped by the start of the search', () => {
  const timing = { cron: '15,45 1-3 * * *', timezone: 'Europe/Berlin' };
  const from = Date.parse('2026-10-24T00:00Z');
  const all = [...occurrencesWithin(timing, { after: from, until: from + 3 * day })];
  for (let at = from; at < from + 3 * day; at += 7 * 60_000) {
    expect(occurrenceAfter(timing, at)).toBe(
      all.find((occurrence) => occurrence > at) ?? occurrenceAfter(timing, at),
    );
  }
});
