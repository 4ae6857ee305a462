import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { tightest } from '../../../src/engine/plan/tightest.ts';
import type { Checking, GuardedWrite } from '../../../src/engine/plan/limit-check.ts';
import { LimitTracker } from '../../../src/engine/plan/limit-tracker.ts';
import { hoursIn, isWithin } from '../../../src/language/hours.ts';
import { rulesOf } from '../../../src/engine/plan/rules.ts';
import { resolveInputs } from '../../../src/language/inputs.ts';
import type { GuardRules } from '../../../src/language/limits.ts';
import type { Json } from '../../../src/base/json.ts';
import { playbookFrom } from '../../support/harness.ts';

const account = {
  profile: 'main',
  target: 'sandbox' as const,
  host: 'x',
  keyFingerprint: '1a2b3c4d',
};
const noon = Date.UTC(2026, 10, 20, 12); // a Friday
const checking = { at: noon };

/** A limit order to buy where the mark price is 100. */
const order = (price: string, size: string, symbol = 'BTCUSDT', n = 1) => ({
  address: `ladder[${price} ${n}]`,
  operation: 'futures/place-order' as const,
  input: { symbol, productType: 'USDT-FUTURES', side: 'buy', orderType: 'limit', price, size },
  market: { mark: '100' },
  account,
});

/** Checks and counts, as a plan does. */
const add = (limits: LimitTracker, write: GuardedWrite): readonly string[] => {
  const broken = limits.breaks(write);
  limits.count(write);
  return broken;
};

const broken = (rules: GuardRules, ...writes: GuardedWrite[]): string[] => {
  const limits = new LimitTracker(rules, checking);
  return writes.flatMap((write) => [...add(limits, write)]);
};

test('an order within every limit is allowed', () => {
  const rules = { maxWrites: 1, maxNotional: '98', maxDistance: '0.02', symbols: ['BTCUSDT'] };
  expect(broken(rules, order('98', '1'))).toEqual([]);
});

test.each([
  ['writes', { maxWrites: 1 }, 'is write 2; 1 are allowed'],
  ['the value of all orders', { maxNotional: '195.9' }, 'worth 196 USD; 195.9 is allowed'],
  ['the value of one order', { maxOrderNotional: '97.9' }, 'worth 98 USD; 97.9 is allowed'],
  ['the distance from the mark', { maxDistance: '0.01' }, '-2.00 % away from the mark price'],
  ['symbols', { symbols: ['ETHUSDT'] }, 'BTCUSDT is not an allowed symbol'],
] as const)('a guard on %s blocks an order', (_name, rules, message) => {
  const two = [order('98', '1'), order('98', '1', 'BTCUSDT', 2)];
  expect(broken(rules, ...two).join('\n')).toContain(message);
});

test('an order whose value is unknown is blocked, not let through', () => {
  const { market: _market, ...unpriced } = order('', '1');
  const input = { ...unpriced.input, orderType: 'market' };
  expect(broken({ maxNotional: '1000000' }, { ...unpriced, input })).toEqual([
    'ladder[ 1]: its value is unknown, because the mark price is unknown',
  ]);
});

test('a close is valued at the higher side of the book, whichever side it names', () => {
  const market = { mark: '100', bid: '99', ask: '120' };
  for (const side of ['buy', 'sell']) {
    const { input, ...rest } = order('', '1');
    const close = {
      ...rest,
      market,
      input: { ...input, orderType: 'market', tradeSide: 'close', side },
    };
    expect(broken({ maxOrderNotional: '119' }, close)).toEqual([
      'ladder[ 1]: the order is worth 120 USD; 119 is allowed',
    ]);
  }
});

test('leverage above the limit is blocked', () => {
  const write = {
    address: 'leverage',
    operation: 'futures/set-all-leverage' as const,
    account,
    input: { productType: 'USDT-FUTURES', leverage: '10' },
  };
  expect(broken({ maxLeverage: 9 }, write)).toEqual(['leverage: leverage 10 is above 9']);
});

test('a playbook can tighten the limits of its profile and never loosen them', () => {
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
] as const)('a guard on %s blocks a write', (_name, rules, message) => {
  expect(broken(rules, order('98', '1')).join('\n')).toMatch(message);
});

test('an account is allowed by name or by the fingerprint of its key', () => {
  expect(broken({ accounts: ['main'] }, order('98', '1'))).toEqual([]);
  expect(broken({ accounts: ['1a2b3c4d'] }, order('98', '1'))).toEqual([]);
});

test('symbols are case-insensitive', () => {
  expect(broken({ symbols: ['btcusdt'] }, order('98', '1', 'BTCUSDT'))).toEqual([]);
});

test('a distance is exact, not rounded', () => {
  expect(broken({ maxDistance: '0.05' }, order('105.004', '1'))).toHaveLength(1);
  expect(broken({ maxDistance: '0.05' }, order('105', '1'))).toEqual([]);
});

test('an order whose distance is unknown is blocked, except in an offline plan', () => {
  const { market: _market, ...unpriced } = order('98', '1');
  const breaksOf = (now: Partial<Checking>, isPartial = false): readonly string[] => {
    const limits = new LimitTracker({ maxDistance: '1' }, { ...checking, ...now });
    return limits.breaks({ ...unpriced, isPartial });
  };
  expect(breaksOf({})).toEqual([
    'ladder[98 1]: its distance is unknown, because the mark price is unknown',
  ]);
  expect([breaksOf({ isOffline: true }), breaksOf({}, true)]).toEqual([[], []]);
});

describe('an order has its highest possible value', () => {
  const worth = (fields: object, market: object = {}): string | undefined => {
    const write = order('98', '2');
    const input = { ...write.input, ...fields };
    const limits = new LimitTracker({ maxOrderNotional: '0' }, checking);
    const messages = limits.breaks({ ...write, input, market: { mark: '100', ...market } });
    return /worth ([\d.]+) USD/.exec(messages[0] ?? '')?.[1];
  };

  test.each([
    ['a buy below the mark, at its price', { side: 'buy', price: '98' }, {}, '196'],
    ['a buy above the mark, at its price', { side: 'buy', price: '120' }, {}, '240'],
    ['a sell above the mark, at its price', { side: 'sell', price: '120' }, {}, '240'],
    ['a sell far below the mark, at the mark', { side: 'sell', price: '0.1' }, {}, '200'],
    ['a sell below the bid, at the bid', { side: 'sell', price: '0.1' }, { bid: '140' }, '280'],
    ['a market sell, at the bid', { side: 'sell', orderType: 'market' }, { bid: '104' }, '208'],
    ['a market buy, at the ask', { side: 'buy', orderType: 'market' }, { ask: '130' }, '260'],
    ['a market buy, not at the bid', { side: 'buy', orderType: 'market' }, { bid: '130' }, '200'],
    ['a close of a long, which sells', { tradeSide: 'close', price: '0.1' }, {}, '200'],
    ['a close of a short', { side: 'sell', tradeSide: 'close', price: '0.1' }, {}, '200'],
  ])('%s', (_name, fields, market, value) => {
    expect(worth(fields, market)).toBe(value);
  });

  test.each([
    ['BTCUSD', 'COIN-FUTURES', '200'],
    ['BTCUSDZ26', 'COIN-FUTURES', '200'],
    ['ethperp', 'USDC-FUTURES', '200'],
  ])('%s of %s in dollars: its size is in the base coin', (symbol, productType, value) => {
    expect(worth({ symbol, productType, side: 'sell' })).toBe(value);
  });

  test.each([
    ['ETHBTC', 'COIN-FUTURES'],
    ['BTCEUR', 'USDT-FUTURES'],
    ['BTCUSDT', 'EUR-FUTURES'],
  ])('the dollar value of %s of %s is unknown', (symbol, productType) => {
    const write = order('1', '1', symbol);
    const input = { ...write.input, productType };
    expect(broken({ maxNotional: '1000' }, { ...write, input })).toEqual([
      `ladder[1 1]: its value is unknown, because ${symbol} of ${productType} is not quoted in dollars`,
    ]);
  });
});

describe('a write is counted once', () => {
  const write = order('98', '1');
  const used = (limits: LimitTracker): string[] => limits.results().map((result) => result.used);

  test('with its latest value, however often it is sent again', () => {
    const limits = new LimitTracker({ maxWrites: 1, maxNotional: '100' }, checking);
    for (const price of ['98', '99', '97']) {
      expect(add(limits, { ...order(price, '1'), address: 'it' })).toEqual([]);
    }
    expect(used(limits)).toEqual(['1', '97']);
  });

  test('and no longer if it was certainly not executed', () => {
    const limits = new LimitTracker({ maxWrites: 1, maxNotional: '100' }, checking);
    add(limits, write);
    limits.forget(write.address);
    expect(used(limits)).toEqual(['0', '0']);
    expect(add(limits, order('99', '1'))).toEqual([]);
  });

  test('in every playbook it belongs to, and only on its own account', () => {
    const limits = new LimitTracker({}, checking);
    const other = { ...account, profile: 'other' };
    add(limits, { ...write, address: 'a[x/y]/b/c', account: other });
    add(limits, { ...write, address: 'a[x/y]/d' });
    add(limits, { ...write, address: 'a[x]/d' });
    for (const within of ['a[x/y]', 'a[x/y]/b', 'a[x]', 'a']) {
      limits.open({ kind: 'playbook', within }, { maxWrites: 9 });
    }
    limits.open({ kind: 'account', profile: 'other' }, { maxWrites: 9 });
    expect(limits.results().map(({ guard, used: of }) => `${guard}: ${of}`)).toEqual([
      'max-writes of a[x/y]: 2',
      'max-writes of a[x/y]/b: 1',
      'max-writes of a[x]: 1',
      'max-writes of a: 0',
      'max-writes of other: 1',
    ]);
  });

  test('a total that includes an order of unknown value is blocked', () => {
    const limits = new LimitTracker({ maxNotional: '1000' }, checking);
    const { market: _market, ...sent } = order('1', '1');
    limits.count({ ...sent, address: 'sent', input: { ...sent.input, side: 'sell' } });
    expect(limits.breaks(write)).toEqual([
      'ladder[98 1]: the total value of the orders is unknown, because the value of sent is unknown',
    ]);
    for (const one of limits.unvalued()) limits.count({ ...one, market: { mark: '900' } });
    expect(limits.breaks(write)).toEqual([]);
    expect(limits.breaks(order('101', '1'))).toHaveLength(1);
  });
});

test('the value of an order is computed only for a limit, or when all unknown values are asked for', () => {
  const reads: string[] = [];
  const { market: _market, input, ...rest } = order('98', '1');
  const watched = Object.defineProperty({ ...input }, 'size', {
    get: () => (reads.push('size'), input.size),
  });
  const limits = new LimitTracker({}, checking);
  for (let time = 0; time < 3; time++) limits.count({ ...rest, input: watched });
  expect(reads).toEqual([]);
  expect(limits.unvalued()).toEqual([]);
  const asked = reads.length;
  expect(asked).toBeGreaterThan(0);
  expect(limits.unvalued()).toEqual([]);
  expect(reads).toHaveLength(asked); // what has a value is not asked again
});

test('a negative size frees nothing', () => {
  const rules = { maxNotional: '100' };
  expect(broken(rules, order('98', '-1'), order('98', '1', 'BTCUSDT', 2))).toHaveLength(1);
});

test('hours may span midnight, in a zone with summer time or an offset', () => {
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
])('%j are not hours', (text) => {
  expect(hoursIn(text)).toBeUndefined();
});

/** Random limits; small numbers, so that they have an effect. */
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
      fc.record({
        side: fc.constantFrom('buy', 'sell'),
        orderType: fc.constantFrom('limit', 'market'),
        tradeSide: fc.constantFrom('open', 'close'),
      }),
    )
    .map(([price, size, symbol, how]): GuardedWrite => {
      const write = order(String(price), String(size), symbol);
      return { ...write, input: { ...write.input, ...how } };
    }),
  fc.integer({ min: 1, max: 30 }).map((leverage): GuardedWrite => ({
    address: 'leverage',
    operation: 'futures/set-all-leverage',
    account,
    input: { productType: 'USDT-FUTURES', leverage: String(leverage) },
  })),
);

test('no playbook can loosen a limit of its profile, at any depth', () => {
  fc.assert(
    fc.property(
      anyRules,
      anyRules,
      anyRules,
      fc.array(anyWrite, { maxLength: 8 }),
      (profile, own, nested, writes) => {
        const alone = new LimitTracker(profile, checking);
        const all = new LimitTracker(tightest(profile, own), checking);
        all.open({ kind: 'playbook', within: 'inner' }, nested);
        for (const [n, write] of writes.entries()) {
          const address = `inner/${write.address} ${n}`;
          const isHeld = add(alone, { ...write, address }).length > 0;
          const messages = add(all, { ...write, address });
          if (isHeld) expect(messages).not.toEqual([]);
        }
        const isKept = (limits: LimitTracker): boolean =>
          limits.results().every((result) => result.isKept);
        if (!isKept(alone)) expect(isKept(all)).toBe(false);
      },
    ),
    { numRuns: 2_000 },
  );
});

test('limits of a playbook are added to those of its profile', () => {
  fc.assert(
    fc.property(anyRules, anyRules, (profile, own) => {
      const both = tightest(profile, own);
      for (const name of Object.keys(profile)) expect(Object.keys(both)).toContain(name);
      expect(tightest(both, profile)).toEqual(both);
    }),
  );
});

test.each([[{ a: 'BTCUSDT' }], [7], [null], [['BTCUSDT', { a: 'x' }]]])(
  'symbols that are not names are not a limit that is ignored: %j is refused',
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
