/** The guard max-position: what a symbol's position may be worth after an order, in plans and before each send. */
import { expect, test } from 'vitest';
import { decimal, zero } from '../../../src/base/decimal.ts';
import type { Transport } from '../../../src/exchange/api/exchange.ts';
import type { GuardRules } from '../../../src/language/limits.ts';
import { numberFrom } from '../../../src/engine/plan/measure.ts';
import { checksOf } from '../../../src/engine/plan/limit-checks.ts';
import type { GuardedWrite } from '../../../src/engine/plan/limit-check.ts';
import { answer } from '../../support/scripted.ts';
import {
  clientOf,
  destination,
  entriesOf,
  live,
  openHarness,
  playbookFrom,
  type Harness,
} from '../../support/harness.ts';
import { fileOf, reviewedOn, runFile } from '../../support/reviewed.ts';

const line = { productType: 'USDT-FUTURES', marginCoin: 'USDT', marginMode: 'crossed' } as const;

interface Wanted {
  readonly size?: string;
  readonly price?: string;
  readonly tradeSide?: string;
  readonly side?: string;
}

/** A playbook with one step for each order of BTCUSDT. */
function orders(wanted: readonly Wanted[], guards = '') {
  const steps = wanted.map(({ size = '0.010', price, tradeSide = 'open', side = 'buy' }, n) => {
    const type =
      price === undefined ? 'orderType: market' : `orderType: limit, force: gtc, price: "${price}"`;
    return `  - id: order-${n}
    uses: futures/place-order
    with: { symbol: BTCUSDT, productType: USDT-FUTURES, marginCoin: USDT, marginMode: crossed, side: ${side}, tradeSide: ${tradeSide}, size: "${size}", ${type} }\n`;
  });
  return playbookFrom(`
playbook: 1
name: positions
account: main
${guards}
steps:
${steps.join('')}`);
}

/** What the long position in BTCUSDT is worth now, and more. */
async function worthNow(harness: Harness, more: number): Promise<string> {
  const rows = await clientOf(harness).call('futures/list-positions', {
    productType: 'USDT-FUTURES',
  });
  const own = rows.find(({ symbol, holdSide }) => symbol === 'BTCUSDT' && holdSide === 'long');
  const worth = numberFrom(own?.total)?.times(numberFrom(own?.markPrice) ?? zero) ?? zero;
  return worth.plus(decimal(String(more))).toFixed();
}

async function run(harness: Harness, wanted: readonly Wanted[], maxPosition: string, how = {}) {
  const guards: GuardRules = { maxPosition };
  await live(harness, orders(wanted), { guards, ...how });
  return entriesOf(harness).flatMap((entry) =>
    entry.kind === 'settled'
      ? ['message' in entry.outcome ? entry.outcome.message : entry.outcome.kind]
      : [],
  );
}

test('an order is blocked that would make the position worth more', async () => {
  const harness = await openHarness();
  const limit = await worthNow(harness, 300);
  const buys = [
    { size: '0.005', price: '40000' },
    { size: '0.005', price: '30000' },
  ];
  const [first, second] = await run(harness, buys, limit);
  expect(first).toBe('done');
  expect(second).toMatch(
    /^blocked by a guard: order-1: the long position in BTCUSDT may be worth \S+ USD after it; \S+ is allowed$/,
  );
});

test('orders that executed count once, as part of the position', async () => {
  const harness = await openHarness();
  const price = 200; // a thousandth of a coin costs less
  const limit = await worthNow(harness, 3 * price);
  const buys = [{ size: '0.001' }, { size: '0.001' }, { size: '0.001' }];
  expect(await run(harness, buys, limit)).toEqual(['done', 'done', 'done']);
});

test('a closing order is not blocked', async () => {
  const harness = await openHarness();
  expect(await run(harness, [{ size: '0.001', tradeSide: 'close' }], '0')).toEqual(['done']);
});

test('an order is blocked when the positions cannot be read', async () => {
  const harness = await openHarness();
  const wrap =
    (transport: Transport): Transport =>
    async (request, signal) =>
      request.operation === 'futures/list-positions'
        ? answer({ code: '40014' }, { status: 400 })
        : transport(request, signal);
  expect(await run(harness, [{}], '1000000', { wrap })).toEqual([
    'blocked by a guard: order-0: the long position in BTCUSDT is unknown, because they cannot be read: 40014 40014',
  ]);
});

test('the positions of a unified account are read from its own list', async () => {
  const harness = await openHarness();
  const asked: string[] = [];
  const wrap =
    (transport: Transport): Transport =>
    async (request, signal) => {
      asked.push(request.operation);
      return transport(request, signal);
    };
  const unified = { ...destination, family: 'unified' as const };
  await run(harness, [{ size: '0.001' }], '1', { wrap, destination: unified });
  expect(asked).toContain('trade/list-positions');
  expect(asked).not.toContain('futures/list-positions');
});

test('a plan counts all its orders, and a run what changed since', async () => {
  const harness = await openHarness();
  const limit = await worthNow(harness, 900);
  const playbook = orders(
    [{ price: '40000' }, { price: '39000' }],
    `guards: { max-position: ${limit} }`,
  );
  const plan = await reviewedOn(harness, playbook);
  expect(plan.guards).toMatchObject([{ guard: 'max-position', isKept: true }]);
  expect(plan.steps[0]?.actions[0]?.position).toMatchObject({ long: expect.any(String) });
  const tight = orders(
    [{ price: '40000' }, { price: '39000' }, { price: '38000' }],
    `guards: { max-position: ${limit} }`,
  );
  expect((await reviewedOn(harness, tight)).guards).toMatchObject([{ isKept: false }]);
  const market = {
    ...line,
    symbol: 'BTCUSDT',
    side: 'buy',
    tradeSide: 'open',
    orderType: 'market',
  } as const;
  await clientOf(harness).call('futures/place-order', { ...market, size: '0.01' });
  await expect(runFile(harness, fileOf(plan), playbook)).rejects.toThrow(
    /^guard max-position was .* and is .*, which is not kept: /,
  );
});

test('a resting order counts until the list of open orders no longer shows it', () => {
  const check = checksOf({ maxPosition: '1000' }, { at: 0 }).get('max-position');
  const write = (address: string, more: Partial<GuardedWrite>): GuardedWrite => ({
    address,
    operation: 'futures/place-order',
    account: destination,
    input: {
      ...line,
      symbol: 'BTCUSDT',
      side: 'buy',
      tradeSide: 'open',
      orderType: 'limit',
      price: '100',
      size: '6',
      clientOid: address,
    },
    market: { mark: '100' },
    ...more,
  });
  check?.count(write('a', { sentAt: 0, position: { open: new Set() } }));
  const after = (open: readonly string[], held: string, at: number) =>
    check?.breaks(write('b', { position: { long: held, open: new Set(open) } }), at);
  expect(after(['a'], '0', 60_000)).toContain('worth 1200 USD');
  expect(after([], '0', 60_000)).toBeUndefined(); // it was cancelled
  expect(after([], '0', 5_000)).toContain('worth 1200 USD'); // no list may show it yet
  expect(after([], '3', 60_000)).toBeUndefined();
  expect(after([], '6', 60_000)).toContain('worth 1200 USD'); // it was filled
});
