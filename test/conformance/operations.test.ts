/** All operations through the real client, in process and over HTTP, answered as the API defines. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { day, standingClock, systemClock } from '../../src/base/clock.ts';
import { seededRandom } from '../../src/base/random.ts';
import { createClient, type Client } from '../../src/exchange/client/client.ts';
import { httpTransport } from '../../src/exchange/client/transports/http.ts';
import { checkInput, checkOutput } from '../../src/exchange/api/check.ts';
import { operationNames, type OperationName } from '../../src/exchange/api/operations/index.ts';
import { openSandbox } from '../../src/sandbox/sandbox.ts';
import { startServer } from '../../src/sandbox/server.ts';

type Times = { readonly startTime: string; readonly endTime: string };

const bitcoin = { symbol: 'BTCUSDT', productType: 'USDT-FUTURES' };

/** A valid input of each operation. */
const inputs: Readonly<Record<OperationName, (times: Times) => object>> = {
  'loan/list-symbols': () => ({ productId: '' }),
  'order/list-open': () => ({ category: 'USDT-FUTURES' }),
  'order/list-history': () => ({}),
  'agent/list-trade-volume': (times) => times,
  'agent/list-customers': (times) => times,
  'futures/place-order': () => ({
    symbol: 'BTCUSDT',
    productType: 'USDT-FUTURES',
    marginMode: 'crossed',
    marginCoin: 'USDT',
    size: '0.010',
    price: '30000.0',
    side: 'buy',
    tradeSide: 'open',
    orderType: 'limit',
    force: 'gtc',
    presetStopSurplusPrice: '', // none (interface, endpoint 6)
    presetStopLossPrice: '',
    clientOid: 'conformance',
  }),
  'loan/list-orders': () => ({}),
  'futures/list-bills': () => ({ productType: 'USDT-FUTURES' }),
  'agent/list-assets': () => ({}),
  'futures/list-adl-ranks': () => ({ productType: 'USDT-FUTURES' }),
  'market/list-tickers': () => ({ category: 'COIN-FUTURES' }),
  'market/get-risk-reserve': () => ({ category: 'USDT-FUTURES', symbol: 'BTCUSDT' }),
  'market/list-fills': () => ({ symbol: 'BTCUSDT', productType: 'usdt-futures' }),
  'tax/list-p2p': (times) => times,
  'futures/set-all-leverage': () => ({ productType: 'USDT-FUTURES', leverage: '7' }),
  'margin/get-interest-rate': () => ({ coin: 'USDT' }),
  'market/list-discount-rates': () => ({}),
  'account/create-sub': () => ({ username: 'conformance', note: 'one of eighteen' }),
  'futures/get-order': () => ({ ...bitcoin, clientOid: 'conformance' }),
  'futures/list-open-orders': () => ({ productType: 'USDT-FUTURES' }),
  'futures/list-closed-orders': () => ({ productType: 'USDT-FUTURES' }),
  'futures/cancel-order': () => ({ ...bitcoin, clientOid: 'conformance' }),
  'futures/list-positions': () => ({ productType: 'USDT-FUTURES' }),
  'futures/get-account': () => ({ ...bitcoin, marginCoin: 'USDT' }),
  'futures/set-leverage': () => ({ ...bitcoin, marginCoin: 'USDT', leverage: '7' }),
  'trade/place-order': () => ({
    category: 'USDT-FUTURES',
    symbol: 'BTCUSDT',
    qty: '0.010',
    price: '30000.0',
    side: 'buy',
    orderType: 'limit',
    posSide: 'long',
    clientOid: 'unified',
  }),
  'trade/get-order': () => ({ clientOid: 'unified' }),
  'trade/cancel-order': () => ({ category: 'USDT-FUTURES', clientOid: 'unified' }),
  'trade/list-positions': () => ({ category: 'USDT-FUTURES' }),
  'account/get-settings': () => ({}),
  'account/set-leverage': () => ({
    category: 'USDT-FUTURES',
    symbol: 'BTCUSDT',
    leverage: '9',
  }),
};

async function callAll(client: Client): Promise<void> {
  const now = await client.serverTime();
  const times = { startTime: String(now - 20 * day), endTime: String(now) };
  const [loan] = await client.call('loan/list-orders', {});
  for (const name of operationNames) {
    const input: unknown =
      name === 'loan/list-symbols'
        ? { productId: loan?.orderProductId }
        : name === 'market/list-fills'
          ? { symbol: 'BTCUSDT', productType: 'USDT-FUTURES' }
          : inputs[name](times);
    checkInput(name, input);
    const answer = await client.call(name, input);
    checkOutput(name, answer);
    expect(JSON.stringify(answer).length, `${name} is empty`).toBeGreaterThan(
      20 - (typeof answer === 'string' ? 15 : 0),
    );
  }
  const closed = await client.call('order/list-history', { category: 'USDT-FUTURES' });
  const names = closed.list.map(({ clientOid }) => clientOid);
  expect(names).toEqual(expect.arrayContaining(['conformance', 'unified']));
}

test('in process, with a fixed clock', async () => {
  const clock = standingClock(Date.UTC(2026, 10, 20, 4));
  const sandbox = await openSandbox({ clock });
  const { apiKey, secretKey, passphrase } = sandbox.accounts.hedge;
  await callAll(
    createClient({
      transport: sandbox.transport,
      clock,
      random: seededRandom(1),
      credentials: { apiKey, secretKey, passphrase },
    }),
  );
});

describe('over HTTP', () => {
  let close = async (): Promise<void> => undefined;
  let client: Client;

  beforeAll(async () => {
    const sandbox = await openSandbox({ clock: systemClock });
    const server = await startServer(sandbox, { port: 0 });
    const http = httpTransport({ baseUrl: server.baseUrl });
    const { apiKey, secretKey, passphrase } = sandbox.accounts.hedge;
    client = createClient({
      transport: http.transport,
      clock: systemClock,
      random: seededRandom(1),
      credentials: { apiKey, secretKey, passphrase },
    });
    close = async () => {
      await http.close();
      await server.close();
    };
  });
  afterAll(() => close());

  test('with the same client code', () => callAll(client));
});
