/**
 * The least a person would write: node:http, a signature, one call after the other.
 *
 *   bare BASE_URL read|order COUNT
 */
import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { Agent, request } from 'node:http';
import process from 'node:process';
import { text } from 'node:stream/consumers';

const [baseUrl = '', kind = '', count = '0'] = process.argv.slice(2);
const agent = new Agent({ keepAlive: true });
for (let place = 1; place <= Number(count); place++) {
  await (kind === 'order'
    ? call('POST', '/api/v2/mix/order/place-order', JSON.stringify(orderOf(place)))
    : call('GET', '/api/v2/mix/position/adlRank?productType=USDT-FUTURES', ''));
}
agent.destroy();

async function call(method, path, body) {
  const timestamp = String(Date.now());
  const signature = createHmac('sha256', 'bench-secret').update(
    `${timestamp}${method}${path}${body}`,
  );
  const headers = {
    'ACCESS-KEY': 'bench',
    'ACCESS-SIGN': signature.digest('base64'),
    'ACCESS-TIMESTAMP': timestamp,
    'ACCESS-PASSPHRASE': 'bench',
    'content-type': 'application/json',
  };
  const asked = request(`${baseUrl}${path}`, { agent, method, headers });
  asked.end(body);
  const [answer] = await once(asked, 'response');
  const { code, msg } = JSON.parse(await text(answer));
  if (code !== '00000') throw new Error(msg);
}

function orderOf(place) {
  return {
    symbol: 'BTCUSDT',
    productType: 'USDT-FUTURES',
    marginMode: 'crossed',
    marginCoin: 'USDT',
    size: '0.001',
    price: String(40_000 + place),
    side: 'buy',
    tradeSide: 'open',
    orderType: 'limit',
    clientOid: `bench-${place}`,
  };
}
