/** Unmodified public clients with only the address changed: they work as with the real exchange. */
import ccxt from 'ccxt';
import { RestClientV2, RestClientV3 } from 'bitget-api';
import { createHmac } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { day, systemClock } from '../../src/base/clock.ts';
import { checkOutput } from '../../src/exchange/api/check.ts';
import {
  operationNames,
  operationOf,
  type OperationName,
} from '../../src/exchange/api/operations/index.ts';
import { openSandbox, type Sandbox } from '../../src/sandbox/sandbox.ts';
import { startServer } from '../../src/sandbox/server.ts';

let sandbox: Sandbox;
let baseUrl = '';
let close = async (): Promise<void> => undefined;

beforeAll(async () => {
  sandbox = await openSandbox({ clock: systemClock, limits: false });
  const server = await startServer(sandbox, { port: 0 });
  baseUrl = server.baseUrl;
  close = () => server.close();
});
afterAll(() => close());

type Who = 'oneway' | 'hedge';

function keyOf(who: Who) {
  const { apiKey, secretKey, passphrase } = sandbox.accounts[who];
  return {
    apiKey: apiKey.reveal(),
    apiSecret: secretKey.reveal(),
    apiPass: passphrase.reveal(),
  };
}

const order = (who: Who, clientOid: string) => ({
  symbol: 'BTCUSDT',
  productType: 'USDT-FUTURES' as const,
  marginMode: 'crossed' as const,
  marginCoin: 'USDT',
  size: '0.010',
  price: '30000.0',
  side: 'buy' as const,
  orderType: 'limit' as const,
  force: 'gtc' as const,
  clientOid,
  ...(who === 'hedge' && { tradeSide: 'open' as const }),
});

describe.each(['oneway', 'hedge'] as const)('bitget-api on the %s account', (who) => {
  const v2 = () => new RestClientV2({ ...keyOf(who), baseUrl });
  const v3 = () => new RestClientV3({ ...keyOf(who), baseUrl });

  test('places an order and reads it back from open orders', async () => {
    const clientOid = `bitget-${who}`;
    const placed = await v2().futuresSubmitOrder(order(who, clientOid));
    expect(placed).toMatchObject({ code: '00000', msg: 'success', data: { clientOid } });
    const open = await v3().getUnfilledOrders({ category: 'USDT-FUTURES', symbol: 'BTCUSDT' });
    const found = open.data.list.find((row) => row.clientOid === clientOid);
    expect(found).toMatchObject({
      orderId: placed.data.orderId,
      qty: '0.010',
      orderStatus: 'live',
    });
  });

  test('reads history, bills, ranks, tickers and fills', async () => {
    const history = await v3().getHistoryOrders({ category: 'USDT-FUTURES' });
    const bills = await v2().getFuturesAccountBills({ productType: 'USDT-FUTURES' });
    const tickers = await v3().getTickers({ category: 'USDT-FUTURES' });
    const fills = await v2().getFuturesHistoricTrades({
      symbol: 'BTCUSDT',
      productType: 'USDT-FUTURES',
    });
    for (const answer of [history, bills, tickers, fills]) expect(answer.code).toBe('00000');
    expect(tickers.data.length).toBeGreaterThan(5);
    expect(fills.data.length).toBeGreaterThan(10);
  });
});

function ccxtOf(who: Who) {
  const { apiKey, apiSecret, apiPass } = keyOf(who);
  const exchange = new ccxt.bitget({
    apiKey,
    secret: apiSecret,
    password: apiPass,
    options: { uta: false },
  });
  const { urls } = exchange;
  if (typeof urls.api === 'object') {
    for (const name of Object.keys(urls.api)) urls.api[name] = baseUrl;
  }
  return exchange;
}

describe.each(['oneway', 'hedge'] as const)('ccxt on the %s account', (who) => {
  test('places an order and reads it back from open orders', async () => {
    const exchange = ccxtOf(who);
    const clientOid = `ccxt-${who}`;
    const placed = await exchange.privateMixPostV2MixOrderPlaceOrder(order(who, clientOid));
    expect(placed).toMatchObject({ code: '00000', data: { clientOid } });
    const open = await exchange.privateUtaGetV3TradeUnfilledOrders({ category: 'USDT-FUTURES' });
    expect(open['data'].list.map((row: { clientOid: string }) => row.clientOid)).toContain(
      clientOid,
    );
  });
});

/** Sends one request signed and serialized as a client does. */
type Sender = (who: Who) => (name: OperationName, fields: Fields) => Promise<Answer>;
type Fields = Readonly<Record<string, string>>;
interface Answer {
  readonly code: string;
  readonly data: unknown;
}

const byBitgetApi: Sender = (who) => {
  const client = new RestClientV2({ ...keyOf(who), baseUrl });
  return (name, fields) => {
    const { access, method, path } = operationOf(name);
    if (access === 'public') return client.get(path, fields);
    return method === 'GET' ? client.getPrivate(path, fields) : client.postPrivate(path, fields);
  };
};

const byCcxt: Sender = (who) => {
  const exchange = ccxtOf(who);
  return (name, fields) => {
    const { access, method, path } = operationOf(name);
    const of = [access === 'public' ? 'public' : 'private', 'mix'];
    return exchange.request(path.slice('/api/'.length), of, method, fields);
  };
};

const futuresLine = { productType: 'USDT-FUTURES' };
const bitcoin = { ...futuresLine, symbol: 'BTCUSDT' };
const fieldsOf: Readonly<Record<OperationName, (who: Who, by: string) => Fields>> = {
  'loan/list-symbols': () => ({ productId: '1001' }),
  'order/list-open': () => ({ category: 'USDT-FUTURES' }),
  'order/list-history': () => ({ category: 'USDT-FUTURES' }),
  'agent/list-trade-volume': () => ({ pageSize: '5' }),
  'agent/list-customers': () => ({ pageSize: '5' }),
  'futures/place-order': (who, by) => order(who, `all-${by}-${who}`),
  'loan/list-orders': () => ({}),
  'futures/list-bills': () => futuresLine,
  'agent/list-assets': () => ({ pageSize: '5' }),
  'futures/list-adl-ranks': () => futuresLine,
  'market/list-tickers': () => ({ category: 'USDT-FUTURES' }),
  'market/get-risk-reserve': () => ({ category: 'USDT-FUTURES', symbol: 'BTCUSDT' }),
  'market/list-fills': () => ({ ...futuresLine, symbol: 'BTCUSDT', limit: '5' }),
  'tax/list-p2p': () => ({ startTime: String(Date.now() - day), endTime: String(Date.now()) }),
  'futures/set-all-leverage': () => ({ ...futuresLine, leverage: '5' }),
  'margin/get-interest-rate': () => ({ coin: 'USDT' }),
  'market/list-discount-rates': () => ({}),
  'account/create-sub': (who, by) => ({ username: `${by}${who}` }),
  'futures/get-order': (who, by) => ({ ...bitcoin, clientOid: `all-${by}-${who}` }),
  'futures/list-open-orders': () => bitcoin,
  'futures/list-closed-orders': () => bitcoin,
  'futures/cancel-order': (who, by) => ({ ...bitcoin, clientOid: `all-${by}-${who}` }),
  'futures/list-positions': () => futuresLine,
  'futures/get-account': () => ({ ...bitcoin, marginCoin: 'USDT' }),
  'futures/set-leverage': () => ({ ...bitcoin, marginCoin: 'USDT', leverage: '5' }),
  'trade/place-order': (who, by) => ({
    category: 'USDT-FUTURES',
    symbol: 'BTCUSDT',
    qty: '0.010',
    price: '30000.0',
    side: 'buy',
    orderType: 'limit',
    clientOid: `v3-${by}-${who}`,
    ...(who === 'hedge' && { posSide: 'long' }),
  }),
  'trade/get-order': (who, by) => ({ clientOid: `v3-${by}-${who}` }),
  'trade/cancel-order': (who, by) => ({ clientOid: `v3-${by}-${who}` }),
  'trade/list-positions': () => ({ category: 'USDT-FUTURES' }),
  'account/get-settings': () => ({}),
  'account/set-leverage': () => ({ category: 'USDT-FUTURES', symbol: 'BTCUSDT', leverage: '5' }),
};

describe.each([
  ['bitgetapi', byBitgetApi],
  ['ccxt', byCcxt],
] as const)('by %s', (by, sender) => {
  describe.each(['oneway', 'hedge'] as const)('on the %s account', (who) => {
    test.each(operationNames)('%s is answered as it is specified', async (name) => {
      const { code, data } = await sender(who)(name, fieldsOf[name](who, by));
      expect(code).toBe('00000');
      checkOutput(name, data);
    });

    test('a position is opened, partly closed and closed', async () => {
      const send = sender(who);
      const { uid } = sandbox.accounts[who];
      const size = () =>
        Object(sandbox.control('GET', 'positions', { uid }))
          .filter(({ symbol }: { symbol: string }) => symbol === 'SOLUSDT')
          .map((held: { holdSide: string; size: string }) => `${held.holdSide} ${held.size}`);
      const market = (lots: string, isOpening: boolean) => {
        const { price: _price, force: _force, ...rest } = order(who, `${by}-${who}-${lots}`);
        const asked = { ...rest, symbol: 'SOLUSDT', size: lots, orderType: 'market' };
        if (who === 'hedge') return { ...asked, tradeSide: isOpening ? 'open' : 'close' };
        return isOpening ? asked : { ...asked, side: 'sell', reduceOnly: 'YES' };
      };
      await send('futures/place-order', market('0.9', true));
      expect(size()).toEqual(['long 0.9']);
      await send('futures/place-order', market('0.4', false));
      expect(size()).toEqual(['long 0.5']);
      await send('futures/place-order', market('0.5', false));
      expect(size()).toEqual([]);
      const { data } = await send('futures/list-bills', { ...futuresLine, limit: '3' });
      const kinds = Object(data).bills.map((bill: { businessType: string }) => bill.businessType);
      expect(kinds).toEqual(
        who === 'hedge' ? ['close_long', 'close_long', 'open_long'] : ['sell', 'sell', 'buy'],
      );
    });
  });
});

describe('requests that must be refused', () => {
  const send = async (
    change: (headers: Record<string, string>, body: string) => [Record<string, string>, string],
  ) => {
    const { apiKey, apiSecret, apiPass } = keyOf('oneway');
    const path = '/api/v2/mix/order/place-order';
    const body = JSON.stringify(order('oneway', 'refused'));
    const timestamp = String(Date.now());
    const [headers, sent] = change({ 'ACCESS-TIMESTAMP': timestamp }, body);
    const at = headers['ACCESS-TIMESTAMP'] ?? timestamp;
    const secret = headers['secret'] ?? apiSecret;
    const signature = createHmac('sha256', secret)
      .update(`${at}POST${path}${body}`)
      .digest('base64');
    const response = await fetch(`${baseUrl}${path}`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'ACCESS-KEY': apiKey,
        'ACCESS-SIGN': signature,
        'ACCESS-PASSPHRASE': apiPass,
        'ACCESS-TIMESTAMP': at,
      },
      body: sent,
    });
    return { status: response.status, answer: (await response.json()) as { code: string } };
  };

  test('a wrong secret', async () => {
    const { status, answer } = await send((headers, body) => [
      { ...headers, secret: 'another' },
      body,
    ]);
    expect([status, answer.code]).toEqual([400, '40009']);
  });

  test('an old timestamp', async () => {
    const old = String(Date.now() - 60_000);
    const { answer } = await send((headers, body) => [
      { ...headers, 'ACCESS-TIMESTAMP': old },
      body,
    ]);
    expect(answer.code).toBe('40008');
  });

  test('a body changed after signing', async () => {
    const { answer } = await send((headers, body) => [headers, body.replace('0.010', '0.011')]);
    expect(answer.code).toBe('40009');
  });
});
