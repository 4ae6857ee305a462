/** The request rate as the exchange sees it: never above the limit in any sliding second. */
import { expect, test } from 'vitest';
import { standingClock, systemClock, type Clock } from '../../../src/base/clock.ts';
import { seededRandom } from '../../../src/base/random.ts';
import { createClient, type Client } from '../../../src/exchange/client/client.ts';
import { httpTransport } from '../../../src/exchange/client/transports/http.ts';
import type { Transport } from '../../../src/exchange/api/exchange.ts';
import { openSandbox } from '../../../src/sandbox/sandbox.ts';
import { startServer } from '../../../src/sandbox/server.ts';
import { busiest } from '../../support/pace.ts';

async function sixty(client: Client): Promise<void> {
  await Promise.all(
    Array.from({ length: 60 }, () => client.call('market/list-tickers', { category: 'SPOT' })),
  );
}

function watched(transport: Transport, clock: Clock, arrivals: number[]): Transport {
  return (request, signal) => {
    arrivals.push(clock.monotonic());
    return transport(request, signal);
  };
}

test('60 calls at 20 per second, from a cold start and after a pause, keep every sliding second', async () => {
  const clock = standingClock(Date.UTC(2026, 10, 20));
  const sandbox = await openSandbox({ clock });
  const arrivals: number[] = [];
  const client = createClient({
    transport: watched(sandbox.transport, clock, arrivals),
    clock,
    random: seededRandom(1),
  });
  for (const pause of [0, 5_000]) {
    clock.advance(pause);
    const before = arrivals.length;
    await sixty(client);
    const ours = arrivals.slice(before);
    expect(ours).toHaveLength(60);
    expect(busiest(ours)).toBeLessThanOrEqual(20);
  }
});

test('the sandbox over HTTP refuses none of 60 concurrent calls', async () => {
  const sandbox = await openSandbox({ clock: systemClock });
  const server = await startServer(sandbox, { port: 0 });
  const { transport, close } = httpTransport({ baseUrl: server.baseUrl });
  const statuses: number[] = [];
  const client = createClient({
    transport: async (request, signal) => {
      const answer = await transport(request, signal);
      statuses.push(answer.status);
      return answer;
    },
    clock: systemClock,
    random: seededRandom(1),
  });
  await sixty(client);
  await close();
  await server.close();
  expect(statuses).toHaveLength(60);
  expect(new Set(statuses)).toEqual(new Set([200]));
});
