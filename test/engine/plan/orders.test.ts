/** Looking up an order by its clientOid: open orders first, then the whole available history. */
import { expect, test } from 'vitest';
import { orderLists } from '../../../src/exchange/api/order-lists.ts';
import { standingClock } from '../../../src/base/clock.ts';
import { seededRandom } from '../../../src/base/random.ts';
import { createClient } from '../../../src/exchange/client/client.ts';
import { findOrder } from '../../../src/engine/plan/found-orders.ts';
import { openSandbox } from '../../../src/sandbox/sandbox.ts';

test('an order that is filled immediately is found in a history read from its start', async () => {
  const clock = standingClock(Date.UTC(2026, 10, 20, 4));
  const sandbox = await openSandbox({ clock });
  const { apiKey, secretKey, passphrase } = sandbox.accounts.oneway;
  const exchange = createClient({
    transport: sandbox.transport,
    clock,
    random: seededRandom(1),
    credentials: { apiKey, secretKey, passphrase },
  });
  await exchange.call('futures/place-order', {
    symbol: 'BTCUSDT',
    productType: 'USDT-FUTURES',
    marginMode: 'crossed',
    marginCoin: 'USDT',
    size: '0.010',
    side: 'buy',
    orderType: 'market',
    clientOid: 'filled-at-once',
  });
  clock.advance(10);
  const { signal } = new AbortController();
  const search = { line: 'USDT-FUTURES', lists: orderLists, signal } as const;
  expect(await findOrder(exchange, 'filled-at-once', search)).toBeUndefined();
  const found = await findOrder(exchange, 'filled-at-once', { ...search, since: 0 });
  expect(found?.orderStatus).toBe('filled');
});
