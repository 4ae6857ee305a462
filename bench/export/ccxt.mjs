/** The same with ccxt: its own signing and parsing, its rate limiter off. */
import { createRequire } from 'node:module';
import process from 'node:process';
import { exportAll } from './loop.mjs';

const { bitget } = createRequire(new URL('../../test/peers/package.json', import.meta.url))('ccxt');
const [baseUrl = ''] = process.argv.slice(2);
const exchange = new bitget({
  apiKey: 'bench',
  secret: 'bench-secret',
  password: 'bench',
  enableRateLimit: false,
});
for (const name of Object.keys(exchange.urls.api)) exchange.urls.api[name] = baseUrl;
await exportAll('ccxt', async (asked) => {
  const { data } = await exchange.privateUtaGetV3TradeHistoryOrders(asked);
  return data;
});
