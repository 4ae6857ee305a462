/** Values of a plan compared with current responses. */
import { expect, test } from 'vitest';
import type { Json } from '../../../src/base/json.ts';
import { movedValues } from '../../../src/engine/plan/values.ts';

const uses = { isWhole: true, isCounted: true, members: new Map() };
const room = { move: '0.01', passed: 0 };

/** The paths of what moved in a row of tickers. */
const moved = (was: Readonly<Record<string, Json>>, is: Readonly<Record<string, Json>>) =>
  movedValues([was], { operation: 'market/list-tickers', uses, values: [is] }, room).map(
    ({ path }) => path.join('.'),
  );

test('a field that is not set is the same one when it is empty, null or absent', () => {
  const forms: readonly Readonly<Record<string, Json>>[] = [
    { symbol: 'BTCUSDT', deliveryStatus: '' },
    { symbol: 'BTCUSDT', deliveryStatus: null },
    { symbol: 'BTCUSDT' },
  ];
  for (const was of forms) for (const is of forms) expect(moved(was, is)).toEqual([]);
});

test('a field that is set is another one when it is not', () => {
  const set = { symbol: 'BTCUSDT', deliveryStatus: 'delivery_pre' };
  for (const is of [
    { ...set, deliveryStatus: '' },
    { ...set, deliveryStatus: null },
  ]) {
    expect(moved(set, is)).toEqual(['0.deliveryStatus']);
    expect(moved(is, set)).toEqual(['0.deliveryStatus']);
  }
  expect(moved(set, { symbol: 'BTCUSDT' })).toEqual(['0.deliveryStatus']);
});
