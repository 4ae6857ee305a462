/** A signed order over HTTP: the sandbox's CPU time against a bare server that verifies signatures. */
import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Pool } from 'undici';
import { systemClock } from '../src/base/clock.ts';
import { sha256 } from '../src/base/json.ts';
import { middle, median } from './figures/median.ts';
import { metered, type Metered } from './http/metered.ts';

const accounts = 40;
const perAccount = 400; // the exchange's own limit of open orders
const perRound = 2_000; // short rounds: what else the machine does strikes both alike
const roundsUntilFull = (accounts * perAccount) / perRound;
const warmUp = 2 * roundsUntilFull;
const rounds = 40;
const inFlight = 16;
const secret = sha256('order over http');
const passphrase = 'benchmark';
const path = '/api/v2/mix/order/place-order';
const uids = Array.from({ length: accounts }, (_, place) => String(7_200_000_000 + place));

const folder = await mkdtemp(join(tmpdir(), 'deskhand-bench-'));
const ours = await sandbox();
const bare = await bareServer();
const price = await priceNow();
await Promise.all(uids.map(openAccount));

const measured: { ours: number; bare: number }[] = [];
for (let round = 0; round < warmUp + rounds; round++) {
  const spent = { bare: await perOrder(bare, round), ours: await perOrder(ours, round) };
  if (round >= warmUp) measured.push(spent);
  if ((round + 1) % roundsUntilFull === 0) {
    await Promise.all(uids.map((uid) => control('orders/cancel', { uid })));
  }
}
const micros = (of: 'ours' | 'bare'): string =>
  `${of} ${median(measured.map((spent) => spent[of])).toFixed(1)} µs`;
const ratios = measured.map((spent) => spent.ours / spent.bare);
console.log(
  `server CPU for one signed order, ${rounds} rounds of ${perRound}: ${micros('ours')}, ${micros('bare')}; ` +
    `median ${median(ratios).toFixed(2)} ×, middle half ${middle(ratios)}`,
);
await ours.close();
await bare.close();
await rm(folder, { recursive: true });

/** `deskhand sandbox start`, as anyone would start it. */
function sandbox(): Promise<Metered> {
  const ready = join(folder, 'ready.json');
  const launcher = join(import.meta.dirname, '..', 'bin', 'deskhand.js');
  const args = [
    launcher,
    '--dir',
    folder,
    'sandbox',
    'start',
    '--port',
    '0',
    '--ready-file',
    ready,
  ];
  return metered(args, async (child) => {
    for (;;) {
      const text = await readFile(ready, 'utf8').catch(() => '');
      if (text !== '') return JSON.parse(text).baseUrl;
      if (child.exitCode !== null) throw new Error('the sandbox did not start: npm run build');
      await systemClock.sleep(10);
    }
  });
}

function bareServer(): Promise<Metered> {
  const program = join(import.meta.dirname, 'http', 'bare-server.mjs');
  return metered([program, secret], async (child) => {
    const [{ baseUrl }] = (await once(child, 'message')) as [{ baseUrl: string }];
    return baseUrl;
  });
}

/** Places the orders of a round and returns the server's CPU time for one, in microseconds. */
async function perOrder(server: Metered, round: number): Promise<number> {
  const pool = new Pool(server.baseUrl, { connections: inFlight, pipelining: 1 });
  let next = 0;
  const place = async (): Promise<void> => {
    for (let at = next++; at < perRound; at = next++) {
      await send(pool, uids[at % accounts] ?? '', orderOf(at, round));
    }
  };
  // Waking a sleeping client is work for the server, and more of it the slower the server is; so
  // this process does not sleep while it measures.
  const stayAwake = (): void => {
    awake = setImmediate(stayAwake);
  };
  let awake = setImmediate(stayAwake);
  const before = await server.cpu();
  await Promise.all(Array.from({ length: inFlight }, place));
  const spent = (await server.cpu()) - before;
  clearImmediate(awake);
  await pool.close();
  return spent / perRound;
}

/** A limit order somewhat below the market, where it rests. */
function orderOf(at: number, round: number): string {
  return JSON.stringify({
    symbol: 'BTCUSDT',
    productType: 'USDT-FUTURES',
    marginMode: 'crossed',
    marginCoin: 'USDT',
    size: '0.010',
    price: (price * (0.97 - (at % 500) / 10_000)).toFixed(1),
    side: 'buy',
    orderType: 'limit',
    force: 'gtc',
    clientOid: `bench-${round}-${at}`,
  });
}

async function send(pool: Pool, uid: string, body: string): Promise<void> {
  const timestamp = String(Date.now());
  const signature = createHmac('sha256', secret).update(`${timestamp}POST${path}${body}`);
  const answer = await pool.request({
    method: 'POST',
    path,
    headers: {
      'ACCESS-KEY': `bench_${uid}`,
      'ACCESS-SIGN': signature.digest('base64'),
      'ACCESS-TIMESTAMP': timestamp,
      'ACCESS-PASSPHRASE': passphrase,
      'content-type': 'application/json',
      locale: 'en-US',
    },
    body,
  });
  const text = await answer.body.text();
  if (!text.includes('"orderId"')) throw new Error(`${answer.statusCode} ${text}`);
}

async function openAccount(uid: string): Promise<void> {
  await control('accounts', { uid });
  await control('transfers', { uid, walletType: 'USDT-FUTURES', coin: 'USDT', amount: '10000000' });
  const permissions = ['trade-write'];
  const key = { apiKey: `bench_${uid}`, secretKey: secret, passphrase, permissions };
  await control('keys', { uid, ...key });
}

async function control(name: string, fields: object): Promise<void> {
  const answer = await fetch(`${ours.baseUrl}/_sandbox/${name}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(fields),
  });
  if (!answer.ok) throw new Error(`${name}: ${await answer.text()}`);
}

async function priceNow(): Promise<number> {
  await control('config', { limits: false });
  const query = 'category=USDT-FUTURES&symbol=BTCUSDT';
  const answer = await fetch(`${ours.baseUrl}/api/v3/market/tickers?${query}`);
  const { data } = (await answer.json()) as { data: readonly { lastPrice: string }[] };
  return Number(data[0]?.lastPrice);
}
