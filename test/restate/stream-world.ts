/** A server and its service, in the middle of runs that the service follows. */
import { createServer } from 'node:http2';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { expect } from 'vitest';
import { second, systemClock, type Clock, type Millis } from '../../src/base/clock.ts';
import { keyOf } from '../../src/stores/restate/objects/names.ts';
import { registry } from '../../src/stores/restate/objects/registry.ts';
import { lines as linesObject } from '../../src/stores/restate/objects/lines.ts';
import { run as runObject } from '../../src/stores/restate/objects/run-object.ts';
import { openRestate } from '../../src/stores/restate/runs.ts';
import { endpointOf } from '../../src/stores/restate/sdk.ts';
import { serve } from '../../src/stores/restate/serve.ts';
import { listenForStreams } from '../../src/stores/restate/stream/listener.ts';
import { upgradeRestate } from '../../src/stores/restate/upgrade.ts';
import type { Holder, SharedRuns } from '../../src/stores/shared/shared-runs.ts';
import { Relay } from '../postgres/relay.ts';
import { freePort } from '../support/free-port.ts';
import { batchOf } from '../stores/shared/contract.ts';
import { afterEachTest } from '../support/cleanup.ts';
import { valuesOf } from './forget.ts';
import { RestateServer } from './server.ts';

export const lease = 8 * second;

export interface Place {
  readonly server: RestateServer;
  /** @param timeoutMs of each call; default: a third of the lease */
  connect(timeoutMs?: Millis): SharedRuns;
}

export interface ReplacedPlace extends Place {
  /** The process of the service ends, and another one begins at the same address. */
  replaceService(): Promise<void>;
}

/** @param clock of the handlers */
export async function place(clock: Clock = systemClock): Promise<ReplacedPlace> {
  const [server, port] = [await RestateServer.start(), await freePort()];
  let service = await serve({ host: '127.0.0.1', port, clock });
  afterEachTest(() => service.close());
  return {
    ...(await placeAt(server, port)),
    replaceService: async () => {
      await service.close();
      service = await serve({ host: '127.0.0.1', port, clock });
    },
  };
}

/** Processes reach the service's streams through a relay. */
export async function placeBehind(): Promise<Place & { readonly relay: Relay }> {
  const server = await RestateServer.start();
  const streams = await listenForStreams('127.0.0.1', 0);
  const { address } = streams;
  if (address === undefined) throw new Error('it listens nowhere');
  const relay = await Relay.to(address.port);
  const handler = await endpointOf({
    objects: [runObject, linesObject, registry],
    clock: systemClock,
    streams: { ...streams, address: { ...address, port: relay.port } },
    identityKeys: [],
    onProblem: () => undefined,
  });
  const service = createServer(handler).listen(0, '127.0.0.1');
  await once(service, 'listening');
  afterEachTest(async () => {
    service.close();
    streams.close();
    await relay.close();
    await server.kill();
  });
  return { relay, ...(await placeAt(server, (service.address() as AddressInfo).port)) };
}

async function placeAt(server: RestateServer, port: number): Promise<Place> {
  const uri = `http://127.0.0.1:${port}`;
  await upgradeRestate({ url: server.url, admin: server.admin, service: uri });
  return {
    server,
    connect: (timeoutMs) => {
      const runs = openRestate({ url: server.url, lease, ...(timeoutMs && { timeoutMs }) });
      afterEachTest(() => runs.close());
      return runs;
    },
  };
}

/** Stores so many lines, each in a batch that is sent again until it has an answer. */
export async function keepLines(
  runs: SharedRuns,
  holder: Holder,
  { from = 0, to }: { readonly from?: number; readonly to: number },
): Promise<void> {
  for (let after = from; after < to;) {
    const isKept = await runs.keep(holder, batchOf(after, `${after}\n`)).catch(() => undefined);
    expect(isKept).not.toBe(false);
    if (isKept === true) after += 1;
  }
}

/** Stores lines until an invocation follows the process. @returns their number */
export async function keepFollowed(
  place: Place,
  runs: SharedRuns,
  holder: Holder,
): Promise<number> {
  for (let count = 0; ;) {
    await keepLines(runs, holder, { from: count, to: ++count });
    if (count >= 5 && (await isFollowed(place, holder.run, count))) return count;
  }
}

/** Whether an invocation is open: it sets `state` at its end. */
async function isFollowed({ server }: Place, run: string, count: number): Promise<boolean> {
  const { state = '' } = Object.fromEntries(await valuesOf(server, keyOf('desk', run)));
  return (JSON.parse(state) as { readonly lines: number }).lines < count;
}

export const lines = (count: number): string =>
  Array.from({ length: count }, (_none, at) => `${at}\n`).join('');
