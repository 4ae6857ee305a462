/** Differences between two values: none is lost, and each is named by its path. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { canonicalJson } from '../../../src/base/json.ts';
import { valueDifferences } from '../../../src/engine/plan/value-differences.ts';

const client = { name: 'Alpha', symbol: 'BTCUSDT', size: '0.010' };
const other = { name: 'Bravo', symbol: 'ETHUSDT', size: '0.20' };
const said = (was: unknown, is: unknown): readonly string[] =>
  valueDifferences('bids', was, is).map((one) => `${one.path}: ${one.was} → ${one.is}`);

test.each([
  [
    'a field of one member',
    [client, other],
    [client, { ...other, size: '0.30' }],
    ['bids.1.size: 0.20 → 0.30'],
  ],
  [
    'a member that is gone',
    [client, other],
    [other],
    [`bids.0: ${JSON.stringify(client)} → undefined`],
  ],
  [
    'a member that came',
    [other],
    [client, other],
    [`bids.0: undefined → ${JSON.stringify(client)}`],
  ],
  ['the order of members', ['a', 'b'], ['b', 'a'], ['bids: ["a","b"] → ["b","a"]']],
  ['a member that is there twice', ['a'], ['a', 'a'], ['bids.1: undefined → a']],
  ['a field that is new', { a: 1 }, { a: 1, b: { c: 2 } }, ['bids.b: undefined → {"c":2}']],
  ['the type', ['500'], [500], ['bids.0: "500" → 500']],
  ['the kind', {}, [], ['bids: {} → []']],
  ['a value that is there', undefined, null, ['bids: undefined → null']],
])('%s', (_what, was, is, expected) => {
  expect(said(was, is)).toEqual(expected);
});

test('values are equal if and only if nothing differs', () => {
  const value = fc.jsonValue({ maxDepth: 3 });
  fc.assert(
    fc.property(value, value, (was, is) => {
      const isEqual = canonicalJson(was) === canonicalJson(is);
      expect(valueDifferences('x', was, is).length === 0).toBe(isEqual);
      expect(valueDifferences('x', was, structuredClone(was))).toEqual([]);
      for (const each of valueDifferences('x', was, is)) expect(each.was).not.toBe(each.is);
    }),
    { numRuns: 2_000 },
  );
});
