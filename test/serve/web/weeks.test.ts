import { afterEach, expect, test } from 'vitest';
import { dayOf, moved, weeksTo } from '../../../src/serve/web/weeks.ts';
import { zone } from '../../../src/serve/web/zone.ts';

const hour = 3_600_000;

afterEach(() => {
  zone.value = 'browser';
});

test('a calendar has five weeks from Monday to Sunday, of which the last has the day', () => {
  zone.value = 'UTC';
  for (const last of ['2026-11-30', '2026-12-03', '2026-12-06']) {
    const weeks = weeksTo(last);
    expect(weeks.map((week) => [week[0]?.name, week.length])).toEqual(
      ['2026-11-02', '2026-11-09', '2026-11-16', '2026-11-23', '2026-11-30'].map((at) => [at, 7]),
    );
    expect(weeks.at(-1)?.at(-1)).toMatchObject({ name: '2026-12-06', label: '6' });
    expect(weeks[0]?.[0]).toMatchObject({ label: '2 Nov', words: 'Monday, 2 November 2026' });
    expect(weeks[4]?.[1]?.label).toBe('1 Dec');
  }
});

test('a day ends when the next begins, in each zone, also where clocks change', () => {
  for (const each of ['browser', 'UTC', 'exchange'] as const) {
    zone.value = each;
    const days = weeksTo('2026-03-31').flat();
    expect(days.slice(1).map(({ at }) => at)).toEqual(days.slice(0, -1).map(({ until }) => until));
  }
  zone.value = 'exchange';
  expect(weeksTo('2026-11-30')[4]?.[0]?.at).toBe(Date.UTC(2026, 10, 30) - 8 * hour);
  zone.value = 'browser';
  expect(weeksTo('2026-11-30')[4]?.[0]?.at).toBe(new Date(2026, 10, 30).getTime());
});

test('an address that names no day is that of today, in the zone of the page', () => {
  zone.value = 'exchange';
  const now = Date.UTC(2026, 10, 30, 17);
  for (const wrong of [null, '', '2026-02-30', '26-11-30', '2026-11-30T00:00', 'today']) {
    expect([wrong, dayOf(wrong, now)]).toEqual([wrong, '2026-12-01']);
  }
  expect(dayOf('2026-10-05', now)).toBe('2026-10-05');
  expect([moved('2026-11-30', 1), moved('2026-01-01', -35)]).toEqual(['2026-12-01', '2025-11-27']);
});
