/** The connection over which a process sends batches to the service: what each side is told. */
import { once } from 'node:events';
import { connect } from 'node:net';
import { expect, test } from 'vitest';
import { minute, systemClock } from '../../../src/base/clock.ts';
import type { Session } from '../../../src/stores/restate/objects/stream.ts';
import {
  connectTo,
  type ServiceConnection,
} from '../../../src/stores/restate/stream/connection.ts';
import {
  listenForStreams,
  type StreamListener,
} from '../../../src/stores/restate/stream/listener.ts';
import type { StreamBatch } from '../../../src/stores/restate/stream/messages.ts';
import { afterEachTest } from '../../support/cleanup.ts';

const key = 'desk/r-1';
const holder = '1.a';
const batch: StreamBatch = {
  after: 0,
  rows: [{ first: 1, last: 1, text: 'é\n' }],
  link: 'l1',
  isRenewal: false,
};

interface Pair {
  readonly listener: StreamListener;
  readonly process: ServiceConnection;
  /** The next message of the service, such as `open 1` or `kept 1 5`; `gone` when the connection is closed. */
  readonly told: () => Promise<string>;
  readonly open: (number?: number, atMost?: number, until?: AbortSignal) => Session | undefined;
}

async function pair(): Promise<Pair> {
  const listener = await listenForStreams('127.0.0.1', 0);
  afterEachTest(() => listener.close());
  const messages: string[] = [];
  let wake = (): void => undefined;
  const put = (message: string): void => {
    messages.push(message);
    wake();
  };
  const process = await connectTo(addressOf(listener), {
    onSession: (_from, message) => put(Object.values(message).join(' ')),
    onClose: () => put('gone'),
  });
  if (process === undefined) throw new Error('not connected');
  afterEachTest(() => process.close());
  return {
    listener,
    process,
    told: async () => {
      while (messages.length === 0) await new Promise<void>((resolve) => (wake = resolve));
      return messages.shift() ?? '';
    },
    open: (session = 1, atMost = minute, until = new AbortController().signal) =>
      listener.open(key, { holder, connections: ['other', process.id], session, atMost }, until),
  };
}

function addressOf({ address }: StreamListener): NonNullable<StreamListener['address']> {
  if (address === undefined) throw new Error('it listens nowhere');
  return address;
}

test('a batch is reported as stored when the next one is asked for, not when it arrives', async () => {
  const { process, told, open } = await pair();
  const session = open();
  const first = session?.next();
  expect(await told()).toBe('open 1');
  process.send({ kind: 'batch', session: 1, batch });
  expect(await first).toEqual({ kind: 'batch', batch });
  const second = session?.next();
  expect(await told()).toBe('kept 1 1');
  process.send({ kind: 'end', session: 1 });
  expect(await second).toEqual({ kind: 'ended' });
  expect(await told()).toBe('closed 1');
});

test('a batch that arrived before the connection was lost is stored first', async () => {
  const { process, told, open } = await pair();
  const session = open();
  void session?.next();
  await told();
  const next = session?.next();
  process.send({ kind: 'batch', session: 1, batch });
  expect(await next).toEqual({ kind: 'batch', batch });
  process.send({ kind: 'batch', session: 1, batch: { ...batch, after: 1 } });
  process.close();
  expect(await session?.next()).toMatchObject({ batch: { after: 1 } });
  expect(await session?.next()).toEqual({ kind: 'lost' });
});

test.each(['its time is over', 'it is interrupted', 'another one of the run is opened'] as const)(
  'a session ends when %s, and takes no batch after that',
  async (why) => {
    const { listener, process, told, open } = await pair();
    const session = open(1, why === 'its time is over' ? 5 : minute);
    const next = session?.next();
    expect(await told()).toBe('open 1');
    if (why === 'it is interrupted') {
      listener.interrupt(key, holder);
      expect(open(2)).toBeUndefined();
    }
    const other = why === 'another one of the run is opened' ? open(2) : undefined;
    // One that did not end takes it.
    if (why !== 'its time is over') process.send({ kind: 'batch', session: 1, batch });
    expect(await next).toEqual({ kind: 'ended' });
    expect(await told()).toBe('closed 1');
    process.send({ kind: 'batch', session: 1, batch });
    void other?.next();
    expect(await session?.next()).toEqual({ kind: 'ended' });
  },
);

test('an attempt that is over abandons what it did not store', async () => {
  const { process, told, open } = await pair();
  const attempt = new AbortController();
  const session = open(1, minute, attempt.signal);
  const first = session?.next();
  await told();
  process.send({ kind: 'batch', session: 1, batch });
  await first;
  attempt.abort();
  expect(await told()).toBe('closed 1');
});

test('a session has an end for an invocation that only grows', async () => {
  const { process, told, open } = await pair();
  const session = open();
  let next = session?.next();
  for (let count = 0; count < 500; count++) {
    await told();
    process.send({ kind: 'batch', session: 1, batch: { ...batch, after: count } });
    expect(await next).toMatchObject({ kind: 'batch' });
    next = session?.next();
  }
  expect([await told(), await told()]).toEqual(['kept 1 1', 'closed 1']);
  expect(await next).toEqual({ kind: 'ended' });
});

test('a process that is not connected here, or to another process, has no session', async () => {
  const { listener } = await pair();
  const wanted = { holder, connections: ['unknown'], session: 1, atMost: minute };
  expect(listener.open(key, wanted, new AbortController().signal)).toBeUndefined();
  const ignored = { onSession: () => undefined, onClose: () => undefined };
  const address = addressOf(listener);
  expect(await connectTo({ ...address, service: 'another' }, ignored)).toBeUndefined();
  listener.close();
  expect(await connectTo(address, ignored)).toBeUndefined();
});

test('a connection without a session takes no long message', async () => {
  const { process, told } = await pair();
  const text = 'x'.repeat(100_000);
  process.send({
    kind: 'batch',
    session: 1,
    batch: { ...batch, rows: [{ first: 1, last: 1, text }] },
  });
  expect(await told()).toBe('gone');
});

test.each([
  '{ "after": 0, "rows": [{ "first": 1, "last": 1 }], "link": "l1", "isRenewal": false }',
  '{ "after": 0, "rows": [], "isRenewal": false }',
])('a batch that is not one ends the connection: %s', async (wrong) => {
  const { process, told, open } = await pair();
  const next = open()?.next();
  expect(await told()).toBe('open 1');
  process.send({ kind: 'batch', session: 1, batch: JSON.parse(wrong) as StreamBatch });
  expect(await told()).toBe('gone');
  expect(await next).toEqual({ kind: 'lost' });
});

test('who guesses the number of a session is heard only over the connection it belongs to', async () => {
  const { listener, process, told, open } = await pair();
  const stranger = await connectTo(addressOf(listener), {
    onSession: () => undefined,
    onClose: () => undefined,
  });
  const next = open()?.next();
  expect(await told()).toBe('open 1');
  const forged = { ...batch, link: 'forged' };
  stranger?.send({ kind: 'batch', session: 1, batch: forged });
  stranger?.send({ kind: 'end', session: 1 });
  stranger?.close();
  await systemClock.sleep(20);
  process.send({ kind: 'batch', session: 1, batch });
  expect(await next).toEqual({ kind: 'batch', batch });
});

test('a connection that is silent for long is closed', async () => {
  const listener = await listenForStreams('127.0.0.1', 0, 20);
  afterEachTest(() => listener.close());
  await new Promise<void>((resolve) => {
    void connectTo(addressOf(listener), { onSession: () => undefined, onClose: () => resolve() });
  });
});

test('what is not JSON ends the connection', async () => {
  const { listener } = await pair();
  const { host, port } = addressOf(listener);
  const socket = connect({ host, port });
  socket.write('GET / HTTP/1.1\r\n\r\n');
  socket.resume();
  await once(socket, 'close');
});
