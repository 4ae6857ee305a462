import { expect, test } from 'vitest';
import { appendTo } from '../../src/base/groups.ts';

test('a value is appended to the list of its key without a copy', () => {
  const first = [1];
  const groups = new Map([['a', first]]);
  appendTo(groups, 'a', 2);
  appendTo(groups, 'b', 3);
  expect([...groups]).toEqual([
    ['a', [1, 2]],
    ['b', [3]],
  ]);
  expect(groups.get('a')).toBe(first);
});
