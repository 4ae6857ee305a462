/** What a process takes as stored, of what the service tells it over its connection. */
import { once } from 'node:events';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { expect, test } from 'vitest';
import { minute, second, systemClock } from '../../../src/base/clock.ts';
import type { KeepInput, Kept } from '../../../src/stores/restate/objects/keep.ts';
import type { Next, Session, WantedStream } from '../../../src/stores/restate/objects/stream.ts';
import { keeperOver, type Keeper } from '../../../src/stores/restate/stream/keeper.ts';
import {
  listenForStreams,
  type StreamListener,
} from '../../../src/stores/restate/stream/listener.ts';
import {
  onMessages,
  sendTo,
  type FromService,
} from '../../../src/stores/restate/stream/messages.ts';
import type { Holder } from '../../../src/stores/shared/shared-runs.ts';
import { afterEachTest } from '../../support/cleanup.ts';
import { batchOf } from '../shared/contract.ts';

const holder: Holder = { run: 'r-1', epoch: 1, incarnation: '1.a', lease: minute };

/** What the handler does with a call. */
type Handle = (input: KeepInput) => Promise<Kept>;

interface World {
  readonly listener: StreamListener;
  readonly keeper: Keeper;
  /** Streams with which the handler was called. */
  readonly offered: (WantedStream | undefined)[];
  /** Whether each call renewed the lease. */
  readonly renewed: boolean[];
  readonly handle: (next: Handle) => void;
}

const never = new AbortController().signal;

async function world(timeoutMs: number = minute): Promise<World> {
  const listener = await listenForStreams('127.0.0.1', 0);
  afterEachTest(() => listener.close());
  const offered: World['offered'] = [];
  const renewed: boolean[] = [];
  let handle: Handle = async () => ({ isKept: true });
  const keeper = keeperOver({
    call: (_run, input) => {
      offered.push(input.stream);
      renewed.push(input.isRenewal);
      return handle(input);
    },
    clock: systemClock,
    timeoutMs,
    isPlain: true,
  });
  afterEachTest(() => keeper.close());
  return { listener, keeper, offered, renewed, handle: (next) => (handle = next) };
}

/** A process that is connected, and whose call has opened a session. */
async function followed(
  timeoutMs?: number,
  isIdle = false,
): Promise<
  World & {
    readonly session: Session;
    readonly received: Promise<Next>;
    readonly reopen: () => Session;
  }
> {
  const there = await world(timeoutMs);
  const { listener, keeper, offered } = there;
  const { address } = listener;
  there.handle(async () => ({ isKept: true, ...(address && { at: address }) }));
  while ((offered.at(-1)?.connections ?? []).length === 0) {
    await keeper.keep(holder, true);
    await systemClock.sleep(1);
  }
  const opened = (stream: WantedStream | undefined): Session => {
    const session = stream && listener.open('desk/r-1', { ...stream, atMost: minute }, never);
    if (session === undefined) throw new Error('there is no session');
    return session;
  };
  const following = new Promise<Session>((resolve) => {
    there.handle(async ({ stream }) => {
      resolve(opened(stream));
      return new Promise(() => undefined);
    });
  });
  const kept = isIdle ? keeper.keep(holder, true) : keeper.keep(holder, false, batchOf(0, 'a\n'));
  const session = await following;
  const wanted = offered.at(-1);
  const received = session.next();
  expect(await kept).toBe(true);
  there.handle(async () => ({ isKept: false }));
  return { ...there, session, received, reopen: () => opened(wanted) };
}

test('a batch is stored when the service names its last line', async () => {
  const { keeper, session, received, offered } = await followed();
  const calls = offered.length;
  const kept = keeper.keep(holder, false, batchOf(1, 'b\n', 'c\n'));
  expect(await received).toMatchObject({ kind: 'batch', batch: { after: 1 } });
  void session.next();
  expect(await kept).toBe(true);
  expect(offered).toHaveLength(calls);
});

test('a call that is executed once more opens a session: the batch that was sent is not stored by that', async () => {
  const { keeper, received, offered, reopen } = await followed();
  const calls = offered.length;
  const kept = keeper.keep(holder, false, batchOf(1, 'b\n'));
  await received;
  void reopen().next();
  expect(await kept).toBe(false); // the answer of another call
  expect(offered).toHaveLength(calls + 1);
});

test('an acknowledgement of other lines stores nothing', async () => {
  const { keeper, offered, handle } = await world();
  const sockets: Socket[] = [];
  const tell = (message: FromService): void => sockets.forEach((socket) => sendTo(socket, message));
  const server = createServer((socket) => {
    sockets.push(socket);
    tell({ kind: 'hello', service: 's', connection: 'c' });
    onMessages(
      socket,
      () => 1_000,
      ({ session, kind }) => {
        if (kind === 'batch') tell({ kind: 'kept', session: Number(session), lines: 1 });
      },
    );
  }).listen(0, '127.0.0.1');
  afterEachTest(() => {
    sockets.forEach((socket) => socket.destroy());
    server.close();
  });
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  handle(async () => ({ isKept: true, at: { host: '127.0.0.1', port, service: 's' } }));
  while ((offered.at(-1)?.connections ?? []).length === 0) {
    await keeper.keep(holder, true);
    await systemClock.sleep(1);
  }
  handle(async ({ stream }) => {
    tell({ kind: 'open', session: stream?.session ?? 0 });
    return new Promise(() => undefined);
  });
  expect(await keeper.keep(holder, false, batchOf(0, 'a\n'))).toBe(true);
  handle(async () => ({ isKept: false }));
  expect(await keeper.keep(holder, false, batchOf(1, 'b\n'))).toBe(false);
});

test('a connection that gives no answer is not offered again for a while', async () => {
  const { keeper, received, offered } = await followed(second / 5);
  expect(await keeper.keep(holder, false, batchOf(1, 'b\n'))).toBe(false);
  await received;
  expect(offered.at(-1)).toBeUndefined();
});

test('a connection over which a session opened unseen is not offered again for a while', async () => {
  const { keeper, offered, renewed, handle } = await followed();
  const calls = offered.length;
  handle(async () => ({ isKept: true, wasOpen: true }));
  const two = { ...batchOf(1, 'b\n'), header: 'another' };
  expect(await keeper.keep(holder, false, two)).toBe(true);
  expect(offered[calls]?.connections).toHaveLength(1);
  // The service may have shortened the lease when it saw that the connection was lost.
  expect(offered.slice(calls + 1)).toEqual([undefined]);
  expect(renewed.slice(calls)).toEqual([false, true]);
});

test('a batch whose connection is lost is sent by a call that renews the lease', async () => {
  const { listener, keeper, received, renewed, handle } = await followed();
  const calls = renewed.length;
  handle(async () => ({ isKept: true }));
  const kept = keeper.keep(holder, false, batchOf(1, 'b\n'));
  await received;
  listener.close();
  expect(await kept).toBe(true);
  expect(renewed.slice(calls)).toEqual([true]);
});

test('the first batch after a renewal has a header, which a call stores', async () => {
  const { keeper, received, offered, handle } = await followed(minute, true);
  const headers: (string | undefined)[] = [];
  handle(async ({ batch }) => {
    headers.push(batch?.header);
    return { isKept: true };
  });
  const calls = offered.length;
  const batch = batchOf(0, 'a\n');
  expect(await keeper.keep(holder, false, batch)).toBe(true);
  expect(headers).toEqual([batch.header]);
  expect(await received).toEqual({ kind: 'ended' }); // not that batch
  expect(offered).toHaveLength(calls + 1);
});

test('lines of another epoch go over no session of the one before', async () => {
  const { keeper, session, received, handle } = await followed();
  const holders: Holder[] = [];
  handle(async (input) => {
    holders.push(input.holder);
    return { isKept: true };
  });
  const next: Holder = { ...holder, epoch: 2, incarnation: '1.b' };
  expect(await keeper.keep(next, false, batchOf(1, 'b\n'))).toBe(true);
  expect(holders).toEqual([next]);
  expect(await received).toEqual({ kind: 'ended' });
  expect(await session.next()).toEqual({ kind: 'ended' });
});
