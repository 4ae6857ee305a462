/** Limits are checked when a write is sent: an order's current value, and what the run did before. */
import { describe, expect, onTestFinished, test } from 'vitest';
import { day, hour, second, type Millis } from '../../../src/base/clock.ts';
import { TransportError, type Transport } from '../../../src/exchange/api/exchange.ts';
import type { Entry } from '../../../src/engine/journal/entry.ts';
import type { GuardRules } from '../../../src/language/limits.ts';
import { playAgain } from '../../../src/engine/runtime/playback.ts';
import {
  accountOf,
  entriesOf,
  live,
  liveOn,
  openHarness,
  ordersPlaced,
  playbookFrom,
  type CrashPoint,
  type Harness,
  type Life,
} from '../../support/harness.ts';
import { changingTickers } from '../../support/tickers.ts';

interface Order {
  readonly id: string;
  readonly symbol?: string;
  readonly line?: string;
  readonly coin?: string;
  readonly side?: 'buy' | 'sell';
  readonly price?: string;
  readonly size?: string;
  readonly more?: string;
}

/** A step that places a limit order, or a market order if no price is given. */
const step = (order: Order): string => {
  const { id, symbol = 'BTCUSDT', line = 'USDT-FUTURES', coin = 'USDT' } = order;
  const { side = 'buy', price, size = '0.01', more = '' } = order;
  const how = price === undefined ? 'orderType: market' : `orderType: limit, price: "${price}"`;
  return `
  - id: ${id}
    uses: futures/place-order${more}
    with: { symbol: ${symbol}, productType: ${line}, marginMode: crossed, marginCoin: ${coin},
            side: ${side}, tradeSide: open, ${how}, size: "${size}" }`;
};

const steps = (text: string, others: Readonly<Record<string, string>> = {}) =>
  playbookFrom(`playbook: 1\nname: limits\nsteps:${text}\n`, others);

/** All orders placed with our clientOids. */
const ours = async (harness: Harness): Promise<number> =>
  [...(await ordersPlaced(harness))].filter(([id]) => id.startsWith('dh')).length;

const outcomeOf = (harness: Harness, address: string) =>
  entriesOf(harness).findLast(
    (entry): entry is Extract<Entry, { kind: 'settled' }> =>
      entry.kind === 'settled' && entry.address === address,
  )?.outcome;

const priceAt = (harness: Harness, price: string): void => {
  const market = { category: 'USDT-FUTURES', symbol: 'BTCUSDT' };
  harness.sandbox.control('POST', 'market', { ...market, price });
};

/** Runs one order and returns what blocked it, or that it was placed. */
async function sent(order: Omit<Order, 'id'>, life: Life): Promise<string> {
  const harness = await openHarness();
  priceAt(harness, '80000');
  const { exit } = await live(harness, steps(step({ id: 'it', ...order })), life);
  const outcome = outcomeOf(harness, 'it');
  if (outcome?.kind === 'done') return 'placed';
  expect([exit, await ours(harness)]).toEqual([5, 0]);
  return outcome?.kind === 'failed' ? outcome.message : 'not sent';
}

describe('the value of an order', () => {
  const guards: GuardRules = { maxOrderNotional: '5000' };

  test.each([
    ['a sell limit far below the market', { side: 'sell', price: '100', size: '1' }],
    ['a market order', { size: '1' }],
    ['a sell of a COIN-margined contract', coin({ side: 'sell', price: '100' })],
    ['a buy of a COIN-margined contract', coin({ price: '70000' })],
    [
      'a market order in USDC',
      { symbol: 'BTCPERP', line: 'USDC-FUTURES', coin: 'USDC', size: '1' },
    ],
  ] as const)('%s is blocked above its limit', async (_name, order) => {
    expect(await sent(order, { guards })).toMatch(
      /the order is worth [78]\d{4}[\d.]* USD; 5000 is/,
    );
    expect(await sent({ ...order, size: '0.06' }, { guards })).toBe('placed');
  });

  test.each([
    ['0', /the mark price of BTCUSDT is 0$/],
    ['', /the mark price of BTCUSDT is empty$/],
    ['-80000', /the mark price of BTCUSDT is -80000$/],
    ['1e5', /the mark price of BTCUSDT is not readable/],
    [undefined, /the mark price of BTCUSDT is empty$/],
  ])('is unknown with a mark price of %j: nothing is sent', async (markPrice, why) => {
    const wrap = changingTickers(({ markPrice: _true, ...rest }) => ({
      ...rest,
      ...(markPrice !== undefined && { markPrice }),
    }));
    for (const order of [{}, { side: 'sell', price: '81000' }] as const) {
      expect(await sent(order, { guards, wrap })).toMatch(why);
    }
    const near = { price: '79999' } as const;
    expect(await sent(near, { guards: { maxDistance: '0.5' }, wrap })).toMatch(why);
    // The price of a buy is its maximum cost, whatever the market does.
    expect(await sent(near, { guards, wrap })).toBe('placed');
    // Nothing requests the mark price.
    expect(await sent({}, { guards: { maxWrites: 1 }, wrap })).toBe('placed');
  });

  test.each([
    [-hour, /the mark price of BTCUSDT is 60 min old$/],
    [-11 * second, /the mark price of BTCUSDT is 11 s old$/],
    [day, /the mark price of BTCUSDT is 24 h ahead of the exchange’s clock$/],
  ])('is unknown with a ticker that is %d ms off', async (off, why) => {
    const wrap = changingTickers((row) => ({ ...row, ts: String(Number(row['ts']) + off) }));
    expect(await sent({}, { guards, wrap })).toMatch(why);
  });

  test('is unknown for a symbol without a ticker, or if no ticker can be read', async () => {
    const gone = changingTickers((row) => ({ ...row, symbol: `${row['symbol']}X` }));
    expect(await sent({}, { guards, wrap: gone })).toMatch(/has no ticker of BTCUSDT$/);
    expect(await sent({}, { guards, wrap: failing })).toMatch(/could not be read: .*no route/);
  });
});

function coin(order: Omit<Order, 'id'>): Omit<Order, 'id'> {
  return { symbol: 'BTCUSD', line: 'COIN-FUTURES', coin: 'BTC', size: '1', ...order };
}

const failing =
  (transport: Transport): Transport =>
  async (request, signal) => {
    if (request.operation === 'market/list-tickers') throw new TransportError('no route', 'no');
    return transport(request, signal);
  };

/** Counts requests by operation. */
const counting =
  (
    counts: Map<string, number>,
    before: (operation: string, nth: number) => void = () => undefined,
  ) =>
  (transport: Transport): Transport =>
  async (request, signal) => {
    const { operation } = request;
    counts.set(operation, (counts.get(operation) ?? 0) + 1);
    before(operation, counts.get(operation) ?? 0);
    return transport(request, signal);
  };

describe('the mark price is read before each send', () => {
  const guards: GuardRules = { maxDistance: '0.05' };

  test('a price that was near when the run began is blocked when the market has moved', async () => {
    const harness = await openHarness();
    priceAt(harness, '80000');
    const text = `${step({ id: 'near', price: '79000' })}
  - { id: pause, uses: wait, with: { for: 10s } }${step({ id: 'far', price: '79000' })}`;
    const move: Life['wrap'] = (transport) => async (request, signal) => {
      const answer = await transport(request, signal);
      if (request.operation === 'futures/place-order') priceAt(harness, '110000');
      return answer;
    };
    const result = await live(harness, steps(text), { guards, wrap: move });
    expect([result.exit, await ours(harness)]).toEqual([5, 1]);
    expect(outcomeOf(harness, 'far')).toMatchObject({
      code: 'guard',
      message: expect.stringMatching(/its price is -28\.\d\d % away from the mark price; 5\.00 %/),
    });
    expect(await again(harness, text)).toEqual([]);
  });

  test('one read serves the orders of three seconds in every lane, and no later order', async () => {
    const harness = await openHarness();
    const prices = Array.from({ length: 65 }, (_, n) => `"${70_000 - n}"`).join(', ');
    const more = `\n    for-each: [${prices}]\n    parallel: 20`;
    const counts = new Map<string, number>();
    const text = step({ id: 'rungs', price: '{{ each.value }}', size: '0.001', more });
    const wrap = counting(counts);
    await live(harness, steps(text), { guards: { maxDistance: '0.5' }, wrap });
    expect(counts.get('futures/place-order')).toBe(65);
    // Ten orders per second: they take over six seconds, with a new read after three.
    expect(counts.get('market/list-tickers')).toBeGreaterThanOrEqual(2);
    expect(counts.get('market/list-tickers')).toBeLessThanOrEqual(4);
  });

  test('an order that waits for its slot is checked with the price at that time', async () => {
    const harness = await openHarness();
    priceAt(harness, '80000');
    const sentAt: Millis[] = [];
    const wrap: Life['wrap'] = (transport) => async (request, signal) => {
      if (request.operation === 'futures/place-order') {
        sentAt.push(harness.clock.monotonic());
        if (sentAt.length === 10) priceAt(harness, '110000');
      }
      return transport(request, signal);
    };
    const prices = Array.from({ length: 50 }, (_, n) => `"${79_000 - n}"`).join(', ');
    const more = `\n    for-each: [${prices}]\n    parallel: 50`;
    const text = step({ id: 'rungs', price: '{{ each.value }}', size: '0.001', more });
    const warned: string[] = [];
    const warn = ({ name }: Error): void => void warned.push(name);
    process.on('warning', warn);
    onTestFinished(() => void process.off('warning', warn));
    expect((await live(harness, steps(text), { guards, wrap })).exit).toBe(5);
    expect(warned).not.toContain('MaxListenersExceededWarning');
    expect(sentAt.length).toBeGreaterThan(10);
    expect(sentAt.length).toBeLessThan(50);
    const [movedAt = 0, last = 0] = [sentAt[9], sentAt.at(-1)];
    expect(last - movedAt).toBeLessThanOrEqual(3 * second);
    expect(await ours(harness)).toBe(sentAt.length);
  });

  test('an order that is sent again after 429 is checked again and counted once', async () => {
    const turned =
      (move: (harness: Harness) => void, harness: Harness): NonNullable<Life['wrap']> =>
      (transport) => {
        let orders = 0;
        return async (request, signal) => {
          if (request.operation === 'futures/place-order' && ++orders === 1) {
            move(harness);
            const body = {
              code: '429',
              msg: 'too many',
              requestTime: harness.clock.now(),
              data: null,
            };
            return { status: 429, headers: {}, body: Buffer.from(JSON.stringify(body)) };
          }
          return transport(request, signal);
        };
      };
    const text = step({ id: 'it', price: '79000', size: '0.001' });
    const tight: GuardRules = { ...guards, maxWrites: 1, maxNotional: '79' };
    const still = await openHarness();
    priceAt(still, '80000');
    const kept = await live(still, steps(text), {
      guards: tight,
      wrap: turned(() => undefined, still),
    });
    expect([kept.exit, await ours(still)]).toEqual([0, 1]);
    const moved = await openHarness();
    priceAt(moved, '80000');
    const move = (harness: Harness): void => {
      priceAt(harness, '110000');
      harness.clock.advance(4 * second);
    };
    const result = await live(moved, steps(text), { guards: tight, wrap: turned(move, moved) });
    expect([result.exit, await ours(moved)]).toEqual([5, 0]);
    expect(entriesOf(moved).at(-1)).toMatchObject({ kind: 'finished', guards: expect.anything() });
    expect(guardsOf(moved)).toMatchObject({ 'max-writes': '0', 'max-notional': '0' });
  });

  test('after a suspension the price is read again, although the process clock stopped', async () => {
    const harness = await openHarness();
    priceAt(harness, '80000');
    const text = `${step({ id: 'first', price: '79000' })}${step({ id: 'second', price: '79001' })}`;
    let slept = 0;
    // The exchange's clock jumps an hour, and earlier signatures are refused.
    const wrap: Life['wrap'] = (transport) => async (request, signal) => {
      const answer = await transport(request, signal);
      const shifted = JSON.parse(Buffer.from(answer.body).toString());
      if (request.operation === 'futures/place-order') {
        slept = hour;
        priceAt(harness, '110000');
      }
      shifted.requestTime += slept;
      if (request.operation === 'market/list-tickers') {
        for (const row of shifted.data) row.ts = String(Number(row.ts) + slept);
      }
      return { ...answer, body: Buffer.from(JSON.stringify(shifted)) };
    };
    const result = await live(harness, steps(text), { guards, wrap });
    expect([result.exit, outcomeOf(harness, 'second')]).toMatchObject([5, { code: 'guard' }]);
  });
});

async function again(harness: Harness, text: string, others = {}) {
  const { clock } = harness;
  const entries = entriesOf(harness);
  return playAgain({ playbook: steps(text, others), inputs: {}, entries, clock });
}

function guardsOf(harness: Harness): Readonly<Record<string, string>> {
  const last = entriesOf(harness).at(-1);
  const guards = last?.kind === 'finished' ? (last.guards ?? []) : [];
  return Object.fromEntries(guards.map(({ guard, used }) => [guard, used]));
}

describe('writes before a resume count', () => {
  const inner = `playbook: 1
name: inner
guards: { max-writes: 2 }
steps:${step({ id: 'a', price: '40000' })}${step({ id: 'b', price: '40001' })}
finally:${step({ id: 'c', price: '40002', more: '\n    on-error: continue' })}
`;
  const others = { 'inner.yaml': inner };
  const more = '\n    for-each: ["41000", "41001", "41002", "41003"]\n    on-error: continue';
  const text = `
  - { id: child, uses: ./inner.yaml, with: {}, on-error: continue }
  - { id: leverage, uses: futures/set-all-leverage, with: { productType: USDT-FUTURES, leverage: "3" } }${step(
    { id: 'rungs', price: '{{ each.value }}', more },
  )}`;
  const guards: GuardRules = { maxWrites: 5, maxNotional: '1700' };

  const allPoints = async (): Promise<readonly CrashPoint[]> => {
    const harness = await openHarness();
    await live(harness, steps(text, others), { guards });
    expect(await ours(harness)).toBe(4);
    expect(guardsOf(harness)).toEqual({
      'max-writes': '5',
      'max-notional': '1620.02',
      'max-writes of child': '2',
    });
    return (['journal', 'request'] as const).flatMap((at) =>
      Array.from({ length: harness.counts[at] }, (_, index) => index + 1).flatMap((nth) =>
        (['before', 'after'] as const).map((when) => ({ at, nth, when })),
      ),
    );
  };

  test('a market order is valued again, so that the rest is sent up to the limit', async () => {
    const harness = await openHarness();
    priceAt(harness, '80000');
    const rungs = step({ id: 'b', price: '70000' }) + step({ id: 'c', price: '70001' });
    const orders = steps(step({ id: 'a' }) + rungs);
    const stop = new AbortController();
    const wrap: Life['wrap'] = (transport) => async (request, signal) => {
      const answer = await transport(request, signal);
      if (request.operation === 'futures/place-order') stop.abort();
      return answer;
    };
    await live(harness, orders, { wrap, drain: stop.signal });
    const result = await live(harness, orders, { guards: { maxNotional: '1600' } });
    expect([result.exit, outcomeOf(harness, 'b')]).toMatchObject([5, { kind: 'done' }]);
    expect(outcomeOf(harness, 'c')).toMatchObject({
      message: expect.stringMatching(/^blocked by a guard: c: all orders together are worth 22/),
    });
  });

  test('whenever it crashes, no limit allows more than without a crash', async () => {
    for (const death of await allPoints()) {
      const harness = await openHarness();
      const result = await liveOn(harness, steps(text, others), { guards, death });
      const what = JSON.stringify(death);
      expect(await ours(harness), what).toBeLessThanOrEqual(4);
      expect(result.exit, what).toBe(5);
      const inChild = entriesOf(harness).filter(
        (entry) => entry.kind === 'intended' && entry.address.startsWith('child/'),
      );
      expect(new Set(inChild.map((entry) => entry.kind === 'intended' && entry.address)).size).toBe(
        2,
      );
      expect(guardsOf(harness)['max-writes'], what).toBe('5');
      expect(await again(harness, text, others), what).toEqual([]);
    }
  });
});

describe('accounts', () => {
  test('limits of another account count only what was sent to it before', async () => {
    const harness = await openHarness();
    const guards: GuardRules = { maxWrites: 2 };
    const accounts = [accountOf(harness, 'sub', guards)];
    const on = (account: string): string => `\n    account: ${account}`;
    const bid = (id: string, price: string, more = ''): string =>
      step({ id, price, more, symbol: 'LINKUSDT', size: '3' }).replace('tradeSide: open, ', '');
    const own = (id: string, price: string): string =>
      step({ id, price, symbol: 'LINKUSDT', size: '3' });
    const text = `${bid('one', '10', on('sub'))}${own('mine', '9')}${bid('two', '9.1', on('sub'))}${bid(
      'three',
      '9.2',
      on('sub'),
    )}`;
    const stop = new AbortController();
    const wrap: Life['wrap'] = (transport) => async (request, signal) => {
      const answer = await transport(request, signal);
      if (request.operation === 'futures/place-order') stop.abort();
      return answer;
    };
    const life = { accounts };
    expect((await live(harness, steps(text), { ...life, wrap, drain: stop.signal })).status).toBe(
      'interrupted',
    );
    const result = await live(harness, steps(text), life);
    expect(result.exit).toBe(5);
    expect(outcomeOf(harness, 'three')).toMatchObject({
      message: 'blocked by a guard: three is write 3; 2 are allowed',
    });
    expect(outcomeOf(harness, 'two')).toMatchObject({ kind: 'done' });
    expect(guardsOf(harness)).toEqual({ 'max-writes of sub': '2' });
  });
});

test('hours use the exchange’s clock', async () => {
  const harness = await openHarness(); // Friday, 04:00 UTC
  const guards: GuardRules = { hours: [['04:00-05:00 UTC']] };
  const text = `${step({ id: 'in', price: '40000' })}
  - { id: pause, uses: wait, with: { for: 61m } }${step({ id: 'out', price: '40000' })}`;
  const late = { ...harness.clock, now: () => harness.clock.now() + 9 * hour };
  const wrong = { ...harness, clock: late };
  const result = await live(wrong, steps(text), { guards });
  expect(result.exit).toBe(5);
  expect(outcomeOf(wrong, 'in')).toMatchObject({ kind: 'done' });
  expect(outcomeOf(wrong, 'out')).toMatchObject({
    message: 'blocked by a guard: out: it is outside the hours 04:00-05:00 UTC',
  });
});
