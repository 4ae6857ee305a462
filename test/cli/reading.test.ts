/** The progress of an export, derived from its entries. */
import { expect, test } from 'vitest';
import { day, second } from '../../src/base/clock.ts';
import { readingProgress } from '../../src/report/terminal/reading.ts';
import type { Entry, Event } from '../../src/engine/journal/entry.ts';

const began = Date.UTC(2026, 10, 20);
const from = began - 60 * day;

let seq = 0;
const at = (ms: number, event: Event): Entry => ({ seq: ++seq, at: began + ms, ...event });

const reading: Event = {
  kind: 'reading',
  address: 'orders',
  operation: 'order/list-history',
  file: 'orders.csv',
  time: began,
  asked: { from, to: began },
};

/** A page of the window that starts this many days after the first moment. */
const paged = (page: number, days: number, left: number): Event => ({
  kind: 'paged',
  address: 'orders',
  page,
  rows: page * 100,
  duplicates: 0,
  window: { from: from + days * day, to: from + (days + 30) * day },
  reached: from + (days + left) * day,
  ...(left === 0 && { isLast: true as const }),
  kept: { bytes: 1, crc: 1, names: { bytes: 1, crc: 1 } },
});

test('shows rows, pages, windows, waits, share and the remaining time', () => {
  const progress = readingProgress();
  expect(progress.add(at(0, reading))).toBeUndefined();
  const first = progress.add(at(1 * second, paged(12, 0, 24)));
  expect(first).toEqual({
    address: 'orders',
    text: '1,200 rows, 12 pages, window 1 of 2, 10 %',
    isDue: false,
  });
  const waited = { address: 'orders', operation: 'order/list-history', why: 'limit' } as const;
  expect(progress.add(at(5 * second, { kind: 'waited', ...waited, ms: 3_000 }))).toBeUndefined();
  expect(progress.add(at(11 * second, paged(60, 0, 0)))).toEqual({
    address: 'orders',
    text: '6,000 rows, 60 pages, window 1 of 2, 3.0 s waited for the rate limit, 50 %, about 13 s left',
    isDue: true,
  });
  expect(progress.add(at(12 * second, paged(61, 30, 15)))?.text).toContain('window 2 of 2');
});

test('a resumed export continues the count and measures only its own time', () => {
  const progress = readingProgress();
  progress.add(at(0, reading));
  progress.add(at(1 * second, paged(12, 0, 24)));
  progress.add(at(100_000 * second, { kind: 'resumed' }));
  expect(progress.add(at(100_001 * second, paged(13, 0, 21)))?.text).toBe(
    '1,300 rows, 13 pages, window 1 of 2, 15 %',
  );
  expect(progress.add(at(100_006 * second, paged(20, 0, 9)))?.text).toBe(
    '2,000 rows, 20 pages, window 1 of 2, 35 %, about 16 s left',
  );
});

test('an export without times shows rows and pages', () => {
  const progress = readingProgress();
  const { asked: _asked, ...timeless } = reading;
  progress.add(at(0, timeless));
  const {
    window: _window,
    reached: _reached,
    ...page
  } = paged(2, 0, 5) as Extract<Event, { readonly kind: 'paged' }>;
  expect(progress.add(at(1, page))?.text).toBe('200 rows, 2 pages');
});
