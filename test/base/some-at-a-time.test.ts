/** Work on many items, some at a time. */
import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { someAtATime } from '../../src/base/some-at-a-time.ts';

test('as many as allowed are in progress, and the results are in the order of the items', async () => {
  const items = Array.from({ length: 20 }, (_, at) => at);
  let going = 0;
  let most = 0;
  const results = await someAtATime(items, 4, async (item) => {
    most = Math.max(most, ++going);
    for (let turn = 0; turn < 20 - item; turn++) await setImmediate();
    going -= 1;
    return item * 2;
  });
  expect(most).toBe(4);
  expect(results).toEqual(items.map((item) => item * 2));
});

test('nothing is begun after an error, which is thrown', async () => {
  const begun: number[] = [];
  const work = someAtATime([0, 1, 2, 3, 4, 5], 2, async (item) => {
    begun.push(item);
    await setImmediate();
    if (item === 1) throw new Error('the second');
    await setImmediate();
  });
  await expect(work).rejects.toThrow('the second');
  const before = begun.length;
  for (let turn = 0; turn < 20; turn++) await setImmediate();
  expect(begun.length).toBe(before);
});
