/** How long a run has been in progress: by the clock of the page, as the ages beside it. */
import { expect, test } from 'vitest';
import { now } from '../../../src/serve/web/clock.ts';
import { tookText } from '../../../src/serve/web/took.ts';

test('a run in progress goes on with the clock, and shows the minutes that are over', () => {
  now.value = 2_000_000;
  const lastAt = (ago: number): number => now.value - ago;
  expect(tookText({ tookMs: 20, lastAt: lastAt(1_000) })).toBe('1.0 s');
  expect(tookText({ tookMs: 20, lastAt: lastAt(30_000) })).toBe('30 s');
  expect(tookText({ tookMs: 20, lastAt: lastAt(179_000) })).toBe('2 min');
  expect(tookText({ tookMs: 20, lastAt: now.value + 5_000 })).toBe('20 ms'); // of another clock
  expect(tookText({ tookMs: 20 })).toBe('20 ms');
});
