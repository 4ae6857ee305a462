/** All operations: each answers as its contract says, and none is empty for the right key. */
import { beforeAll, describe, expect, test } from 'vitest';
import { day, standingClock } from '../../src/base/clock.ts';
import { checkOutput } from '../../src/exchange/api/check.ts';
import {
  operationNames,
  operationOf,
  type OperationName,
} from '../../src/exchange/api/operations/index.ts';
import { openSandbox, type Sandbox } from '../../src/sandbox/sandbox.ts';
import { startServer, type RunningServer } from '../../src/sandbox/server.ts';
import { marketOrder, opened, signed, unsigned, type Answer } from './support.ts';

const born = Date.UTC(2026, 10, 21, 4, 0, 0);
const window = { startTime: String(born - 30 * day), endTime: String(born) };

type Role = keyof Sandbox['accounts'];
type Cases = Readonly<Record<OperationName, readonly (readonly [Role, object])[]>>;

const order = marketOrder;
const productTypes = ['USDT-FUTURES', 'COIN-FUTURES', 'USDC-FUTURES'] as const;
const demoLines = ['SUSDT-FUTURES', 'SCOIN-FUTURES', 'SUSDC-FUTURES'] as const;
const traders = ['oneway', 'hedge', 'readonly', 'leader', 'sub'] as const;
const referrers = ['oneway', 'hedge', 'agent'] as const;

const usdtLine = { productType: 'USDT-FUTURES' };
const bitcoin = { ...usdtLine, symbol: 'BTCUSDT' };
const unifiedLimit = {
  category: 'USDT-FUTURES',
  symbol: 'BTCUSDT',
  qty: '0.010',
  price: '30000.0',
  side: 'buy',
  orderType: 'limit',
};

/** What is asked, by whom, with an answer that must not be empty. */
const cases: Cases = {
  'loan/list-symbols': [
    ['oneway', { productId: '1001' }],
    ['hedge', { productId: '1002' }],
  ],
  'order/list-open': [
    ...traders.map((role) => [role, {}] as const),
    ['oneway', { category: 'SPOT' }],
    ['hedge', { category: 'USDT-FUTURES', symbol: 'SOLUSDT' }],
  ],
  'order/list-history': [
    ...traders.map((role) => [role, {}] as const),
    ...productTypes.map((category) => ['hedge', { category }] as const),
  ],
  'agent/list-trade-volume': referrers.flatMap((role) => [
    [role, {}] as const,
    [role, window] as const,
  ]),
  'agent/list-customers': referrers.flatMap((role) => [
    [role, {}] as const,
    [role, window] as const,
  ]),
  'futures/place-order': [
    ['oneway', { ...order, orderType: 'limit', price: '30000.0', clientOid: 'resting' }],
    ['oneway', order],
    ['hedge', { ...order, tradeSide: 'open' }],
    ['leader', { ...order, tradeSide: 'open' }],
    ['sub', order],
  ],
  'loan/list-orders': [
    ['oneway', {}],
    ['hedge', window],
  ],
  'futures/list-bills': [...productTypes, ...demoLines].flatMap((productType) => [
    ['oneway', { productType }] as const,
    ['hedge', { productType }] as const,
  ]),
  'agent/list-assets': referrers.map((role) => [role, {}] as const),
  'futures/list-adl-ranks': productTypes.flatMap((productType) => [
    ['oneway', { productType }] as const,
    ['hedge', { productType }] as const,
  ]),
  'market/list-tickers': [
    ...['SPOT', ...productTypes].map((category) => ['oneway', { category }] as const),
    ['oneway', { category: 'USDT-FUTURES', symbol: 'BTCUSDT' }],
  ],
  'market/get-risk-reserve': [
    ['oneway', { category: 'USDT-FUTURES', symbol: 'BTCUSDT' }],
    ['oneway', { category: 'USDC-FUTURES', symbol: 'BTCPERP' }],
    ['oneway', { category: 'COIN-FUTURES', symbol: 'ETHUSD', marginCoin: 'ETH' }],
  ],
  'market/list-fills': [...productTypes, ...demoLines].map((productType) => {
    const symbol = { USDT: 'BTCUSDT', COIN: 'BTCUSD', USDC: 'BTCPERP' };
    const [coin = ''] = productType.replace(/^S/, '').split('-');
    return ['oneway', { productType, symbol: symbol[coin as keyof typeof symbol] }] as const;
  }),
  'tax/list-p2p': [
    ['oneway', window],
    ['hedge', { ...window, coin: 'USDT' }],
  ],
  'futures/set-all-leverage': [['hedge', { productType: 'USDT-FUTURES', leverage: '5' }]],
  'margin/get-interest-rate': [
    ['oneway', { coin: 'BTC' }],
    ['agent', { coin: 'USDT' }],
  ],
  'market/list-discount-rates': [['oneway', {}]],
  'account/create-sub': [
    ['oneway', { username: 'alpha' }],
    ['hedge', { username: 'alpha', accountMode: 'classic', note: 'desk' }],
  ],
  'futures/get-order': [['oneway', { ...bitcoin, clientOid: 'resting' }]],
  'futures/list-open-orders': traders.map((role) => [role, usdtLine] as const),
  'futures/list-closed-orders': [
    ...traders.map((role) => [role, usdtLine] as const),
    ...productTypes.map((productType) => ['hedge', { productType }] as const),
  ],
  'futures/cancel-order': [['oneway', { ...bitcoin, clientOid: 'resting' }]],
  'futures/list-positions': productTypes.flatMap((productType) => [
    ['oneway', { productType }] as const,
    ['hedge', { productType }] as const,
  ]),
  'futures/get-account': [['hedge', { ...bitcoin, marginCoin: 'USDT' }]],
  'futures/set-leverage': [['hedge', { ...bitcoin, marginCoin: 'USDT', leverage: '7' }]],
  'trade/place-order': [
    ['oneway', { ...unifiedLimit, clientOid: 'unified' }],
    ['hedge', { ...unifiedLimit, posSide: 'long' }],
    [
      'oneway',
      { category: 'SPOT', symbol: 'BTCUSDT', qty: '500', side: 'buy', orderType: 'market' },
    ],
  ],
  'trade/get-order': [['oneway', { clientOid: 'unified' }]],
  'trade/cancel-order': [['oneway', { clientOid: 'unified', category: 'USDT-FUTURES' }]],
  'trade/list-positions': productTypes.map((category) => ['hedge', { category }] as const),
  'account/get-settings': [['hedge', {}]],
  'account/set-leverage': [
    ['hedge', { category: 'USDT-FUTURES', symbol: 'BTCUSDT', leverage: '9' }],
  ],
};

/** The rows of an answer, or the fields of one that has none. */
function rowsOf(data: unknown): readonly unknown[] {
  if (Array.isArray(data)) return data;
  if (data === null || typeof data !== 'object') return [data];
  return Object.values(data).find(Array.isArray) ?? Object.values(data);
}

function ask(sandbox: Sandbox, name: OperationName, role: Role, input: object): Answer {
  const isPublic = operationOf(name).access === 'public';
  return opened(
    sandbox.handle(
      isPublic
        ? unsigned(name, input)
        : signed(sandbox.accounts[role], name, { input, timestamp: sandbox.now() }),
    ),
  );
}

describe('in process', () => {
  let sandbox: Sandbox;
  beforeAll(async () => {
    sandbox = await openSandbox({ clock: standingClock(born), limits: false });
  });

  for (const name of operationNames) {
    test.each(cases[name])(`${name} answers %s for %j`, (role, input) => {
      const { code, msg, status, requestTime, data } = ask(sandbox, name, role, input);
      expect({ code, msg, status, requestTime }).toEqual({
        code: '00000',
        msg: 'success',
        status: 200,
        requestTime: born,
      });
      checkOutput(name, data);
      expect(rowsOf(data)).not.toEqual([]);
    });
  }

  test('the world’s invariants hold after all of that', () => {
    expect(sandbox.control('GET', 'invariants')).toEqual([]);
  });
});

describe('over loopback', () => {
  let sandbox: Sandbox;
  let server: RunningServer;
  beforeAll(async () => {
    const clock = standingClock(born);
    sandbox = await openSandbox({ clock, limits: false });
    server = await startServer(sandbox, { port: 0 });
    return async () => {
      await server.close();
      await sandbox.close();
    };
  });

  test.each(operationNames)('%s has the same response as in process', async (name) => {
    const [role, input] = cases[name][0] ?? ['oneway', {}];
    const request =
      operationOf(name).access === 'public'
        ? unsigned(name, input)
        : signed(sandbox.accounts[role], name, { input, timestamp: born });
    const headers = new Headers();
    for (const [header, value] of Object.entries(request.headers))
      headers.set(header, String(value ?? ''));
    const response = await fetch(server.baseUrl + request.target, {
      method: request.method,
      headers,
      ...(request.method === 'POST' && { body: Buffer.from(request.body) }),
    });
    const { code, data } = (await response.json()) as Answer;
    expect([response.status, code]).toEqual([200, '00000']);
    checkOutput(name, data);
  });
});
