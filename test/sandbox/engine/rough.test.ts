/** Floats only decide what is clear: at the last unit of money the exact sums do. */
import { describe, expect, test } from 'vitest';
import { btc, testEngine, funded, placing, positions, type TestEngine } from './support.ts';

/** An account with exactly so much, and someone to trade with. */
function begun(amount: string): TestEngine {
  const d = testEngine([{ ...btc, tiers: [{ from: '0', rate: '0.005' }] }]);
  funded(d, 'rich', { amount: '1000000000' });
  funded(d, 'exact', { amount });
  return d;
}

describe('an order for 123.456 at 100 holds a tenth of its value and a fee of 0.06 %', () => {
  test.each([
    ['exactly as much', '1241.96736', 'done'],
    ['one unit less', '1241.967359999999', '40762'],
    ['one unit more', '1241.967360000001', 'done'],
  ])('with %s', (_what, amount, outcome) => {
    expect(begun(amount).refusal(placing('exact', { size: '123.456' }))).toBe(outcome);
  });

  test('also after other orders have used their share', () => {
    const d = begun('2483.934719999999');
    d.place('exact', { size: '123.456' });
    expect(d.refusal(placing('exact', { size: '123.456' }))).toBe('40762');
    expect(d.refusal(placing('exact', { size: '123.455' }))).toBe('done');
  });
});

describe('a position survives with one unit more than its maintenance margin', () => {
  // 10 bought at 100 for 0.6; at 90.5 they have lost 95, and must be worth 4.525 and a fee of 0.543.
  test.each([
    ['one unit more', '100.668000000001', ['long 10.000']],
    ['exactly as much', '100.668', []],
    ['one unit less', '100.667999999999', []],
  ])('with %s', (_what, amount, left) => {
    const d = begun(amount);
    d.place('rich', { side: 'sell', size: '10' });
    d.place('exact', { size: '10' });
    expect(positions(d, 'exact')).toEqual(['long 10.000']);
    d.place('rich', { size: '10', price: '90.5' });
    d.act({ kind: 'set-price', category: 'USDT-FUTURES', symbol: 'BTCUSDT', mark: '90.5' });
    expect(positions(d, 'exact')).toEqual(left);
  });
});
