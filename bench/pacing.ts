/** 60 calls at a limit of 20 a second over loopback: what the server saw, and how long it took. */
import { createServer } from 'node:http';
import { systemClock } from '../src/base/clock.ts';
import { seededRandom } from '../src/base/random.ts';
import { createClient } from '../src/exchange/client/client.ts';
import { httpTransport } from '../src/exchange/client/transports/http.ts';

const calls = 60;
const permits = 20;
const idealMs = (calls / permits - 1) * 1000; // the first twenty leave at once

const arrivals: number[] = [];
const server = createServer((_request, response) => {
  arrivals.push(performance.now());
  response.setHeader('content-type', 'application/json');
  response.end(
    JSON.stringify({ code: '00000', msg: 'success', requestTime: Date.now(), data: [] }),
  );
});
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
const address = server.address();
const port = typeof address === 'object' && address ? address.port : 0;
const { transport, close } = httpTransport({ baseUrl: `http://127.0.0.1:${port}` });

for (const [label, pauseMs] of [
  ['cold start', 0],
  ['after a pause', 1_500],
] as const) {
  await systemClock.sleep(pauseMs);
  arrivals.length = 0;
  const client = createClient({ transport, clock: systemClock, random: seededRandom(1) });
  const start = performance.now();
  await Promise.all(
    Array.from({ length: calls }, () => client.call('market/list-tickers', { category: 'SPOT' })),
  );
  const took = performance.now() - start;
  const busiest = Math.max(
    ...arrivals.map((at) => arrivals.filter((other) => other >= at && other < at + 1000).length),
  );
  console.log(
    `${label}: at most ${busiest} in any second (limit ${permits}), ${(took / idealMs).toFixed(3)} × ideal (${idealMs} ms)`,
  );
}
await close();
server.close();
