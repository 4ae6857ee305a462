/** One signed call, 16 in flight: CPU of our client with every layer on, next to barer ways to ask. */
import { fork } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { Agent, get } from 'node:http';
import { connect } from 'node:net';
import { join } from 'node:path';
import process from 'node:process';
import { Client } from 'undici';
import type * as Library from '../src/exchange/client/index.ts';
import { middle, median } from './figures/median.ts';

const built = new URL('../dist/client.js', import.meta.url).href; // as it ships: npm run build
const library: typeof Library = await import(built);
const { createClient, createLimiter, httpTransport, Secret, systemClock, systemRandom } = library;

const perRound = 1_000;
const rounds = 40;
const warmUp = 10;
const inFlight = 16;
const keys = { apiKey: 'bench', secretKey: 'secret of the bench', passphrase: 'benchmark' };
const path = '/api/v2/mix/position/adlRank?productType=USDT-FUTURES';

const server = fork(join(import.meta.dirname, 'http', 'list-server.mjs'));
const [{ port }] = (await once(server, 'message')) as [{ port: number }];
const { transport, close } = httpTransport({ baseUrl: `http://127.0.0.1:${port}` });
const agent = new Agent({ keepAlive: true, maxSockets: inFlight });
const sockets = Array.from({ length: inFlight }, () => connect(port, '127.0.0.1'));
const bareClients = Array.from({ length: inFlight }, () => new Client(`http://127.0.0.1:${port}`));
const ask = { ours: ourClient(), undici: overUndici, http: overHttp, socket: overSocket };
type Way = keyof typeof ask;

const spent: Record<Way, number[]> = { ours: [], undici: [], http: [], socket: [] };
for (let round = 0; round < warmUp + rounds; round++) {
  for (const way of ['socket', 'http', 'undici', 'ours'] as const) {
    const micros = await perCall(ask[way]);
    if (round >= warmUp) spent[way].push(micros);
  }
}
console.log(
  `client CPU for one signed call, ${rounds} rounds of ${perRound}, ${inFlight} in flight: ` +
    (['ours', 'undici', 'http', 'socket'] as const)
      .map((way) => `${way} ${median(spent[way]).toFixed(0)} µs`)
      .join(', '),
);
for (const [way, bare] of [
  ['ours', 'http'],
  ['ours', 'socket'],
  ['ours', 'undici'],
  ['undici', 'http'],
] as const) {
  const ratios = spent[way].map((micros, round) => micros / (spent[bare][round] ?? NaN));
  console.log(
    `${way} / ${bare}: median ${median(ratios).toFixed(2)} ×, middle half ${middle(ratios)}`,
  );
}
await close();
await Promise.all(bareClients.map((client) => client.close()));
agent.destroy();
for (const socket of sockets) socket.destroy();
server.kill();

/** Microseconds of this process for one call. */
async function perCall(call: (lane: number) => Promise<void>): Promise<number> {
  let left = perRound;
  const before = process.cpuUsage();
  await Promise.all(
    Array.from({ length: inFlight }, async (_, lane) => {
      while (left-- > 0) await call(lane);
    }),
  );
  const { user, system } = process.cpuUsage(before);
  return (user + system) / perRound;
}

/** Checked, paced, signed, sent and checked again; each call is paced in its own second. */
function ourClient(): () => Promise<void> {
  let calls = 0;
  const hurried = { ...systemClock, monotonic: () => 1_000 * ++calls };
  const client = createClient({
    transport,
    clock: systemClock,
    random: systemRandom(),
    limiter: createLimiter({ clock: hurried }),
    credentials: {
      apiKey: new Secret(keys.apiKey),
      secretKey: new Secret(keys.secretKey),
      passphrase: new Secret(keys.passphrase),
    },
  });
  return async () => {
    await client.call('futures/list-adl-ranks', { productType: 'USDT-FUTURES' });
  };
}

function overHttp(): Promise<void> {
  return new Promise((resolve, reject) => {
    get({ host: '127.0.0.1', port, path, agent, headers: signedHeaders() }, (answer) => {
      const chunks: Buffer[] = [];
      answer.on('data', (chunk: Buffer) => chunks.push(chunk));
      answer.on('end', () => {
        requireList(Buffer.concat(chunks).toString('utf8'));
        resolve();
      });
    }).on('error', reject);
  });
}

/** The package that ours uses, one connection a lane, with nothing around it. */
function overUndici(lane: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    bareClients[lane]?.dispatch(
      { path, method: 'GET', headers: signedHeaders() },
      {
        onRequestStart: () => undefined,
        onResponseStart: () => undefined,
        onResponseData: (_, chunk) => chunks.push(chunk),
        onResponseEnd: () => {
          requireList(Buffer.concat(chunks).toString('utf8'));
          resolve();
        },
        onResponseError: (_, error) => reject(error),
      },
    );
  });
}

/** The answer is short: it comes in one piece. */
function overSocket(lane: number): Promise<void> {
  const socket = sockets[lane];
  if (socket === undefined) throw new Error(`there is no lane ${lane}`);
  const headers = Object.entries(signedHeaders()).map(([name, value]) => `${name}: ${value}\r\n`);
  return new Promise((resolve) => {
    socket.once('data', (answer: Buffer) => {
      const text = answer.toString('utf8');
      requireList(text.slice(text.indexOf('\r\n\r\n') + 4));
      resolve();
    });
    socket.write(`GET ${path} HTTP/1.1\r\nhost: 127.0.0.1:${port}\r\n${headers.join('')}\r\n`);
  });
}

function signedHeaders(): Record<string, string> {
  const timestamp = String(Date.now());
  const signature = createHmac('sha256', keys.secretKey).update(`${timestamp}GET${path}`);
  return {
    'ACCESS-KEY': keys.apiKey,
    'ACCESS-SIGN': signature.digest('base64'),
    'ACCESS-TIMESTAMP': timestamp,
    'ACCESS-PASSPHRASE': keys.passphrase,
    'content-type': 'application/json',
    locale: 'en-US',
  };
}

function requireList(text: string): void {
  const { code, data } = JSON.parse(text) as { code: string; data: unknown };
  if (code !== '00000' || !Array.isArray(data)) throw new Error(`no list: ${text}`);
}
