import { expect, test } from 'vitest';
import { guardBook, tightest, type GuardRules } from '../../src/plan/guards.ts';

const order = (price: string, size: string, symbol = 'BTCUSDT') => ({
  address: `ladder[${price}]`,
  operation: 'futures/place-order' as const,
  input: { symbol, orderType: 'limit', price, size },
  mark: '100',
});

const broken = (rules: GuardRules, ...writes: ReturnType<typeof order>[]): string[] => {
  const book = guardBook(rules);
  return writes.flatMap((write) => [...book.add(write)]);
};

test('an order within every limit is let through', () => {
  const rules = { maxWrites: 1, maxNotional: '98', maxDistance: '0.02', symbols: ['BTCUSDT'] };
  expect(broken(rules, order('98', '1'))).toEqual([]);
});

test.each([
  ['writes', { maxWrites: 1 }, 'is write 2; 1 are allowed'],
  ['the value of all orders', { maxNotional: '195.9' }, 'worth 196; 195.9 is allowed'],
  ['the value of one order', { maxOrderNotional: '97.9' }, 'worth 98; 97.9 is allowed'],
  ['the distance from the mark', { maxDistance: '0.01' }, '-2.00 % away from the mark price'],
  ['symbols', { symbols: ['ETHUSDT'] }, 'BTCUSDT is not an allowed symbol'],
] as const)('a guard on %s holds an order back', (_name, rules, message) => {
  expect(broken(rules, order('98', '1'), order('98', '1')).join('\n')).toContain(message);
});

test('an order whose value cannot be told is held back, not let through', () => {
  const market = {
    ...order('', '1'),
    input: { symbol: 'BTCUSDT', orderType: 'market', size: '1' },
  };
  const { mark: _mark, ...unmarked } = market;
  expect(guardBook({ maxNotional: '1000000' }).add(unmarked)).toEqual([
    'ladder[]: its value cannot be told, for the mark price is unknown',
  ]);
});

test('leverage above the limit is held back', () => {
  const write = {
    address: 'leverage',
    operation: 'futures/set-all-leverage' as const,
    input: { productType: 'USDT-FUTURES', leverage: '10' },
  };
  expect(guardBook({ maxLeverage: 9 }).add(write)).toEqual(['leverage: leverage 10 is above 9']);
});

test('an author can tighten what the profile says and never loosen it', () => {
  const profile = { maxWrites: 10, maxNotional: '1000', symbols: ['BTCUSDT', 'ETHUSDT'] };
  expect(
    tightest(profile, { maxWrites: 20, maxNotional: '1000000', symbols: ['SOLUSDT'] }),
  ).toEqual({
    maxWrites: 10,
    maxNotional: '1000',
    symbols: [],
  });
  expect(tightest(profile, { maxWrites: 5, symbols: ['ETHUSDT', 'SOLUSDT'] })).toEqual({
    maxWrites: 5,
    maxNotional: '1000',
    symbols: ['ETHUSDT'],
  });
});
