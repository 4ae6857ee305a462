/** Unmodified public clients call the 13 companions by their own methods, and read what the books say. */
import type { Order } from 'ccxt';
import { RestClientV2, RestClientV3 } from 'bitget-api';
import { afterEach, describe, expect, test } from 'vitest';
import { day, systemClock } from '../../src/base/clock.ts';
import { isRecord } from '../../src/base/json.ts';
import type { Family } from '../../src/exchange/api/family.ts';
import type { OrderView, PositionView } from '../../src/sandbox/engine/view.ts';
import { openSandbox } from '../../src/sandbox/sandbox.ts';
import { startServer } from '../../src/sandbox/server.ts';
import {
  ccxtOf,
  traders,
  worded,
  type At,
  type Held,
  type Intent,
  type Keys,
  type Mode,
  type Seen,
} from './traders.ts';

const modes = ['oneway', 'hedge'] as const;
const line = { category: 'USDT-FUTURES' } as const;
const bitcoin = { symbol: 'BTCUSDT', productType: 'USDT-FUTURES' } as const;
const pair = 'BTC/USDT:USDT';

let ending: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const end of ending) await end();
  ending = [];
});

interface Books {
  readonly orders: readonly Seen[];
  readonly open: readonly Seen[];
  readonly held: readonly Held[];
}

/** A sandbox with an account that has money, and nothing else. */
async function opened(mode: Mode, quirks: object = {}) {
  const sandbox = await openSandbox({ clock: systemClock, limits: false });
  sandbox.control('POST', 'config', { quirks });
  const server = await startServer(sandbox, { port: 0 });
  ending.push(() => server.close());
  const { baseUrl } = server;
  const uid = '8800000001';
  sandbox.control('POST', 'accounts', {
    uid,
    positionMode: mode === 'hedge' ? 'hedge_mode' : 'one_way_mode',
  });
  for (const walletType of ['USDT-FUTURES', 'SPOT']) {
    sandbox.control('POST', 'transfers', { uid, walletType, coin: 'USDT', amount: '100000' });
  }
  const keyOf = (family: Family): Keys => {
    const names = { apiKey: `key-${family}`, secretKey: `secret-${family}`, passphrase: 'pass' };
    const permissions = ['trade-read', 'trade-write', 'account-read', 'account-write'];
    sandbox.control('POST', 'keys', { uid, ...names, permissions, family });
    return { apiKey: names.apiKey, apiSecret: names.secretKey, apiPass: names.passphrase };
  };
  const keys = { classic: keyOf('classic'), unified: keyOf('unified') };
  const at = (family: Family): At => ({ baseUrl, keys: keys[family], mode });
  const books = (): Books => {
    const { open, closed } = sandbox.control('GET', 'orders', { uid }) as {
      open: OrderView[];
      closed: OrderView[];
    };
    const held = sandbox.control('GET', 'positions', { uid }) as PositionView[];
    return {
      orders: [...open, ...closed].map(recorded),
      open: open.map(recorded),
      held: held.map(holding),
    };
  };
  return { sandbox, uid, at, books };
}

function recorded(order: OrderView): Seen {
  return {
    clientOid: order.clientOid,
    side: order.side,
    size: Number(order.qty),
    filled: Number(order.cumExecQty),
    status: worded(order.status),
    ...(order.orderType === 'limit' && { price: Number(order.price) }),
    ...(Number(order.avgPrice) > 0 && { average: Number(order.avgPrice) }),
    fee: Number(order.fee),
  };
}

function holding(position: PositionView): Held {
  return {
    symbol: position.symbol,
    side: position.holdSide,
    size: Number(position.size),
    entry: Number(position.entryPrice),
    leverage: position.leverage,
    isHedged: position.holdMode === 'hedge_mode',
  };
}

/** What both modes do: rest, cancel, open, rest to close, close; then the same for a short position. */
const intents: readonly (Intent | { readonly cancel: string })[] = [
  { clientOid: 'resting', side: 'buy', size: '0.010', price: '30000.0' },
  { cancel: 'resting' },
  { clientOid: 'opening', side: 'buy', size: '0.050' },
  { clientOid: 'waiting', side: 'sell', size: '0.020', price: '150000.0', closes: true },
  { clientOid: 'reducing', side: 'sell', size: '0.010', closes: true },
  { cancel: 'waiting' },
  { clientOid: 'closing', side: 'sell', size: '0.040', closes: true },
  { clientOid: 'shorting', side: 'sell', size: '0.030' },
  { clientOid: 'covering', side: 'buy', size: '0.010', closes: true },
];

const finalBook = (mode: Mode) => ({
  orders: [
    'resting buy 0/0.01 canceled',
    'opening buy 0.05/0.05 closed',
    'waiting sell 0/0.02 canceled',
    'reducing sell 0.01/0.01 closed',
    'closing sell 0.04/0.04 closed',
    'shorting sell 0.03/0.03 closed',
    'covering buy 0.01/0.01 closed',
  ],
  held: [`short 0.02 at 7× ${mode}`],
});

/** A book without prices, which differ from run to run. */
function bare({ orders, held }: Books): unknown {
  return {
    orders: orders
      .toReversed()
      .map(({ clientOid, side, filled, size, status }) =>
        [clientOid, side, `${filled}/${size}`, status].join(' '),
      ),
    held: held.map(({ side, size, leverage, isHedged }) => {
      return `${side} ${size} at ${leverage}× ${isHedged ? 'hedge' : 'oneway'}`;
    }),
  };
}

const byId = (rows: readonly Seen[]): readonly Seen[] =>
  rows.toSorted((a, b) => (a.clientOid < b.clientOid ? -1 : 1));

describe.each(Object.entries(traders))('%s', (name, open) => {
  const family = name.includes('classic') || name.endsWith('v2') ? 'classic' : 'unified';
  // This client does not look for the average price under the name of this family.
  const readable = ({ average, ...rest }: Seen): Seen =>
    name === 'ccxt, unified' || average === undefined ? rest : { ...rest, average };

  test.each(modes)('reads what the books say, in %s mode', async (mode) => {
    const { at, books } = await opened(mode, { splitFamilies: true });
    const trader = open(at(family));
    await trader.setLeverage(7);
    expect(await trader.leverage()).toBe(7);
    for (const intent of intents) {
      if ('cancel' in intent) await trader.cancel(intent.cancel);
      else await trader.place(intent);
      const { orders, open: resting, held } = books();
      const rows = orders.map(readable);
      const clientOid = 'cancel' in intent ? intent.cancel : intent.clientOid;
      expect(await trader.order(clientOid)).toEqual(
        rows.find((row) => row.clientOid === clientOid),
      );
      expect(await trader.open()).toEqual(resting.map(readable));
      expect(byId(await trader.closed())).toEqual(
        byId(rows.filter(({ status }) => status !== 'open')),
      );
      expect(await trader.positions()).toEqual(held);
    }
    expect(bare(books())).toEqual(finalBook(mode));
  });

  const [unknown, tooHigh] = family === 'classic' ? ['40109', '40797'] : ['25204', '25223'];
  const wrongMode = {
    classic: { oneway: '40774', hedge: '400172' },
    unified: { oneway: '25236', hedge: '25236' },
  };

  test.each(modes)('is told why a request is refused, in %s mode', async (mode) => {
    const { at, books } = await opened(mode);
    const trader = open(at(family));
    const code = async (act: () => Promise<unknown>): Promise<string> => codeOf(await failed(act));
    expect(await code(() => trader.order('none'))).toBe(unknown);
    expect(await code(() => trader.cancel('none'))).toBe(unknown);
    await trader.place({ clientOid: 'filled', side: 'buy', size: '0.010' });
    expect(await code(() => trader.cancel('filled'))).toBe(unknown);
    await trader.place({ clientOid: 'gone', side: 'buy', size: '0.010', price: '30000.0' });
    await trader.cancel('gone');
    expect(await code(() => trader.cancel('gone'))).toBe(unknown);
    expect(await code(() => trader.setLeverage(126))).toBe(tooHigh);
    const other = open({ ...at(family), mode: mode === 'hedge' ? 'oneway' : 'hedge' });
    const order = { clientOid: 'wrong', side: 'buy', size: '0.010', price: '30000.0' } as const;
    expect(await code(() => other.place(order))).toBe(wrongMode[family][mode]);
    expect(books().orders.map(({ clientOid }) => clientOid)).toEqual(['gone', 'filled']);
  });

  test('is refused with the key of the other family, whatever its secret', async () => {
    const { at } = await opened('hedge', { splitFamilies: true });
    const other = at(family === 'classic' ? 'unified' : 'classic');
    const refused = family === 'classic' ? '40085' : '40084';
    const order = { clientOid: 'refused', side: 'buy', size: '0.010', price: '30000.0' } as const;
    for (const keys of [other.keys, { ...other.keys, apiSecret: 'wrong' }]) {
      const trader = open({ ...other, keys });
      for (const act of [
        () => trader.setLeverage(7),
        () => trader.leverage(),
        () => trader.place(order),
        () => trader.order('refused'),
        () => trader.cancel('refused'),
        () => trader.open(),
        () => trader.closed(),
        () => trader.positions(),
      ]) {
        expect(codeOf(await failed(act))).toBe(refused);
      }
    }
  });
});

async function failed(act: () => Promise<unknown>): Promise<unknown> {
  try {
    await act();
  } catch (error) {
    return error;
  }
  throw new Error('it was accepted');
}

/** The code of a refusal, which ccxt writes into a message. */
function codeOf(error: unknown): string {
  if (error instanceof Error) return /"code":"(\d+)"/.exec(error.message)?.[1] ?? error.message;
  const body = isRecord(error) ? error['body'] : undefined;
  return isRecord(body) ? String(body['code']) : String(error);
}

async function idOf(placing: Promise<Order>): Promise<string> {
  return String((await placing).id);
}

describe('ccxt', () => {
  test.each(['classic', 'unified'] as const)(
    'finds by itself that a key is %s, and trades with it',
    async (family) => {
      const { at, sandbox } = await opened('oneway', { splitFamilies: true });
      const exchange = ccxtOf(at(family), {});
      const id = await idOf(exchange.createOrder(pair, 'limit', 'buy', 0.01, 30_000));
      expect(await exchange.fetchOrder(id, pair)).toMatchObject({ id, status: 'open' });
      const paths = (sandbox.control('GET', 'requests') as { target: string }[]).map(
        ({ target }) => target.split('?')[0],
      );
      expect(paths).toContain(
        family === 'classic' ? '/api/v2/mix/order/place-order' : '/api/v3/trade/place-order',
      );
    },
  );

  test('reads an order of spot, and cancels it', async () => {
    const { at } = await opened('oneway');
    const exchange = ccxtOf(at('unified'), { uta: true });
    const spot = 'BTC/USDT';
    const id = await idOf(exchange.createOrder(spot, 'limit', 'buy', 0.01, 30_000));
    const read = await exchange.fetchOrder(id, spot);
    expect(read).toMatchObject({ side: 'buy', amount: 0.01, price: 30_000, status: 'open' });
    await exchange.cancelOrder(id, spot);
    expect(await exchange.fetchOrder(id, spot)).toMatchObject({ status: 'canceled' });
  });

  test('calls an unknown order of a classic account not found', async () => {
    const { at } = await opened('oneway');
    const exchange = ccxtOf(at('classic'), { uta: false });
    const id = await idOf(exchange.createOrder(pair, 'market', 'buy', 0.01));
    const name = async (act: () => Promise<unknown>) => ((await failed(act)) as Error).name;
    expect(await name(() => exchange.fetchOrder('1', pair))).toBe('OrderNotFound');
    expect(await name(() => exchange.cancelOrder(id, pair))).toBe('OrderNotFound');
  });

  test('reads the take-profit and the stop-loss of a classic order', async () => {
    const { at } = await opened('hedge');
    const exchange = ccxtOf(at('classic'), { uta: false });
    const id = await idOf(
      exchange.createOrder(pair, 'limit', 'buy', 0.01, 30_000, {
        hedged: true,
        takeProfit: { triggerPrice: 40_000, price: 39_900 },
        stopLoss: { triggerPrice: 20_000 },
      }),
    );
    expect(await exchange.fetchOrder(id, pair)).toMatchObject({
      takeProfitPrice: 40_000,
      stopLossPrice: 20_000,
      info: {
        presetStopSurplusExecutePrice: '39900.0',
        presetStopSurplusType: 'mark_price',
        presetStopLossExecutePrice: '',
        presetStopLossType: 'mark_price',
      },
    });
  });

  test.each(modes)('calculates with the margin of a position, in %s mode', async (mode) => {
    const { at } = await opened(mode);
    for (const family of ['classic', 'unified'] as const) {
      const exchange = ccxtOf(at(family), { uta: family === 'unified' });
      const terms = { hedged: mode === 'hedge' };
      await exchange.createOrder(pair, 'market', 'buy', 0.01, undefined, terms);
      const [position] = await exchange.fetchPositions([pair]);
      expect(position).toMatchObject({ marginMode: 'cross', leverage: 20 });
      expect(position?.initialMargin).toBeGreaterThan(0);
      expect(position?.percentage).toEqual(expect.any(Number));
      if (family === 'classic') expect(position?.maintenanceMarginPercentage).toBe(0.004);
      else expect(position?.marginRatio).toBe(0.004);
    }
  });

  test('sets the leverage of a side with isolated margin, and estimates the liquidation', async () => {
    const { at } = await opened('hedge');
    const exchange = ccxtOf(at('classic'), { uta: false });
    const terms = { hedged: true, marginMode: 'isolated' };
    await exchange.createOrder(pair, 'market', 'buy', 0.01, undefined, terms);
    await exchange.setLeverage(11, pair, { holdSide: 'long' });
    expect(await exchange.fetchLeverage(pair)).toMatchObject({
      marginMode: 'isolated',
      longLeverage: 11,
    });
    const [position] = await exchange.fetchPositions([pair]);
    expect(position).toMatchObject({ marginMode: 'isolated', leverage: 11, side: 'long' });
    const { entryPrice = 0, liquidationPrice = 0, collateral } = position ?? {};
    expect(liquidationPrice).toBeGreaterThan(entryPrice * 0.9);
    expect(liquidationPrice).toBeLessThan(entryPrice * 0.93);
    expect(collateral).toBeGreaterThan(0);
    const unified = ccxtOf(at('unified'), { uta: true });
    await unified.setLeverage(12, pair, { posSide: 'long' });
    expect(await unified.fetchPositions([pair])).toMatchObject([{ leverage: 12 }]);
  });

  test.each(['classic', 'unified'] as const)(
    'reads real empty lists of a %s account',
    async (family) => {
      const { at } = await opened('hedge', { answers: 'real' });
      const exchange = ccxtOf(at(family), { uta: family === 'unified' });
      expect(await exchange.fetchPositions()).toEqual([]);
      expect(await exchange.fetchOpenOrders(pair)).toEqual([]);
      expect(await exchange.fetchCanceledAndClosedOrders(pair)).toEqual([]);
    },
  );
});

describe('lists of a classic account', () => {
  const count = 230;

  async function crowded() {
    const found = await opened('oneway');
    const { sandbox, uid, at } = found;
    for (let place = 0; place < count; place++) {
      sandbox.control('POST', 'orders', {
        uid,
        ...line,
        symbol: 'BTCUSDT',
        side: 'buy',
        orderType: 'limit',
        size: '0.001',
        price: `${30_000 + place}.0`,
        clientOid: `o-${place}`,
      });
    }
    const { baseUrl, keys } = at('classic');
    return { ...found, client: new RestClientV2({ ...keys, baseUrl }), all: found.books().orders };
  }

  test('are read page by page by the endId of the page before', async () => {
    const { client, at, all, sandbox, uid } = await crowded();
    const ids = all.map(({ clientOid }) => clientOid);
    const read = async (
      list: 'open' | 'closed',
      limit: string | undefined,
    ): Promise<string[][]> => {
      const pages: string[][] = [];
      let idLessThan: string | undefined;
      do {
        const asked = { ...bitcoin, ...(limit && { limit }), ...(idLessThan && { idLessThan }) };
        const { data } = await (list === 'open'
          ? client.getFuturesOpenOrders(asked)
          : client.getFuturesHistoricOrders(asked));
        pages.push(data.entrustedList.map(({ clientOid }) => clientOid));
        idLessThan = data.entrustedList.length === 0 ? undefined : data.endId;
      } while (idLessThan !== undefined);
      return pages;
    };
    const open = await read('open', undefined);
    expect(open.map(({ length }) => length)).toEqual([100, 100, 30, 0]);
    expect(open.flat()).toEqual(ids);
    const exchange = ccxtOf(at('classic'), { uta: false });
    const first = await exchange.fetchOpenOrders(pair, undefined, 60);
    const last = first.toSorted((a, b) => (String(a.id) < String(b.id) ? -1 : 1))[0];
    const second = await exchange.fetchOpenOrders(pair, undefined, 60, { idLessThan: last?.id });
    const seen = [...first, ...second].map(({ clientOrderId }) => clientOrderId);
    expect(new Set(seen)).toEqual(new Set(ids.slice(0, 120)));
    sandbox.control('POST', 'orders/cancel', { uid });
    expect(await read('open', '100')).toEqual([[]]);
    const closed = await read('closed', '70');
    expect(closed.map(({ length }) => length)).toEqual([70, 70, 70, 20, 0]);
    expect(closed.flat()).toEqual(ids);
  });

  test('are restricted by time, status and name', async () => {
    const { client, sandbox, uid, all } = await crowded();
    const orders = (sandbox.control('GET', 'orders', { uid }) as { open: OrderView[] }).open;
    const middle = orders[100]?.createdTime ?? 0;
    const until = { ...bitcoin, limit: '100', startTime: String(middle - day) };
    const { data } = await client.getFuturesOpenOrders({ ...until, endTime: String(middle) });
    const meant = orders.filter(({ createdTime }) => createdTime <= middle).slice(0, 100);
    expect(data.entrustedList.map(({ orderId }) => orderId)).toEqual(
      meant.map(({ orderId }) => orderId),
    );
    const clientOid = all[3]?.clientOid ?? '';
    const named = await client.getFuturesOpenOrders({ ...bitcoin, clientOid });
    expect(named.data.entrustedList.map((row) => row.clientOid)).toEqual([clientOid]);
    const none = await client.getFuturesOpenOrders({ ...bitcoin, status: 'partially_filled' });
    expect(none.data.entrustedList).toEqual([]);
    const now = Date.now();
    const long = { ...bitcoin, startTime: String(now - 91 * day), endTime: String(now) };
    expect(codeOf(await failed(() => client.getFuturesOpenOrders(long)))).toBe('00001');
    expect(codeOf(await failed(() => client.getFuturesHistoricOrders(long)))).toBe('00001');
    const early = { ...long, endTime: String(now - 90.5 * day) };
    expect(codeOf(await failed(() => client.getFuturesHistoricOrders(early)))).toBe('40704');
    const turned = { ...bitcoin, startTime: String(now), endTime: String(now - day) };
    expect(codeOf(await failed(() => client.getFuturesOpenOrders(turned)))).toBe('40707');
    const many = { ...bitcoin, limit: '101' };
    expect(codeOf(await failed(() => client.getFuturesOpenOrders(many)))).toBe('40053');
  });
});

describe('words in lower case', () => {
  test('are understood in requests of a classic account', async () => {
    const { at, books } = await opened('hedge');
    const { baseUrl, keys } = at('classic');
    const client = new RestClientV2({ ...keys, baseUrl });
    const small = { symbol: 'btcusdt', productType: 'usdt-futures' };
    const get = (path: string, more: object): Promise<{ data: unknown }> =>
      client.getPrivate(`/api/v2/mix/${path}`, { ...small, ...more });
    const post = (path: string, more: object): Promise<unknown> =>
      client.postPrivate(`/api/v2/mix/${path}`, { ...small, marginCoin: 'usdt', ...more });
    await post('account/set-leverage', { leverage: '9' });
    // The interface asks for the margin coin of a new order in upper case.
    const coin = { marginCoin: 'USDT', marginMode: 'CROSSED' };
    const direction = { ...coin, side: 'BUY', tradeSide: 'Open' };
    const limit = { orderType: 'LIMIT', price: '30000.0', force: 'GTC', size: '0.010' };
    await post('order/place-order', { ...direction, ...limit, clientOid: 'Small' });
    await post('order/place-order', { ...direction, orderType: 'market', size: '0.010' });
    const one = await get('order/detail', { clientOid: 'Small' });
    expect(one.data).toMatchObject({ symbol: 'BTCUSDT', leverage: '9', state: 'live' });
    expect((await get('order/orders-pending', {})).data).toMatchObject({
      entrustedList: [{ clientOid: 'Small' }],
    });
    expect((await get('position/all-position', { marginCoin: 'usdt' })).data).toMatchObject([
      { symbol: 'BTCUSDT', total: '0.010', openDelegateSize: '0.01' },
    ]);
    expect((await get('account/account', { marginCoin: 'usdt' })).data).toMatchObject({
      crossedMarginLeverage: '9',
      isolatedUnrealizedPL: '0',
    });
    await post('order/cancel-order', { clientOid: 'Small' });
    expect((await get('order/orders-history', {})).data).toMatchObject({
      entrustedList: [{ orderSource: 'market' }, { clientOid: 'Small', posAvg: '' }],
    });
    expect(books().open).toEqual([]);
  });

  test('are understood in requests of a unified account', async () => {
    const { at, books } = await opened('hedge');
    const { baseUrl, keys } = at('unified');
    const client = new RestClientV3({ ...keys, baseUrl });
    const small = { category: 'usdt-futures', symbol: 'btcusdt' };
    const post = (path: string, more: object): Promise<unknown> =>
      client.postPrivate(`/api/v3/${path}`, { ...small, ...more });
    await post('account/set-leverage', { leverage: '9', posSide: undefined });
    const limit = { orderType: 'LIMIT', price: '30000.0', timeInForce: 'GTC', qty: '0.010' };
    await post('trade/place-order', {
      side: 'SELL',
      posSide: 'SHORT',
      orderType: 'market',
      qty: '0.010',
    });
    await post('trade/place-order', { ...limit, side: 'Buy', posSide: 'Long', clientOid: 'Small' });
    const { data } = await client.getPrivate('/api/v3/position/current-position', {
      ...small,
      posSide: 'Short',
    });
    expect(data).toMatchObject({ list: [{ symbol: 'BTCUSDT', leverage: '9', total: '0.010' }] });
    await post('trade/cancel-order', { clientOid: 'Small' });
    const { data: one } = await client.getOrderInfo({ clientOid: 'Small' });
    expect(one).toMatchObject({
      orderStatus: 'cancelled',
      cancelReason: 'normal_cancel',
      execType: 'normal',
      tradeSide: 'open',
    });
    expect(books().open).toEqual([]);
  });
});
