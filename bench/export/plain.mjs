/** The least a person would write: node:http and a signature. */
import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { Agent, get } from 'node:http';
import process from 'node:process';
import { text } from 'node:stream/consumers';
import { exportAll } from './loop.mjs';

const [baseUrl = ''] = process.argv.slice(2);
const agent = new Agent({ keepAlive: true });
await exportAll('plain', async (asked) => {
  const path = `/api/v3/trade/history-orders?${new URLSearchParams(asked)}`;
  const timestamp = String(Date.now());
  const sign = createHmac('sha256', 'bench-secret')
    .update(`${timestamp}GET${path}`)
    .digest('base64');
  const headers = {
    'ACCESS-KEY': 'bench',
    'ACCESS-SIGN': sign,
    'ACCESS-TIMESTAMP': timestamp,
    'ACCESS-PASSPHRASE': 'bench',
  };
  const [response] = await once(get(`${baseUrl}${path}`, { agent, headers }), 'response');
  return JSON.parse(await text(response)).data;
});
agent.destroy();
