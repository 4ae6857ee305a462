/** The same with bitget-api, as its documentation starts it. */
import { createRequire } from 'node:module';
import process from 'node:process';
import { exportAll } from './loop.mjs';

const peers = createRequire(new URL('../../test/peers/package.json', import.meta.url));
const { RestClientV3 } = peers('bitget-api');
const [baseUrl = ''] = process.argv.slice(2);
const client = new RestClientV3({
  apiKey: 'bench',
  apiSecret: 'bench-secret',
  apiPass: 'bench',
  baseUrl,
});
await exportAll('bitget', async (asked) => {
  const { data } = await client.getHistoryOrders(asked);
  return data;
});
