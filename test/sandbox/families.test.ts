/** Both account families are served from one engine: the same intent through either gives the same book. */
import { describe, expect, test } from 'vitest';
import { day, standingClock } from '../../src/base/clock.ts';
import { Secret } from '../../src/base/secret.ts';
import type { OperationName } from '../../src/exchange/api/operations/index.ts';
import { openSandbox, type Sandbox } from '../../src/sandbox/sandbox.ts';
import { askIn, opened as envelope, signed } from './support.ts';

const born = Date.UTC(2026, 10, 21, 4, 0, 0);
const bitcoin = { symbol: 'BTCUSDT', productType: 'USDT-FUTURES' };

const opened = (): Promise<Sandbox> => openSandbox({ clock: standingClock(born), limits: false });

type Mode = 'oneway' | 'hedge';
interface Intent {
  readonly mode: Mode;
  /** Intents that come first. */
  readonly after?: readonly string[];
  readonly classic: object;
  readonly unified: object;
}

/** Directions in the words of both families; closes of hedge mode are opposite. */
const intents: Readonly<Record<string, Intent>> = {
  'buy in one-way mode': {
    mode: 'oneway',
    classic: { side: 'buy' },
    unified: { side: 'buy' },
  },
  'reduce a long in one-way mode': {
    mode: 'oneway',
    after: ['buy in one-way mode'],
    classic: { side: 'sell', reduceOnly: 'YES' },
    unified: { side: 'sell', reduceOnly: 'yes' },
  },
  'open a long': {
    mode: 'hedge',
    classic: { side: 'buy', tradeSide: 'open' },
    unified: { side: 'buy', posSide: 'long' },
  },
  'open a short': {
    mode: 'hedge',
    classic: { side: 'sell', tradeSide: 'open' },
    unified: { side: 'sell', posSide: 'short' },
  },
  'close a long': {
    mode: 'hedge',
    after: ['open a long'],
    classic: { side: 'buy', tradeSide: 'close' },
    unified: { side: 'sell', posSide: 'long' },
  },
  'close a short': {
    mode: 'hedge',
    after: ['open a short'],
    classic: { side: 'sell', tradeSide: 'close' },
    unified: { side: 'buy', posSide: 'short' },
  },
};

function done(sandbox: Sandbox, role: Mode, name: OperationName, input: object): unknown {
  const { code, data } = askIn(sandbox, role, name, input);
  expect([name, code]).toEqual([name, '00000']);
  return data;
}

function place(sandbox: Sandbox, family: 'classic' | 'unified', intent: Intent, id: string): void {
  const terms = { orderType: 'market', clientOid: id };
  const input =
    family === 'classic'
      ? { ...bitcoin, marginMode: 'crossed', marginCoin: 'USDT', size: '0.010', ...intent.classic }
      : { category: 'USDT-FUTURES', symbol: 'BTCUSDT', qty: '0.010', ...intent.unified };
  const name = family === 'classic' ? 'futures/place-order' : 'trade/place-order';
  done(sandbox, intent.mode, name, { ...input, ...terms });
}

/** What an account has after an intent, in the words of both families. */
async function after(family: 'classic' | 'unified', name: string): Promise<unknown> {
  const sandbox = await opened();
  const intent = intents[name];
  if (intent === undefined) throw new Error(`no intent ${name}`);
  for (const [at, first] of (intent.after ?? []).entries()) {
    const before = intents[first];
    if (before !== undefined) place(sandbox, 'classic', before, `before-${at}`);
  }
  place(sandbox, family, intent, 'meant');
  const seen = {
    positions: done(sandbox, intent.mode, 'futures/list-positions', {
      productType: 'USDT-FUTURES',
    }),
    held: done(sandbox, intent.mode, 'trade/list-positions', { category: 'USDT-FUTURES' }),
    order: done(sandbox, intent.mode, 'futures/get-order', { ...bitcoin, clientOid: 'meant' }),
    found: done(sandbox, intent.mode, 'trade/get-order', { clientOid: 'meant' }),
  };
  expect(sandbox.control('GET', 'invariants')).toEqual([]);
  return seen;
}

test.each(Object.keys(intents))('%s is the same through either family', async (name) => {
  expect(await after('unified', name)).toEqual(await after('classic', name));
});

describe('the classic family', () => {
  test('names a hedge close by its position, the unified one by its execution', async () => {
    const seen = await after('classic', 'close a long');
    expect(seen).toMatchObject({
      order: { side: 'buy', tradeSide: 'close', posSide: 'long', state: 'filled' },
      found: { side: 'sell', tradeSide: 'close', posSide: 'long', orderStatus: 'filled' },
    });
  });

  test('marks an order that closes in hedge mode as reduce-only, and a market order by its source', async () => {
    expect(await after('unified', 'close a long')).toMatchObject({
      order: { reduceOnly: 'YES', orderSource: 'market', totalProfits: '' },
      found: { reduceOnly: 'NO', execType: 'normal' },
    });
    expect(await after('unified', 'open a long')).toMatchObject({
      order: { reduceOnly: 'NO', orderSource: 'market', totalProfits: '0' },
    });
  });

  test('shows the take-profit and the stop-loss of an order of either family', async () => {
    const sandbox = await opened();
    done(sandbox, 'hedge', 'trade/place-order', {
      category: 'USDT-FUTURES',
      symbol: 'BTCUSDT',
      qty: '0.010',
      price: '30000.0',
      side: 'buy',
      posSide: 'long',
      orderType: 'limit',
      clientOid: 'guarded',
      takeProfit: '40000.0',
      tpOrderType: 'limit',
      tpLimitPrice: '39900.0',
    });
    expect(
      done(sandbox, 'hedge', 'futures/get-order', { ...bitcoin, clientOid: 'guarded' }),
    ).toMatchObject({
      presetStopSurplusPrice: '40000.0',
      presetStopSurplusExecutePrice: '39900.0',
      presetStopSurplusType: 'mark_price',
      presetStopLossPrice: '',
      presetStopLossType: '',
    });
  });

  test('shows with a position what resting orders add, and the maintenance margin rate', async () => {
    const sandbox = await opened();
    const terms = { ...bitcoin, marginMode: 'crossed', marginCoin: 'USDT', tradeSide: 'open' };
    const size = { size: '0.010', side: 'sell' };
    done(sandbox, 'hedge', 'futures/place-order', { ...terms, ...size, orderType: 'market' });
    const limit = { orderType: 'limit', price: '150000.0' };
    done(sandbox, 'hedge', 'futures/place-order', { ...terms, ...size, ...limit });
    const line = { productType: 'USDT-FUTURES', marginCoin: 'usdt' };
    const short = expect.objectContaining({
      symbol: 'BTCUSDT',
      holdSide: 'short',
      total: '0.010',
      openDelegateSize: '0.01',
      keepMarginRate: '0.004',
    });
    expect(done(sandbox, 'hedge', 'futures/list-positions', line)).toContainEqual(short);
    const unified = { category: 'USDT-FUTURES', symbol: 'BTCUSDT', posSide: 'short' };
    expect(done(sandbox, 'hedge', 'trade/list-positions', unified)).toMatchObject({
      list: [{ mmr: '0.004', profitRate: expect.stringMatching(/^-?\d/) }],
    });
  });

  test('refuses a list of open orders over more than three months', async () => {
    const sandbox = await opened();
    const asked = (days: number) => ({
      productType: 'USDT-FUTURES',
      startTime: String(born - days * day),
      endTime: String(born),
    });
    done(sandbox, 'hedge', 'futures/list-open-orders', asked(90));
    expect(askIn(sandbox, 'hedge', 'futures/list-open-orders', asked(91)).code).toBe('00001');
  });

  test('cancels an order once; then it is not open any more', async () => {
    const sandbox = await opened();
    const order = { marginMode: 'crossed', marginCoin: 'USDT', size: '0.010', side: 'buy' };
    done(sandbox, 'oneway', 'futures/place-order', {
      ...bitcoin,
      ...order,
      orderType: 'limit',
      price: '30000.0',
      clientOid: 'resting',
    });
    const named = { ...bitcoin, clientOid: 'resting' };
    expect(done(sandbox, 'oneway', 'futures/list-open-orders', named)).toMatchObject({
      entrustedList: [{ clientOid: 'resting', status: 'live' }],
    });
    done(sandbox, 'oneway', 'futures/cancel-order', named);
    expect(askIn(sandbox, 'oneway', 'futures/cancel-order', named).code).toBe('40109');
    expect(done(sandbox, 'oneway', 'futures/get-order', named)).toMatchObject({
      state: 'canceled',
      cancelReason: 'user_cancel',
    });
    expect(done(sandbox, 'oneway', 'futures/list-open-orders', named)).toEqual({
      entrustedList: [],
      endId: '',
    });
    expect(done(sandbox, 'oneway', 'futures/list-closed-orders', named)).toMatchObject({
      entrustedList: [{ clientOid: 'resting', status: 'canceled' }],
    });
    const other = { ...named, symbol: 'ETHUSDT' };
    expect(askIn(sandbox, 'oneway', 'futures/get-order', other).code).toBe('40109');
    expect(askIn(sandbox, 'hedge', 'futures/get-order', named).code).toBe('40109');
  });

  test('shows the leverage that was set', async () => {
    const sandbox = await opened();
    const line = { ...bitcoin, marginCoin: 'USDT' };
    done(sandbox, 'hedge', 'futures/set-leverage', { ...line, leverage: '13' });
    expect(done(sandbox, 'hedge', 'futures/get-account', line)).toMatchObject({
      crossedMarginLeverage: '13',
      posMode: 'hedge_mode',
    });
    expect(done(sandbox, 'hedge', 'account/get-settings', {})).toMatchObject({
      holdMode: 'hedge_mode',
      symbolConfigList: expect.arrayContaining([
        expect.objectContaining({ symbol: 'BTCUSDT', leverage: '13' }),
      ]),
    });
  });
});

describe('the unified family', () => {
  const limit = {
    category: 'USDT-FUTURES',
    symbol: 'BTCUSDT',
    qty: '0.010',
    price: '30000.0',
    side: 'buy',
    orderType: 'limit',
    clientOid: 'once',
  };

  test('refuses a clientOid while its order is open, and takes it again afterwards', async () => {
    const sandbox = await opened();
    done(sandbox, 'oneway', 'trade/place-order', limit);
    expect(askIn(sandbox, 'oneway', 'trade/place-order', limit).code).toBe('25212');
    done(sandbox, 'oneway', 'trade/cancel-order', { clientOid: 'once' });
    expect(askIn(sandbox, 'oneway', 'trade/cancel-order', { clientOid: 'once' }).code).toBe(
      '25204',
    );
    done(sandbox, 'oneway', 'trade/place-order', limit);
  });

  test('needs a position side in hedge mode, and has none in one-way mode', async () => {
    const sandbox = await opened();
    expect(askIn(sandbox, 'hedge', 'trade/place-order', limit).code).toBe('25236');
    const sided = { ...limit, posSide: 'long' };
    expect(askIn(sandbox, 'oneway', 'trade/place-order', sided).code).toBe('25236');
  });

  test('buys on spot at market for an amount of the quote coin', async () => {
    const sandbox = await opened();
    const buy = { category: 'SPOT', symbol: 'BTCUSDT', side: 'buy', orderType: 'market' };
    done(sandbox, 'oneway', 'trade/place-order', { ...buy, qty: '500', clientOid: 'spot' });
    const found = done(sandbox, 'oneway', 'trade/get-order', { clientOid: 'spot' });
    expect(found).toMatchObject({ orderStatus: 'filled', category: 'SPOT' });
    const { cumExecValue } = found as { cumExecValue: string };
    expect(Number(cumExecValue)).toBeGreaterThan(400); // the rest is less than one step of the size
    expect(Number(cumExecValue)).toBeLessThanOrEqual(500);
  });

  test('an order that does not exist has a code of this family', async () => {
    const sandbox = await opened();
    expect(askIn(sandbox, 'oneway', 'trade/get-order', { clientOid: 'none' }).code).toBe('25204');
    expect(askIn(sandbox, 'oneway', 'trade/get-order', {}).code).toBe('25200');
  });
});

describe('with families split', () => {
  const classic = ['futures/list-positions', { productType: 'USDT-FUTURES' }] as const;
  const unified = ['trade/list-positions', { category: 'USDT-FUTURES' }] as const;

  test('a key is refused by the operations of the other family, before its signature is checked', async () => {
    const sandbox = await opened();
    sandbox.control('POST', 'config', { quirks: { splitFamilies: true } });
    const { uid, ...own } = sandbox.accounts.hedge;
    const key = { apiKey: 'unified', secretKey: 'secret', passphrase: 'pass' };
    const signer = {
      apiKey: new Secret('unified'),
      secretKey: new Secret('secret'),
      passphrase: new Secret('pass'),
    };
    sandbox.control('POST', 'keys', {
      uid,
      ...key,
      permissions: ['trade-read'],
      family: 'unified',
    });
    const stranger = { ...signer, secretKey: new Secret('wrong') };
    const codes = [own, signer, stranger].map((as) =>
      [classic, unified].map(([name, input]) => {
        const asked = signed(as, name, { input, timestamp: sandbox.now() });
        return envelope(sandbox.handle(asked)).code;
      }),
    );
    expect(codes).toEqual([
      ['00000', '40084'],
      ['40085', '00000'],
      ['40085', '40009'],
    ]);
  });
});
