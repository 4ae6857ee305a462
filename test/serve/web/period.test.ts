import { expect, test } from 'vitest';
import { lastPeriods, periodOf } from '../../../src/serve/web/period.ts';

const now = new Date(2026, 10, 20, 9, 30, 15).getTime();

test('a last period begins at a whole minute, so that a page reads it again once a minute', () => {
  const { since = NaN, until } = periodOf('24h', now) ?? {};
  expect([new Date(since), until]).toEqual([new Date(2026, 10, 19, 9, 30), undefined]);
  expect(periodOf('24h', now + 44_999)).toEqual(periodOf('24h', now));
  expect(periodOf('24h', now + 45_000)).not.toEqual(periodOf('24h', now));
  expect(lastPeriods.map(({ name }) => periodOf(name, now)?.since)).not.toContain(undefined);
});

test('today and yesterday are days of the reader, also across a month and a change of clocks', () => {
  for (const [month, day] of [
    [10, 20],
    [11, 1],
    [2, 29],
    [9, 25],
  ] as const) {
    const time = new Date(2026, month, day, 23, 59).getTime();
    expect(periodOf('today', time)).toEqual({
      since: new Date(2026, month, day).getTime(),
      until: new Date(2026, month, day + 1).getTime(),
    });
    expect(periodOf('yesterday', time)).toEqual({
      since: new Date(2026, month, day - 1).getTime(),
      until: new Date(2026, month, day).getTime(),
    });
  }
});

test('a day is one of the reader: from midnight to midnight, also where it has 23 or 25 hours', () => {
  const days = ['2026-11-20', '2026-12-31', '2024-02-29', '2026-03-29', '2026-10-25', '2026-03-08'];
  for (const text of days) {
    const { since = NaN, until = NaN } = periodOf(text, now) ?? {};
    const [year = NaN, month = NaN, day = NaN] = text.split('-').map(Number);
    expect(new Date(since)).toEqual(new Date(year, month - 1, day));
    expect(new Date(until)).toEqual(new Date(year, month - 1, day + 1));
  }
});

test('a month is one of the reader, also across a year', () => {
  const january = new Date(2026, 0, 31, 23, 59).getTime();
  expect(periodOf('this-month', january)).toEqual({
    since: new Date(2026, 0, 1).getTime(),
    until: new Date(2026, 1, 1).getTime(),
  });
  expect(periodOf('last-month', january)).toEqual({
    since: new Date(2025, 11, 1).getTime(),
    until: new Date(2026, 0, 1).getTime(),
  });
});

test('a range has its first and its last day, and may have only one of them', () => {
  const [since, until] = [new Date(2026, 9, 30).getTime(), new Date(2026, 10, 3).getTime()];
  expect(periodOf('2026-10-30..2026-11-02', now)).toEqual({ since, until });
  expect(periodOf('2026-10-30..', now)).toEqual({ since });
  expect(periodOf('..2026-11-02', now)).toEqual({ since: 0, until });
});

test.each([
  '..',
  'x..',
  '2026-10-30..x',
  '2026-10-30..2026-11-02..',
  'all',
  '',
  '2h',
  '24H',
  '2026-02-30',
  '2026-13-01',
  '2026-1-1',
  '0001-01-01',
  'constructor',
])('%j is no period', (text) => {
  expect(periodOf(text, now)).toBeUndefined();
});
