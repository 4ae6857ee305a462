/** Which step results are final: those followed by another start in the same process. */
import { expect, test } from 'vitest';
import { decisionsIn } from '../../../src/engine/journal/decisions.ts';
import type { Entry, Event } from '../../../src/engine/journal/entry.ts';

const opened = (step: string): Event => ({ kind: 'opened', step });
const failed = (step: string): Event => ({ kind: 'closed', step, status: 'failed' });
const resumed: Event = { kind: 'resumed' };

const wentOnFrom = (step: string, ...events: readonly Event[]): number | undefined => {
  const entries = events.map((event, index): Entry => ({ seq: index + 1, at: index, ...event }));
  return decisionsIn(entries).wentOnFrom(step, () => ['a', 'b']);
};

test('a failure is final when another step of its list starts after it', () => {
  expect(wentOnFrom('a', opened('a'), failed('a'), opened('b'))).toBe(1);
  expect(wentOnFrom('a', resumed, opened('a'), failed('a'), opened('b'))).toBe(2);
});

test('a failure is not final when the others started before it', () => {
  expect(wentOnFrom('a', opened('a'), opened('b'), failed('a'))).toBe(undefined);
});

test('a failure that stopped the run is not final when a resume starts another step first', () => {
  expect(wentOnFrom('a', opened('a'), failed('a'), resumed, opened('b'))).toBe(undefined);
});
