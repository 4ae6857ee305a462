import { afterEach, expect, test } from 'vitest';
import {
  clockText,
  dayIn,
  inZone,
  momentText,
  startOfDay,
  zone,
  zoneLabel,
} from '../../../src/serve/web/zone.ts';

const at = Date.UTC(2026, 10, 30, 17, 10, 39, 720);

afterEach(() => {
  zone.value = 'browser';
});

test('each zone labels its times', () => {
  const shown = (): string[] => [momentText(at), clockText(at), zoneLabel(at)];
  zone.value = 'UTC';
  expect(shown()).toEqual(['2026-11-30 17:10 UTC', '17:10:39.720', 'UTC']);
  zone.value = 'exchange';
  expect(shown()).toEqual(['2026-12-01 01:10 UTC+8', '01:10:39.720', 'UTC+8']);
});

test('times in texts of the server are those of the zone, as precise as they were', () => {
  zone.value = 'exchange';
  for (const [text, shown] of [
    ['until 2026-11-30 17:10:39 UTC', 'until 2026-12-01 01:10:39 UTC+8'],
    [
      'up to 2026-11-30T17:10:39.720Z, in 2 looks',
      'up to 2026-12-01 01:10:39.720 UTC+8, in 2 looks',
    ],
    [
      '2026-11-30 17:10:39 to 2026-11-30 18:00:00.5 UTC',
      '2026-12-01 01:10:39 to 2026-12-01 02:00:00.5 UTC+8',
    ],
    ['2026-11-30T09:00Z could not start', '2026-11-30 17:00 UTC+8 could not start'],
    ['2026-11-30 17:10:39', '2026-11-30 17:10:39'],
    ['2026-11-30 17:10 UTC+3', '2026-11-30 17:10 UTC+3'],
  ] as const) {
    expect(inZone(text)).toBe(shown);
  }
});

test('a day begins at midnight of the zone', () => {
  zone.value = 'exchange';
  expect(dayIn(at)).toEqual({ year: 2026, month: 12, day: 1 });
  expect(startOfDay({ year: 2026, month: 12, day: 1 })).toBe(Date.UTC(2026, 10, 30, 16));
});
