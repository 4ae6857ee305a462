import fc from 'fast-check';
import { expect, test } from 'vitest';
import { bothBooks, guardBook, tightest } from '../../src/plan/guards.ts';
import type { Judging } from '../../src/plan/judges.ts';
import { hoursIn, isWithin } from '../../src/playbook/hours.ts';
import { rulesOf } from '../../src/plan/rules.ts';
import { resolveInputs } from '../../src/playbook/inputs.ts';
import type { GuardRules } from '../../src/playbook/limits.ts';
import type { Json } from '../../src/base/json.ts';
import { playbookFrom } from '../support/desk.ts';

const account = {
  profile: 'main',
  target: 'sandbox' as const,
  host: 'x',
  keyFingerprint: '1a2b3c4d',
};
const noon = Date.UTC(2026, 10, 20, 12); // a Friday
const judging = { now: () => noon };

const order = (price: string, size: string, symbol = 'BTCUSDT') => ({
  address: `ladder[${price}]`,
  operation: 'futures/place-order' as const,
  input: { symbol, orderType: 'limit', price, size },
  mark: '100',
  account,
});

const broken = (rules: GuardRules, ...writes: ReturnType<typeof order>[]): string[] => {
  const book = guardBook(rules, judging);
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
  expect(guardBook({ maxNotional: '1000000' }, judging).add(unmarked)).toEqual([
    'ladder[]: its value cannot be told, for the mark price is unknown',
  ]);
});

test('leverage above the limit is held back', () => {
  const write = {
    address: 'leverage',
    operation: 'futures/set-all-leverage' as const,
    account,
    input: { productType: 'USDT-FUTURES', leverage: '10' },
  };
  expect(guardBook({ maxLeverage: 9 }, judging).add(write)).toEqual([
    'leverage: leverage 10 is above 9',
  ]);
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

test.each([
  ['operations', { operations: ['account/create-sub'] }, /place-order is not an allowed operation/],
  ['accounts', { accounts: ['other', 'ffffffff'] }, /main is not an allowed account/],
  ['hours', { hours: [['mon-fri 09:00-12:00 UTC']] }, /outside the hours mon-fri 09:00-12:00 UTC$/],
] as const)('a guard on %s holds a write back', (_name, rules, message) => {
  expect(broken(rules, order('98', '1')).join('\n')).toMatch(message);
});

test('an account is allowed by its name or by the fingerprint of its key', () => {
  expect(broken({ accounts: ['main'] }, order('98', '1'))).toEqual([]);
  expect(broken({ accounts: ['1a2b3c4d'] }, order('98', '1'))).toEqual([]);
});

test('symbols are the same in capitals and in small letters', () => {
  expect(broken({ symbols: ['btcusdt'] }, order('98', '1', 'BTCUSDT'))).toEqual([]);
});

test('a distance is exact, not rounded', () => {
  expect(broken({ maxDistance: '0.05' }, order('105.004', '1'))).toHaveLength(1);
  expect(broken({ maxDistance: '0.05' }, order('105', '1'))).toEqual([]);
});

test('an order far from a mark nobody knows is held back, but for a plan made offline', () => {
  const { mark: _mark, ...unmarked } = order('98', '1');
  const add = (now: Partial<Judging>, isPartial = false): readonly string[] =>
    guardBook({ maxDistance: '1', maxOrderNotional: '1' }, { ...judging, ...now }).add({
      ...unmarked,
      input: { ...unmarked.input, size: '0.01' },
      isPartial,
    });
  expect(add({})).toEqual([
    'ladder[98]: its distance cannot be told, for the mark price is unknown',
  ]);
  expect([add({ isOffline: true }), add({}, true)]).toEqual([[], []]);
});

test('a size below zero frees nothing', () => {
  const rules = { maxNotional: '100' };
  expect(broken(rules, order('98', '-1'), order('98', '1'))).toHaveLength(1);
});

test('hours may go past midnight, in a zone with summer time or an offset', () => {
  const at = (text: string, iso: string): boolean | undefined => {
    const hours = hoursIn(text);
    return hours && isWithin(hours, Date.parse(iso));
  };
  // 2026-11-20 is a Friday.
  const london = 'mon-fri 09:00-17:30 Europe/London';
  expect(at(london, '2026-11-20T09:00:00Z')).toBe(true);
  expect(at(london, '2026-11-20T17:30:00Z')).toBe(false);
  expect(at(london, '2026-07-17T08:30:00Z')).toBe(true); // summer: 09:30 there
  expect(at(london, '2026-11-21T12:00:00Z')).toBe(false);
  const night = 'fri 22:00-06:00 +08:00';
  expect(at(night, '2026-11-20T14:00:00Z')).toBe(true); // Friday 22:00 there
  expect(at(night, '2026-11-20T21:59:00Z')).toBe(true); // Saturday 05:59 there
  expect(at(night, '2026-11-20T22:00:00Z')).toBe(false);
  expect(at(night, '2026-11-19T21:00:00Z')).toBe(false); // Friday morning is Thursday's night
  expect(at('sat,mon-tue 00:00-24:00 UTC', '2026-11-23T23:59:00Z')).toBe(true);
  expect(at('fri-mon 00:00-24:00 UTC', '2026-11-22T12:00:00Z')).toBe(true);
});

test.each([
  '',
  'always',
  '09:00-09:00 UTC',
  'mon 9:00-17:00 UTC',
  'mon-fri 09:00-25:00 UTC',
  'xxx 09:00-17:00 UTC',
  '09:00-17:00',
  '09:00-17:00 Europe/Londn',
  'mon-tue-wed 09:00-17:00 UTC',
])('%j are no hours', (text) => {
  expect(hoursIn(text)).toBeUndefined();
});

/** Rules as anybody may write them; small numbers, so that they matter. */
const anyRules: fc.Arbitrary<GuardRules> = fc.record(
  {
    maxWrites: fc.nat(4),
    maxNotional: fc.nat(400).map(String),
    maxOrderNotional: fc.nat(200).map(String),
    maxDistance: fc.constantFrom('0', '0.01', '0.05', '1'),
    maxLeverage: fc.integer({ min: 1, max: 20 }),
    symbols: fc.subarray(['BTCUSDT', 'ethusdt', 'SOLUSDT']),
    operations: fc.subarray(['futures/place-order', 'futures/set-all-leverage'] as const),
    accounts: fc.subarray(['main', 'other', '1a2b3c4d']),
    hours: fc.constantFrom([['mon-fri 09:00-17:00 UTC']], [['sat 09:00-17:00 UTC']]),
  },
  { requiredKeys: [] },
);

const anyWrite = fc.oneof(
  fc
    .tuple(
      fc.integer({ min: -5, max: 200 }),
      fc.integer({ min: -2, max: 3 }),
      fc.constantFrom('BTCUSDT', 'ETHUSDT'),
      fc.constantFrom('limit', 'market'),
    )
    .map(([price, size, symbol, orderType]) => ({
      ...order(String(price), String(size), symbol),
      input: { symbol, orderType, price: String(price), size: String(size) },
    })),
  fc.integer({ min: 1, max: 30 }).map((leverage) => ({
    address: 'leverage',
    operation: 'futures/set-all-leverage' as const,
    account,
    input: { productType: 'USDT-FUTURES', leverage: String(leverage) },
  })),
);

test('no playbook can loosen: what its profile holds back is held back, whatever it says, however deep', () => {
  fc.assert(
    fc.property(
      anyRules,
      anyRules,
      anyRules,
      fc.array(anyWrite, { maxLength: 8 }),
      (profile, own, nested, writes) => {
        const alone = guardBook(profile, judging);
        const book = guardBook(tightest(profile, own), judging);
        const inner = bothBooks(book, book.child(nested, 'inner'));
        for (const write of writes) {
          const isHeld = alone.add(write).length > 0;
          if (isHeld) expect(inner.add(write)).not.toEqual([]);
          else inner.add(write);
        }
        const isKept = (results: readonly { isKept: boolean }[]): boolean =>
          results.every((result) => result.isKept);
        if (!isKept(alone.results())) expect(isKept(inner.results())).toBe(false);
      },
    ),
    { numRuns: 2_000 },
  );
});

test('what a playbook says is only ever added to what its profile says', () => {
  fc.assert(
    fc.property(anyRules, anyRules, (profile, own) => {
      const both = tightest(profile, own);
      for (const name of Object.keys(profile)) expect(Object.keys(both)).toContain(name);
      expect(tightest(both, profile)).toEqual(both);
    }),
  );
});

test.each([[{ a: 'BTCUSDT' }], [7], [null], [['BTCUSDT', { a: 'x' }]]])(
  'symbols that are no names are no limit nobody keeps: %j is refused',
  (value) => {
    const text = `playbook: 1
name: named
inputs: { allowed: { type: map } }
guards: { symbols: "{{ inputs.allowed.them }}" }
steps:
  - { id: it, uses: market/list-tickers, with: { category: SPOT } }
`;
    const given = new Map<string, Json>([['allowed', { them: value }]]);
    const playbook = playbookFrom(text);
    const { inputs } = resolveInputs(playbook, given, {});
    expect(() => rulesOf(playbook, inputs, {})).toThrow(/^guards.symbols is /);
  },
);
