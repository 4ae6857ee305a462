import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { atMost } from '../../../src/serve/web/clock.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test('work is done once in an interval, the last time after the last call', () => {
  let count = 0;
  const soon = atMost(400, new AbortController().signal, () => count++);
  for (let call = 0; call < 3; call++) soon();
  vi.advanceTimersByTime(0);
  expect(count).toBe(1);
  soon();
  vi.advanceTimersByTime(399);
  expect(count).toBe(1);
  vi.advanceTimersByTime(1);
  expect(count).toBe(2);
});

test('work that waits is not done when its page has gone: its answer would replace a newer one', () => {
  const end = new AbortController();
  let count = 0;
  const soon = atMost(400, end.signal, () => count++);
  soon();
  end.abort();
  vi.advanceTimersByTime(1_000);
  expect(count).toBe(0);
});
