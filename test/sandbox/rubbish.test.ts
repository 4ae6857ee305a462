/** Whoever knocks and speaks no HTTP, or never comes to an end: a clear end, and others are served. */
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { standingClock } from '../../src/base/clock.ts';
import { openSandbox, type Sandbox } from '../../src/sandbox/sandbox.ts';
import { startServer, type RunningServer } from '../../src/sandbox/server.ts';
import { refusalIn, saidTo } from '../support/socket.ts';

const born = Date.UTC(2026, 10, 21, 4, 0, 0);
const patience = 450; // ms for a whole request; 300 for its head
const tickers = '/api/v3/market/tickers?category=SPOT';
let sandbox: Sandbox;
let server: RunningServer;
let port: number;

beforeAll(async () => {
  sandbox = await openSandbox({ clock: standingClock(born), limits: false });
  server = await startServer(sandbox, { port: 0, patience });
  port = Number(new URL(server.baseUrl).port);
});
afterAll(async () => {
  await server.close();
  await sandbox.close();
});

const served = async ({ baseUrl }: RunningServer = server): Promise<number> =>
  (await fetch(baseUrl + tickers)).status;

test.each<[string, string | Uint8Array]>([
  ['HTTP/0.9, which names no version', `GET ${tickers}\r\n\r\n`],
  ['HTTP/0.9 by name', `GET ${tickers} HTTP/0.9\r\nHost: localhost\r\n\r\n`],
  ['HTTP/2 without asking', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'],
  ['HTTP/2 by name', 'GET / HTTP/2.0\r\nHost: localhost\r\n\r\n'],
  ['HTTP/3 by name', 'GET / HTTP/3.0\r\nHost: localhost\r\n\r\n'],
  ['TLS', Buffer.from('16030100c8010000c40303', 'hex')],
  ['SSH', 'SSH-2.0-OpenSSH_9.6\r\n'],
  ['SMTP', 'EHLO localhost\r\n'],
  ['Redis', '*1\r\n$4\r\nPING\r\n'],
  ['SOCKS', Uint8Array.of(5, 1, 0)],
  ['zeros', new Uint8Array(1_000)],
])('%s gets an envelope, and the connection is closed', async (_what, bytes) => {
  expect(refusalIn(await saidTo(port, [bytes]), born)).toBe('400 40020');
});

test.each<[string, readonly string[]]>([
  ['nothing', []],
  ['one line of HTTP/0.9 and no more', [`GET ${tickers}\r\n`]],
  ['empty lines', ['\r\n'.repeat(5_000)]],
])('a client that sends %s gets a timeout response', async (_what, parts) => {
  expect(refusalIn(await saidTo(port, parts), born)).toBe('408 40010');
});

test('any bytes get an envelope or a closed connection, and other clients are served', async () => {
  const word = fc.constantFrom('GET ', 'POST ', '/', ' HTTP/1.1', '\r\n', 'Host: localhost', ': ');
  const part = fc.oneof(
    word.map((text) => Buffer.from(text)),
    fc.uint8Array({ maxLength: 40 }).map((bytes) => Buffer.from(bytes)),
  );
  const bytes = fc
    .array(part, { minLength: 1, maxLength: 12 })
    .map((parts) => Buffer.concat(parts));
  await fc.assert(
    fc.asyncProperty(fc.array(bytes, { minLength: 20, maxLength: 20 }), async (all) => {
      const answers = await Promise.all(all.map((each) => saidTo(port, [each])));
      for (const answer of answers) {
        if (answer !== '') expect(refusalIn(answer, born)).toMatch(/^4\d\d 4\d{4}$/);
      }
      expect(await served()).toBe(200);
    }),
    { numRuns: 10, seed: 20261121 },
  );
});

test('200 requests that stop halfway block nobody, and are closed in time', async () => {
  const halves = [
    'POST /api/v2/mix/order/place-order HTTP/1.1\r\nHost: localhost\r\nContent-Le',
    'POST /api/v2/mix/order/place-order HTTP/1.1\r\nHost: localhost\r\nContent-Length: 500\r\n\r\n{"sy',
  ];
  const patient = 3_000;
  const hall = await startServer(sandbox, { port: 0, patience: patient });
  const address = new URL(hall.baseUrl);
  const began = performance.now();
  const idle: Socket[] = [];
  const ends: Promise<unknown>[] = [];
  for (let n = 0; n < 200; n++) {
    const socket = connect(Number(address.port), address.hostname, () =>
      socket.write(halves[n % 2] ?? ''),
    );
    socket.on('error', () => undefined).resume();
    idle.push(socket);
    ends.push(once(socket, 'close'));
  }
  await Promise.all(idle.map((socket) => once(socket, 'connect')));
  expect(await served(hall)).toBe(200);
  expect(idle.filter(({ closed }) => closed)).toHaveLength(0); // all of them were there meanwhile
  await Promise.all(ends);
  const took = performance.now() - began;
  expect(took).toBeGreaterThan((patient * 2) / 3);
  expect(took).toBeLessThan(5 * patient); // a busy machine; without a limit it is five minutes
  expect(await served(hall)).toBe(200);
  await hall.close();
});
