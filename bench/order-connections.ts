/**
 * Orders over TLS on kept connections: their latency behind a link of 40 ms round trip, beside one new connection
 * for each, and how many of 100,000 end in doubt on an honest server.
 */
import { once, setMaxListeners } from 'node:events';
import { Agent, createServer, request as httpsRequest } from 'node:https';
import { connect, createServer as createProxy, type Server } from 'node:net';
import process from 'node:process';
import { fork } from 'node:child_process';
import type { WireRequest } from '../src/exchange/api/exchange.ts';
import { httpTransport } from '../src/exchange/client/transports/http.ts';
import { selfSigned } from '../test/support/certificate.ts';

const rtt = 40; // ms
const body = '{"symbol":"BTCUSDT","size":"0.01","price":"40000.0","side":"buy"}';
const answer = '{"code":"00000","msg":"success","requestTime":1,"data":{"orderId":"1"}}';

async function listening(server: Server): Promise<number> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  return typeof address === 'object' && address ? address.port : 0;
}

/** An exchange, and the same behind a link that takes half a round trip in each direction. */
async function serve({ key, cert }: ReturnType<typeof selfSigned>): Promise<void> {
  process.once('disconnect', () => process.exit());
  const server = createServer({ key, cert }, (request, response) => {
    request.on('end', () => response.end(answer)).resume();
  });
  server.keepAliveTimeout = 5_000;
  server.maxRequestsPerSocket = 1_000; // then it says `connection: close`, as proxies do
  const port = await listening(server);
  const link = createProxy({ allowHalfOpen: true, noDelay: true }, (near) => {
    const far = connect({ port, host: '127.0.0.1', allowHalfOpen: true, noDelay: true });
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      from.on('error', () => undefined);
      from.on('end', () => void setTimeout(() => to.end(), rtt / 2));
      from.on('data', (chunk) => void setTimeout(() => to.write(chunk), rtt / 2));
    }
  });
  process.send?.({ port, linkPort: await listening(link) });
}

const order: WireRequest = {
  operation: 'futures/place-order',
  method: 'POST',
  path: '/api/v2/mix/order/place-order',
  query: '',
  body,
  headers: { 'content-type': 'application/json' },
};
const never = new AbortController().signal;
setMaxListeners(0, never); // 16 orders listen at once
const middle = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0;

interface Figures {
  readonly ms: number;
  readonly cpu: number;
}

async function timed(count: number, send: () => Promise<unknown>): Promise<Figures> {
  const times: number[] = [];
  const before = process.cpuUsage();
  for (let nth = 0; nth < count; nth++) {
    const began = performance.now();
    await send();
    times.push(performance.now() - began);
  }
  const { user, system } = process.cpuUsage(before);
  return { ms: middle(times), cpu: (user + system) / 1000 / count };
}

/** One order on a connection of its own, as before. */
function alone(port: number, ca: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const agent = new Agent({ keepAlive: false, ca });
    const { path, method, headers } = order;
    const sent = httpsRequest({ host: '127.0.0.1', port, path, method, headers, agent }, (got) => {
      got.on('end', resolve).resume();
    });
    sent.on('error', reject).end(body);
  });
}

async function main(): Promise<void> {
  const own = selfSigned('localhost');
  const exchange = fork(import.meta.filename, ['serve']);
  exchange.send(own);
  exchange.once('exit', () => process.exit()); // when it is killed at the end, or failed
  const [{ port, linkPort }] = await once(exchange, 'message');
  const to = (at: number) => httpTransport({ baseUrl: `https://127.0.0.1:${at}`, ca: own.cert });
  const far = to(linkPort);
  const kept = await timed(100, () => far.transport(order, never));
  const single = await timed(50, () => alone(linkPort, own.cert));
  await far.close();
  const near = to(port);
  await timed(500, () => near.transport(order, never)); // warms V8
  const nearKept = await timed(3_000, () => near.transport(order, never));
  const nearSingle = await timed(1_000, () => alone(port, own.cert));
  console.log(
    `latency over ${rtt} ms: ${kept.ms.toFixed(1)} ms; a new connection each: ${single.ms.toFixed(1)} ms`,
  );
  console.log(
    `CPU of an order: ${nearKept.cpu.toFixed(2)} ms; a new connection each: ${nearSingle.cpu.toFixed(2)} ms`,
  );
  let doubts = 0;
  const total = Number(process.argv[2] ?? 100_000);
  let left = total;
  const desk = async (): Promise<void> => {
    while (left-- > 0) {
      await near.transport(order, never).catch(() => (doubts += 1));
      if (left % 500 === 0)
        await new Promise((resolve) => setTimeout(resolve, 1_000 + (left % 2_000)));
    }
  };
  await Promise.all(Array.from({ length: 16 }, desk));
  console.log(`doubts of ${total} orders: ${doubts}`);
  await near.close();
  exchange.kill();
}

if (process.argv[2] === 'serve')
  process.once('message', (own: ReturnType<typeof selfSigned>) => void serve(own));
else await main();
