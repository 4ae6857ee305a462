/** Public clients, unmodified, with only the address changed: they must not tell us from the real one. */
import ccxt from 'ccxt';
import { RestClientV2, RestClientV3 } from 'bitget-api';
import { createHmac } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { systemClock } from '../../src/base/clock.ts';
import { openSandbox, type Sandbox } from '../../src/sandbox/sandbox.ts';
import { startServer } from '../../src/sandbox/server.ts';

let sandbox: Sandbox;
let baseUrl = '';
let close = async (): Promise<void> => undefined;

beforeAll(async () => {
  sandbox = await openSandbox({ clock: systemClock });
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

describe.each(['oneway', 'hedge'] as const)('ccxt on the %s account', (who) => {
  test('places an order and reads it back from open orders', async () => {
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
    const clientOid = `ccxt-${who}`;
    const placed = await exchange.privateMixPostV2MixOrderPlaceOrder(order(who, clientOid));
    expect(placed).toMatchObject({ code: '00000', data: { clientOid } });
    const open = await exchange.privateUtaGetV3TradeUnfilledOrders({ category: 'USDT-FUTURES' });
    expect(open.data.list.map((row: { clientOid: string }) => row.clientOid)).toContain(clientOid);
  });
});

describe('what must be refused', () => {
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

  test('a body that was changed after signing', async () => {
    const { answer } = await send((headers, body) => [headers, body.replace('0.010', '0.011')]);
    expect(answer.code).toBe('40009');
  });
});
