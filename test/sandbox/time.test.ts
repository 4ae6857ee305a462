/** What passing time does to a world: prices travel, orders fill, symbols expire. */
import { generateKeyPairSync } from 'node:crypto';
import { beforeEach, describe, expect, test } from 'vitest';
import {
  day,
  hour,
  minute,
  second,
  standingClock,
  type StandingClock,
} from '../../src/base/clock.ts';
import type { OperationName } from '../../src/exchange/api/operations/index.ts';
import { openSandbox, type Sandbox } from '../../src/sandbox/sandbox.ts';
import { marketsOf } from '../../src/sandbox/world/markets.ts';
import { askIn, opened, openingLimit, unsigned, type Answer } from './support.ts';

const born = Date.UTC(2026, 10, 21, 4, 0, 0);
let clock: StandingClock;
let sandbox: Sandbox;

beforeEach(async () => {
  clock = standingClock(born);
  sandbox = await openSandbox({ clock, limits: false });
});

type Row = Readonly<Record<string, string>>;

const ask = (name: OperationName, input: object): Answer => askIn(sandbox, 'hedge', name, input);

function ticker(category: string, symbol: string): Row {
  const { data } = opened(sandbox.handle(unsigned('market/list-tickers', { category, symbol })));
  return Object(data)[0];
}

const bills = (productType: string, businessType?: string): readonly Row[] =>
  Object(
    ask('futures/list-bills', { productType, ...(businessType && { businessType }), limit: '100' })
      .data,
  ).bills;

const position = (symbol: string): Row | undefined =>
  Object(sandbox.control('GET', 'positions', { uid: sandbox.accounts.hedge.uid })).find(
    (row: Row) => row['symbol'] === symbol,
  );

const order = openingLimit;

const sound = (): void => expect(sandbox.control('GET', 'invariants')).toEqual([]);

test('a limit order is filled when the price passes through it', () => {
  const price = String(Math.floor(Number(ticker('USDT-FUTURES', 'BTCUSDT')['markPrice']) * 0.995));
  expect(ask('futures/place-order', { ...order, price, clientOid: 'patient' }).code).toBe('00000');
  const status = (): string | undefined => {
    for (const name of ['order/list-open', 'order/list-history'] as const) {
      const { list } = Object(ask(name, { symbol: 'BTCUSDT' }).data);
      const found = list.find(({ clientOid }: Row) => clientOid === 'patient');
      if (found !== undefined) return found.orderStatus;
    }
    return undefined;
  };
  expect(status()).toBe('live');
  clock.advance(3 * day);
  expect(status()).toBe('filled');
  sound();
});

test('an order is filled by a dip between two reads', () => {
  const stretch = 8 * hour; // between two fundings
  const btc = marketsOf({ seed: 1, born }, { listed: [], pins: () => [] }).get(
    'USDT-FUTURES:BTCUSDT',
  );
  const ticksAt = (at: number): number => btc?.ticksAt(at) ?? 0;
  const ends = Array.from({ length: 30 }, (_, n) => born + 4 * hour + n * stretch);
  const dips = ends.map((start) => {
    const inside = Array.from({ length: 95 }, (_, n) => ticksAt(start + (n + 1) * 5 * minute));
    return { limit: Math.round(Math.min(...inside) * 1.0005), until: start + stretch };
  });
  const floor = (until: number): number =>
    Math.min(ticksAt(born), ...ends.filter((end) => end <= until).map(ticksAt));
  const dip = dips.find(({ limit, until }) => limit < floor(until) * 0.997);
  expect(dip).toBeDefined();
  const price = String((dip?.limit ?? 0) / 10);
  expect(ask('futures/place-order', { ...order, price, clientOid: 'dip' }).code).toBe('00000');
  clock.advance((dip?.until ?? born) - born);
  const { list } = Object(ask('order/list-history', { symbol: 'BTCUSDT' }).data);
  expect(list[0]).toMatchObject({ clientOid: 'dip', orderStatus: 'filled' });
});

test('a fill price is never worse than the limit', () => {
  const price = String(Math.floor(Number(ticker('USDT-FUTURES', 'BTCUSDT')['markPrice']) * 0.997));
  ask('futures/place-order', { ...order, price, clientOid: 'fair' });
  clock.advance(5 * day);
  const { list } = Object(ask('order/list-history', { symbol: 'BTCUSDT' }).data);
  const filled = list.find(({ clientOid }: Row) => clientOid === 'fair');
  expect(Number(filled.avgPrice)).toBeLessThanOrEqual(Number(price));
});

test('funding is paid every eight hours on every position', () => {
  const before = bills('USDT-FUTURES', 'contract_settle_fee').length;
  clock.advance(2 * day);
  const paid = bills('USDT-FUTURES', 'contract_settle_fee');
  expect(paid.length - before).toBe(2 * 6); // two symbols, six times
  for (const { cTime } of paid) expect(Number(cTime) % (8 * hour)).toBe(0);
  sound();
});

test('the mark price of positions follows the ticker', () => {
  for (const step of [1_000, 59_000, hour, 7 * hour, 3 * day]) {
    clock.advance(step);
    expect(position('BTCUSDT')?.['markPrice']).toBe(ticker('USDT-FUTURES', 'BTCUSDT')['markPrice']);
  }
});

test('the clock may advance by months at once', () => {
  sandbox.control('POST', 'clock/advance', { ms: 100 * day });
  expect(sandbox.now()).toBe(born + 100 * day);
  expect(ticker('USDT-FUTURES', 'BTCUSDT')['ts']).toBe(String(born + 100 * day));
  sound();
});

describe('a delivered symbol', () => {
  const symbolOf = (status: string): Row => {
    const { data } = opened(
      sandbox.handle(unsigned('market/list-tickers', { category: 'COIN-FUTURES' })),
    );
    return Object(data).find(({ deliveryStatus }: Row) => deliveryStatus === status);
  };
  const coinOrder = (symbol: string, tradeSide: 'open' | 'close') => ({
    ...order,
    symbol,
    productType: 'COIN-FUTURES',
    marginCoin: 'BTC',
    orderType: 'market',
    tradeSide,
  });

  test('passes through its phases and settles open positions', () => {
    const { symbol = '', deliveryTime } = symbolOf('delivery_normal');
    const place = (tradeSide: 'open' | 'close') =>
      ask('futures/place-order', coinOrder(symbol, tradeSide)).code;
    expect(place('open')).toBe('00000');
    const until = Number(deliveryTime) - born;
    clock.advance(until - 5 * minute);
    expect(ticker('COIN-FUTURES', symbol)['deliveryStatus']).toBe('delivery_before');
    expect(place('open')).toBe('22039');
    clock.advance(5 * minute);
    expect(ticker('COIN-FUTURES', symbol)['deliveryStatus']).toBe('delivery_period');
    expect(place('close')).toBe('22040');
    clock.advance(2 * minute);
    ticker('COIN-FUTURES', symbol);
    expect(position(symbol)).toBeUndefined();
    expect(bills('COIN-FUTURES', 'delivery_long')).toHaveLength(1);
    sound();
  });

  test('is quoted until its delivery, also without traders', () => {
    const { symbol = '', deliveryTime } = symbolOf('delivery_normal');
    const ask = (): string | undefined => ticker('COIN-FUTURES', symbol)['ask1Price'];
    clock.advance(Number(deliveryTime) - born - 5 * minute);
    expect(Number(ask())).toBeGreaterThan(0);
    clock.advance(5 * minute);
    expect(ask()).toBe('');
  });

  test('is not traded or quoted while it is configured', () => {
    const { symbol = '', ask1Price, ask1Size } = symbolOf('delivery_config_period');
    expect([ask1Price, ask1Size]).toEqual(['', '0']);
    expect(ask('futures/place-order', coinOrder(symbol, 'open')).code).toBe('43115');
  });
});

describe('the control interface', () => {
  test('sets a price, and resting orders on the way are filled', () => {
    const mark = Number(ticker('USDT-FUTURES', 'BTCUSDT')['markPrice']);
    const price = String(Math.floor(mark * 0.95));
    ask('futures/place-order', { ...order, price, clientOid: 'deep' });
    const to = String(Math.floor(mark * 0.8));
    sandbox.control('POST', 'market', { category: 'USDT-FUTURES', symbol: 'BTCUSDT', price: to });
    const { list } = Object(ask('order/list-history', { symbol: 'BTCUSDT' }).data);
    expect(list[0]).toMatchObject({ clientOid: 'deep', orderStatus: 'filled' });
    expect(ticker('USDT-FUTURES', 'BTCUSDT')).toMatchObject({
      markPrice: `${to}.0`,
      lastPrice: `${to}.0`,
    });
    clock.advance(hour);
    expect(ticker('USDT-FUTURES', 'BTCUSDT')['markPrice']).toBe(`${to}.0`);
    sound();
  });

  test('sets only the mark price, until it is released', () => {
    const btc = { category: 'USDT-FUTURES', symbol: 'BTCUSDT' };
    const { indexPrice } = ticker('USDT-FUTURES', 'BTCUSDT');
    sandbox.control('POST', 'market', { ...btc, mark: '70000' });
    clock.advance(minute);
    expect(ticker('USDT-FUTURES', 'BTCUSDT')['markPrice']).toBe('70000.0');
    expect(position('BTCUSDT')?.['markPrice']).toBe('70000.0');
    sandbox.control('POST', 'market', { ...btc, mark: null });
    const later = ticker('USDT-FUTURES', 'BTCUSDT');
    expect(later['markPrice']).toBe(later['indexPrice']);
    expect(Number(indexPrice)).toBeGreaterThan(75_000);
    sound();
  });

  test('freezes the clock, advances it and starts it again', async () => {
    sandbox.control('POST', 'clock', { mode: 'frozen' });
    clock.advance(hour);
    expect(sandbox.now()).toBe(born);
    sandbox.control('POST', 'clock/advance', { ms: day });
    expect(sandbox.now()).toBe(born + day);
    sandbox.control('POST', 'clock', { mode: 'real' });
    clock.advance(minute);
    expect(sandbox.now()).toBe(born + day + minute);
    expect(() => sandbox.control('POST', 'clock/advance', { to: born })).toThrow('cannot go back');
  });

  test('accelerates the clock, and advances it while accelerated', () => {
    sandbox.control('POST', 'clock', { mode: 'accelerated', speed: 60 });
    clock.advance(minute);
    expect(sandbox.now()).toBe(born + hour);
    sandbox.control('POST', 'clock/advance', { ms: day });
    clock.advance(second);
    expect(sandbox.control('GET', 'clock')).toEqual({
      mode: 'accelerated',
      speed: 60,
      now: born + hour + day + minute,
    });
    sandbox.control('POST', 'clock', { mode: 'real' });
    clock.advance(second);
    expect(sandbox.now()).toBe(born + hour + day + minute + second);
    expect(() => sandbox.control('POST', 'clock', { mode: 'accelerated' })).toThrow('speed');
    sound();
  });

  test('saves a snapshot and restores it', () => {
    const { hash } = Object(sandbox.control('POST', 'snapshots', { name: 'before' }));
    ask('futures/place-order', { ...order, orderType: 'market' });
    expect(sandbox.control('GET', 'hash')).not.toEqual({ hash });
    sandbox.control('POST', 'snapshots/restore', { name: 'before' });
    expect(sandbox.control('GET', 'hash')).toEqual({ hash });
    expect(ask('futures/place-order', { ...order, orderType: 'market' }).code).toBe('00000');
  });

  test('limits the number of snapshots', () => {
    const put = (name: string) => () => sandbox.control('POST', 'snapshots', { name });
    for (let number = 0; number < 100; number++) put(`world ${number}`)();
    expect(put('one more')).toThrow('100 snapshots exist');
    expect(put('world 7')).not.toThrow();
  });

  test('resets the world', () => {
    const fresh = sandbox.control('GET', 'hash');
    ask('futures/place-order', { ...order, orderType: 'market' });
    sandbox.control('POST', 'reset');
    expect(sandbox.control('GET', 'hash')).toEqual(fresh);
  });

  test('loads a scenario with its own accounts, prices, faults and events', () => {
    sandbox.control('POST', 'scenario', {
      version: 1,
      config: { pageOverflow: 'clamp' },
      accounts: [{ uid: '55', positionMode: 'hedge_mode' }],
      keys: [
        { uid: '55', apiKey: 'k', secretKey: 's', passphrase: 'p', permissions: ['trade-read'] },
      ],
      transfers: [{ uid: '55', walletType: 'USDT-FUTURES', coin: 'USDT', amount: '5000' }],
      market: [{ category: 'USDT-FUTURES', symbol: 'ETHUSDT', price: '3000' }],
      orders: [
        {
          uid: '55',
          category: 'USDT-FUTURES',
          symbol: 'ETHUSDT',
          side: 'buy',
          tradeSide: 'open',
          orderType: 'limit',
          size: '0.1',
          price: '2900',
        },
      ],
      faults: [{ match: { operation: 'futures/list-bills' }, action: { kind: 'html-502' } }],
      events: [
        {
          after: '1m',
          price: { category: 'USDT-FUTURES', symbol: 'ETHUSDT', price: '2850' },
        },
      ],
    });
    const orders = () => Object(sandbox.control('GET', 'orders', { uid: '55' }));
    expect(orders().open).toHaveLength(1);
    clock.advance(minute);
    expect(orders().open).toEqual([]);
    expect(orders().closed).toMatchObject([{ status: 'filled', price: '2900.00' }]);
    sound();
  });

  test('reports what is wrong with a request', () => {
    const post = (path: string, fields: object) => () => sandbox.control('POST', path, fields);
    expect(post('market', { category: 'USDT-FUTURES', symbol: 'NOPE', price: '1' })).toThrow(
      'Symbol does not exist',
    );
    expect(
      post('transfers', { uid: '1', walletType: 'SPOT', coin: 'USDT', amount: '1e3' }),
    ).toThrow('amount must be a decimal number');
    expect(post('accounts', {})).toThrow('uid is missing');
    expect(post('accounts', { uid: 'desk' })).toThrow('uid must be a whole number');
    expect(post('accounts', { uid: '7000000001' })).toThrow('uid 7000000001 is taken');
    const toSpot = { uid: '7000000001', coin: 'USDT', amount: '1', to: 'SPOT' };
    expect(post('transfers', { ...toSpot, walletType: 'USDT-FUTURES' })).toThrow(
      'give walletType, or from and to',
    );
    expect(() =>
      sandbox.control('PUT', 'faults', { rules: [{ action: { kind: 'meteor' } }] }),
    ).toThrow('rules.0.action.kind must be');
    expect(post('snapshots/restore', { name: 'never' })).toThrow('no snapshot never');
    for (const path of ['positions', 'wallets', 'orders']) {
      const ask = (fields: object) => () => sandbox.control('GET', path, fields);
      expect(ask({ uid: '8' }), path).toThrow('no account 8');
      expect(ask({ uid: '7000000001', symbol: 'BTCUSDT' }), path).toThrow('symbol is not known');
      expect(ask({}), path).toThrow('uid is missing');
    }
    const spot = { category: 'SPOT', symbol: 'BTCUSDT' };
    expect(post('market', { ...spot, deliveryStatus: 'delivery_period' })).toThrow('product type');
    expect(post('market', { ...spot, deliver: true })).toThrow('product type');
  });

  test('truncates no value that is set by hand', () => {
    const btc = { category: 'USDT-FUTURES', symbol: 'BTCUSDT' };
    const set = (fields: object) => () => sandbox.control('POST', 'market', { ...btc, ...fields });
    expect(set({ price: '80000.55' })).toThrow('too many decimal places');
    expect(set({ mark: '80000.55' })).toThrow('too many decimal places');
    expect(set({ fundingRate: '0.0000004' })).toThrow('too many decimal places');
    expect(set({ price: '80000.500' })()).toMatchObject({ price: '80000.5' });
  });

  test('shows every setting', () => {
    const set = sandbox.control('POST', 'config', {
      duplicateClientOid: 5_000,
      pageOverflow: 'clamp',
    });
    const whole = { matchDelayMs: 0, duplicateClientOid: 5_000, pageOverflow: 'clamp' };
    expect(set).toMatchObject(whole);
    expect(sandbox.control('GET', 'config')).toEqual(set);
    expect(sandbox.control('GET', 'info')).toMatchObject({ config: whole });
  });

  test('refuses a key that cannot verify signatures', () => {
    const { uid } = sandbox.accounts.hedge;
    const rest = { uid, apiKey: 'mine', passphrase: 'words', permissions: ['trade-read'] };
    const add = (publicKey: string) => () =>
      sandbox.control('POST', 'keys', { ...rest, publicKey });
    const pem = { format: 'pem' } as const;
    const curve = generateKeyPairSync('ed25519').publicKey.export({ type: 'spki', ...pem });
    const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 });
    for (const wrong of ['abc', curve, rsa.privateKey.export({ type: 'pkcs8', ...pem })]) {
      expect(add(String(wrong))).toThrow('publicKey must be an RSA public key');
    }
    expect(add(String(rsa.publicKey.export({ type: 'spki', ...pem })))).not.toThrow();
  });

  test('refuses an unknown field and does nothing', () => {
    const before = sandbox.control('GET', 'hash');
    const btc = { category: 'USDT-FUTURES', symbol: 'BTCUSDT' };
    for (const [path, fields] of [
      ['config', { limit: false }],
      ['config', { limits: true, quirks: { lowerCase: true } }],
      ['market', { ...btc, prise: '1' }],
      ['clock/advance', { ms: 1, minutes: 5 }],
      ['reset', { seeds: 5 }],
      ['orders/cancel', { uid: '7000000001', order: '1' }],
    ] as const) {
      const ask = () => sandbox.control('POST', path, fields);
      expect(ask, JSON.stringify(fields)).toThrow(/is not known/);
    }
    expect(() => sandbox.control('PUT', 'faults', { faults: [] })).toThrow(/is not known/);
    expect(sandbox.control('GET', 'hash')).toEqual(before);
  });

  test('advances the clock by whole milliseconds, at most ten years', () => {
    const now = sandbox.now();
    const go = (path: string, fields: object) => () => sandbox.control('POST', path, fields);
    expect(go('clock/advance', { ms: 1.5 })).toThrow('ms must be of type integer');
    expect(go('clock/advance', { ms: 3_654 * day })).toThrow('at most ten years');
    expect(go('clock/advance', { to: 9e15 })).toThrow('to must be');
    expect(go('clock', { mode: 'frozen', at: now + 3_654 * day })).toThrow('at most ten years');
    expect(go('clock', { mode: 'accelerated', speed: 0 })).toThrow('speed must be');
    expect(sandbox.now()).toBe(now);
  });

  test('refuses a fault that cannot be sent', () => {
    const put = (rule: object) => () => sandbox.control('PUT', 'faults', { rules: [rule] });
    for (const status of [99, 101, 199, 600, 200.5]) {
      expect(put({ action: { kind: 'status', status } }), String(status)).toThrow('status must be');
    }
    expect(put({ times: 0, action: { kind: 'reset' } })).toThrow('times must be');
    expect(put({ match: { probability: 2 }, action: { kind: 'reset' } })).toThrow('probability');
    expect(sandbox.control('GET', 'faults')).toEqual([]);
  });

  test('sets any price that can be written, and releases it', () => {
    const btc = { category: 'USDT-FUTURES', symbol: 'BTCUSDT' };
    const set = (price: string) => sandbox.control('POST', 'market', { ...btc, price });
    expect(() => set('9'.repeat(40))).toThrow('at most 12 digits');
    expect(set('0.5')).toMatchObject({ price: '0.5', mark: '0.5' });
    expect(set('99999999999.9')).toMatchObject({ price: '99999999999.9', mark: '99999999999.9' });
    expect(set('80000')).toMatchObject({ price: '80000.0', mark: '80000.0' });
    sound();
  });

  test('shows the mark price of a market without accounts', () => {
    const quiet = { category: 'USDT-FUTURES', symbol: 'LINKUSDT' };
    clock.advance(hour);
    expect(sandbox.control('POST', 'market', { ...quiet, price: '33' })).toMatchObject({
      price: '33.000',
      mark: '33.000',
    });
    expect(sandbox.control('POST', 'market', { ...quiet, mark: '34' })).toMatchObject({
      price: '33.000',
      mark: '34.000',
    });
  });
});

test('the same seed and requests give the same world', async () => {
  const live = async (): Promise<unknown> => {
    clock = standingClock(born);
    sandbox = await openSandbox({ clock, seed: 9 });
    for (let n = 0; n < 5; n++) {
      ask('futures/place-order', { ...order, orderType: 'market', clientOid: `n${n}` });
      clock.advance(7 * minute);
    }
    return sandbox.control('GET', 'hash');
  };
  expect(await live()).toEqual(await live());
});
