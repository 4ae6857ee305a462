/** Connection reuse: a warm connection whose last response was complete, or a new one. */
import type { Socket } from 'node:net';
import { setImmediate } from 'node:timers/promises';
import { describe, expect, onTestFinished, test } from 'vitest';
import { TransportError, type Transport } from '../../../src/exchange/api/exchange.ts';
import { second, standingClock, type Clock, type Millis } from '../../../src/base/clock.ts';
import { connectionsTo } from '../../../src/exchange/client/transports/connections.ts';
import { httpTransport } from '../../../src/exchange/client/transports/http.ts';
import { selfSigned } from '../../support/certificate.ts';
import { bookedExchange, cutLine, endings, order, type Cut } from '../../support/cut-line.ts';
import { answerText, rawServer, type Behaviour, type RawServer } from '../../support/raw-server.ts';
import { isWhole } from '../../support/share.ts';

const never = new AbortController().signal;
const answering: Behaviour = { onRequest: (socket) => socket.write(answerText('{}')) };

async function lineTo(
  behaviour: Behaviour,
  clock: Clock,
): Promise<{ readonly server: RawServer; readonly transport: Transport }> {
  const server = await rawServer(behaviour);
  const { transport, close } = httpTransport({ baseUrl: `http://127.0.0.1:${server.port}`, clock });
  onTestFinished(async () => {
    await close();
    await server.close();
  });
  return { server, transport };
}

/** A clock whose wall and monotonic time change separately. */
function twoTimes(): Clock & { wall: Millis; monotonicMs: Millis } {
  const clock = {
    ...standingClock(0),
    wall: 1_000_000,
    monotonicMs: 0,
    now: () => clock.wall,
    monotonic: () => clock.monotonicMs,
  };
  return clock;
}

describe('a connection is reused', () => {
  test('by orders, too, one after another', async () => {
    const { server, transport } = await lineTo(answering, standingClock(0));
    for (let nth = 0; nth < 20; nth++) await transport(order(`${nth}`), never);
    expect([server.connections(), server.requests.length]).toEqual([1, 20]);
  });

  test.each<[string, (clock: ReturnType<typeof twoTimes>) => void, number]>([
    ['for less than 2 s', (clock) => void (clock.monotonicMs += 1_999), 1],
    ['not after 2 s', (clock) => void (clock.monotonicMs += 2 * second), 2],
    ['not after the machine slept', (clock) => void (clock.wall += 2 * second), 2],
    ['not after the clock was set back', (clock) => void (clock.wall -= 1), 2],
  ])('%s', async (_, pass, connections) => {
    const clock = twoTimes();
    const { server, transport } = await lineTo(answering, clock);
    await transport(order('first'), never);
    pass(clock);
    await transport(order('second'), never);
    expect(server.connections()).toBe(connections);
  });

  test('not when its server says that it closes it', async () => {
    const closing = answerText('{}', { headers: 'connection: close\r\n' });
    const { server, transport } = await lineTo(
      { onRequest: (socket) => socket.write(closing) },
      standingClock(0),
    );
    for (const name of ['first', 'second']) await transport(order(name), never);
    expect(server.connections()).toBe(2);
  });

  test('not when its server has closed it: the order is sent on a new one', async () => {
    const { server, transport } = await lineTo(
      { onRequest: (socket) => socket.end(answerText('{}')) },
      standingClock(0),
    );
    for (const name of ['first', 'second', 'third']) await transport(order(name), never);
    expect([server.connections(), server.requests.length]).toEqual([3, 3]);
  });

  test('not after a response that was canceled, cut or wrong', async () => {
    let answers = 0;
    const broken = [
      answerText('{', { length: 100 }),
      'HTTP/1.1 200 X\r\ncontent-le',
      'no HTTP\r\n\r\n',
    ];
    const { server, transport } = await lineTo(
      { onRequest: (socket) => socket.write(broken[answers++] ?? answerText('{}')) },
      standingClock(0),
    );
    for (const [nth, name] of ['drips', 'halts', 'babbles'].entries()) {
      const giveUp = new AbortController();
      const lost = transport(order(name), giveUp.signal).catch((error: unknown) => error);
      while (server.requests.length <= nth) await setImmediate();
      giveUp.abort(new Error('no complete response'));
      expect(await lost).toMatchObject({ sent: 'maybe' });
    }
    await transport(order('whole'), never);
    expect(server.connections()).toBe(4);
  });
});

test('16 connections are open at most; what waits for one and is canceled was not sent', async () => {
  const sockets: Socket[] = [];
  const { server, transport } = await lineTo(
    { onRequest: (socket) => void sockets.push(socket) },
    standingClock(0),
  );
  const giveUp = new AbortController();
  const answers = Array.from({ length: 17 }, (_, nth) =>
    transport(order(`${nth}`), nth === 16 ? giveUp.signal : never),
  );
  while (sockets.length < 16) await setImmediate();
  giveUp.abort(new Error('stopped'));
  await expect(answers[16]).rejects.toMatchObject({
    sent: 'no',
    message: 'no connection was opened: stopped',
  });
  const next = transport(order('next'), never);
  for (const socket of sockets.splice(0)) socket.write(answerText('{}'));
  await Promise.all(answers.slice(0, 16));
  while (sockets.length < 1) await setImmediate();
  sockets[0]?.write(answerText('{}'));
  await next;
  expect([server.connections(), server.requests.length]).toEqual([16, 17]);
});

test('a connection that is given back broken is destroyed, and all of them at the end', async () => {
  const destroyed: number[] = [];
  let opened = 0;
  const open = () => {
    const name = (opened += 1);
    return { destroy: async () => void destroyed.push(name) };
  };
  const connections = connectionsTo(open, standingClock(0));
  const [first, second] = [await connections.take(), await connections.take()];
  connections.give(first, false);
  connections.give(second, true);
  expect([opened, destroyed]).toEqual([2, [1]]);
  expect(await connections.take()).toBe(second);
  await connections.close();
  expect(destroyed).toEqual([1, 2]);
});

/** Maximum bytes of a request or a response on the wire. */
const most = { client: 300, server: 130 };

const cuts = (['client', 'server'] as const).flatMap((from) =>
  Array.from({ length: most[from] }, (_, bytes) => bytes).flatMap((bytes) =>
    endings
      .filter((_, at) => isWhole || at === bytes % endings.length)
      .map((ending): Cut => ({ from, bytes, ending })),
  ),
);

test('wherever a kept TLS connection ends, an order is executed at most once, and known as it is', async () => {
  const own = selfSigned('localhost');
  const outcomes = { answered: 0, maybe: 0, no: 0, executed: 0 };
  for (const cut of cuts) {
    const exchange = await bookedExchange(own);
    let isArmed = false;
    const line = await cutLine(exchange.port, cut, () => isArmed); // of the second request
    const baseUrl = `https://127.0.0.1:${line.port}`;
    const { transport, close } = httpTransport({ baseUrl, ca: own.cert, clock: standingClock(0) });
    await transport(order('first'), never);
    isArmed = true;
    const outcome = await transport(order('second'), never).then(
      () => 'answered' as const,
      (error: unknown) => (error instanceof TransportError ? error.sent : 'answered'),
    );
    const times = exchange.executed.filter((name) => name === 'second').length;
    const name = `${cut.from} ${cut.bytes} ${outcome}`;
    outcomes[outcome] += 1;
    outcomes.executed += times;
    expect(times, name).toBeLessThanOrEqual(1);
    if (outcome === 'answered') expect(times, name).toBe(1);
    if (outcome === 'no') expect(exchange.receivedMoreThan(['first']), name).toBe(false);
    if (outcome !== 'answered') {
      await transport(order('third'), never);
      expect(line.connections(), name).toBe(2);
    }
    await close();
    await Promise.all([line.close(), exchange.close()]);
  }
  // Both kinds of doubt occurred, and an uncut connection was kept open.
  expect(outcomes.maybe).toBeGreaterThan(cuts.length / 2);
  expect(outcomes.executed - outcomes.answered).toBeGreaterThan(0);
});
