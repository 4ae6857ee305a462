/** What a run must consider lost, by the history of incarnations. */
import { expect, test } from 'vitest';
import { day, hour, minute } from '../../../src/base/clock.ts';
import { forgotOf, type Met } from '../../../src/stores/shared/forgotten.ts';

const now = Date.UTC(2026, 0, 5);

/** An incarnation met some time ago, whose newest line was older by `lost`; both clocks agree. */
function met(incarnation: string, ago: number, lost: number): Met {
  const [until, since] = [now - ago, now - ago - lost];
  return { incarnation, since, until, sinceAgo: ago + lost, untilAgo: ago };
}

const first: Met = { ...met('a', 300 * day, 0), since: null, until: null };

test('the first incarnation has forgotten nothing', () => {
  expect(forgotOf([first], undefined, now)).toBeUndefined();
  expect(forgotOf([first], 'a', now)).toBeUndefined();
});

test('a run looks back to what the database had when it forgot, until its first line after that', () => {
  const history = [first, met('b', 2 * hour, minute)];
  const window = { since: now - 2 * hour - minute, until: now - 2 * hour };
  expect(forgotOf(history, undefined, now)).toEqual({ ...window, isContinued: false });
  expect(forgotOf(history, 'a', now)).toEqual({ ...window, isContinued: false });
  expect(forgotOf(history, 'b', now)).toEqual({ ...window, isContinued: true });
});

test('a run looks back to the earliest of the losses since its last line', () => {
  const history = [
    first,
    met('b', 9 * hour, 4 * hour),
    met('c', 8 * hour, 5 * hour),
    met('d', hour, minute),
  ];
  const since = (stored: string): number | undefined => forgotOf(history, stored, now)?.since;
  expect(since('a')).toBe(now - 13 * hour);
  expect(since('b')).toBe(now - 13 * hour);
  expect(since('c')).toBe(now - hour - minute);
  expect(forgotOf(history, 'a', now)?.until).toBe(now - hour);
});

test('a run without lines looks back to the losses of 90 days, and always to the last one', () => {
  const history = [
    first,
    met('b', 200 * day, 60 * day),
    met('c', 80 * day, day),
    met('d', day, hour),
  ];
  expect(forgotOf(history, undefined, now)?.since).toBe(now - 81 * day);
  const old = forgotOf(history.slice(0, 2), undefined, now);
  expect(old).toEqual({ since: now - 260 * day, until: now - 200 * day, isContinued: false });
});

test('clocks that disagree make the window longer', () => {
  const each = met('b', hour, hour);
  const window = (more: Partial<Met>): unknown => forgotOf([first, { ...each, ...more }], 'a', now);
  const [since, until] = [now - 2 * hour, now - hour];
  const isContinued = false;
  // Another exchange, whose clock is years ahead, was asked when it was met.
  expect(window({ since: now + 900 * day, until: now + 900 * day })).toEqual({
    since,
    until: now,
    isContinued,
  });
  // Or years behind.
  expect(window({ since: 0, until: 0 })).toEqual({ since: 0, until, isContinued });
  // The clock of the database was set back, or on.
  expect(window({ sinceAgo: -hour, untilAgo: -hour })).toEqual({ since, until: now, isContinued });
  expect(window({ sinceAgo: day, untilAgo: day })).toEqual({
    since: now - day,
    until,
    isContinued,
  });
});
