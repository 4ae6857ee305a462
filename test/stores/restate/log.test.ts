/** Lists in an object of Restate: what is added, removed and old. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { standingClock } from '../../../src/base/clock.ts';
import {
  addTo,
  dropBefore,
  endsOf,
  pageAt,
  removeAt,
} from '../../../src/stores/restate/objects/log.ts';
import type { Invocation } from '../../../src/stores/restate/objects/object.ts';
import { forgetOldest, olderThan, remember } from '../../../src/stores/restate/objects/outdated.ts';
import { invocationOver } from './memory.ts';

async function allOf(invocation: Invocation, log: string): Promise<readonly number[]> {
  const { from, to } = await endsOf(invocation, log);
  const found: (number | null)[] = [];
  for (let at = from; at < to;) {
    const { entries, next } = await pageAt<number>(invocation, log, at);
    found.push(...entries);
    at = next;
  }
  return found.filter((entry) => entry !== null);
}

test('it has what was added and not removed, in order, whatever happens in between', async () => {
  const step = fc.oneof(
    fc.record({ kind: fc.constant('add' as const), count: fc.integer({ min: 1, max: 130 }) }),
    fc.record({
      kind: fc.constant('drop' as const),
      part: fc.float({ min: 0, max: 1, noNaN: true }),
    }),
    fc.record({ kind: fc.constant('remove' as const), at: fc.nat(600) }),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 12 }), async (steps) => {
      const values = new Map<string, unknown>();
      const invocation = invocationOver(values);
      const expected = new Map<number, number>(); // entries by their position
      let to = 0;
      let from = 0;
      for (const each of steps) {
        if (each.kind === 'add') {
          for (let count = 0; count < each.count; count++, to++) {
            await addTo(invocation, 'log', to);
            expected.set(to, to);
          }
        } else if (each.kind === 'drop') {
          from = Math.max(from, from + Math.floor((to - from) * each.part));
          await dropBefore(invocation, 'log', from);
          for (const position of expected.keys()) if (position < from) expected.delete(position);
        } else if (each.at < to) {
          await removeAt<number>(invocation, 'log', each.at, (entry) => entry === each.at);
          expected.delete(each.at);
        }
        expect(await allOf(invocation, 'log')).toEqual([...expected.values()]);
        expect(await endsOf(invocation, 'log')).toEqual({ from, to });
      }
      const pages = [...values.keys()].filter((name) => /\d$/.test(name));
      expect(pages.length).toBeLessThanOrEqual(Math.ceil((to - from) / 100) + 2);
    }),
    { numRuns: 60 },
  );
});

test('the oldest are found and forgotten, and a younger one before an older one waits for its time', async () => {
  const clock = standingClock(1_000);
  const invocation = invocationOver(new Map(), { clock });
  for (let at = 0; at < 250; at++) await remember(invocation, 'old', { id: `p-${at}`, at });
  await remember(invocation, 'old', { id: 'late', at: 900 });
  await remember(invocation, 'old', { id: 'behind', at: 3 });
  expect(await olderThan(invocation, 'old', 1_000)).toEqual([]);
  expect(await olderThan(invocation, 'old', 990)).toHaveLength(10); // before 10
  expect(await olderThan(invocation, 'old', 500)).toHaveLength(250);
  expect(await olderThan(invocation, 'old', 500, 120)).toHaveLength(120);
  await forgetOldest(invocation, 'old', 120);
  expect((await olderThan(invocation, 'old', 500))[0]).toBe('p-120');
  await forgetOldest(invocation, 'old', 130);
  expect(await olderThan(invocation, 'old', 500)).toEqual([]);
  expect(await olderThan(invocation, 'old', 50)).toEqual(['late', 'behind']);
});
