/** Places of connections: shares, and who makes room for whom. */
import { connect, type Socket } from 'node:net';
import { once } from 'node:events';
import { connect as connectTls } from 'node:tls';
import { setTimeout } from 'node:timers/promises';
import { onTestFinished, expect, test } from 'vitest';
import type { Caller } from '../../../src/serve/server/caller.ts';
import { limitedConnections } from '../../../src/serve/server/connections.ts';
import { listen } from '../../../src/serve/server/listener.ts';
import { selfSigned } from '../../support/certificate.ts';
import { startWire, statuses } from './wire.ts';

const limits = { headers: 60_000, request: 60_000, check: 1_000, stalled: 60_000 };

/** Connections with the only parts of sockets that places depend on. */
function clients(max: number) {
  const connections = limitedConnections(max);
  const open = new Set<string>();
  let port = 0;
  return {
    open: (): string => [...open].join(' '),
    connect: (name: string, remoteAddress: string): Socket => {
      const closing: (() => void)[] = [];
      port += 1;
      const socket = {
        remoteAddress,
        remotePort: port,
        once: (_event: string, listener: () => void) => closing.push(listener),
        destroy: () => {
          open.delete(name);
          for (const listener of closing) listener();
        },
      } as unknown as Socket;
      open.add(name);
      connections.add(socket);
      return socket;
    },
    begin: (socket: Socket, caller?: Caller) => connections.begin(socket, caller),
  };
}

const ann = { session: 'ann', isStream: false };

test('an address has a quarter of the places: its oldest silent connection makes room', () => {
  const { connect: join, open } = clients(12);
  for (let n = 1; n <= 5; n++) join(`eve${n}`, '192.0.2.1');
  join('bob', '192.0.2.2');
  expect(open()).toBe('eve3 eve4 eve5 bob');
});

test('an IPv6 network is one address', () => {
  const { connect: join, open } = clients(8);
  for (let n = 1; n <= 4; n++) join(`eve${n}`, `2001:db8:0:1::${n}`);
  expect(open()).toBe('eve3 eve4');
});

test('strangers make room before people, and silent ones before busy ones', () => {
  const { connect: join, begin, open } = clients(4);
  begin(join('ann', '192.0.2.1'), ann)();
  begin(join('busy', '192.0.2.2'), undefined);
  join('silent', '192.0.2.3');
  join('late', '192.0.2.4');
  join('a', '192.0.2.5');
  expect(open()).toBe('ann busy late a');
  join('b', '192.0.2.6');
  join('c', '192.0.2.7');
  begin(join('d', '192.0.2.8'), undefined);
  expect(open()).toBe('ann busy c d');
  begin(join('e', '192.0.2.9'), undefined);
  join('f', '192.0.2.10');
  expect(open()).toBe('ann d e f');
});

test('a session has a quarter of the places for its silent connections', () => {
  const { connect: join, begin, open } = clients(8);
  for (let n = 1; n <= 4; n++) begin(join(`ann${n}`, `192.0.2.${n}`), ann)();
  expect(open()).toBe('ann3 ann4');
});

test('streams of events take no place', () => {
  const { connect: join, begin, open } = clients(4);
  const stream = { session: 'ann', isStream: true };
  for (let n = 1; n <= 4; n++) begin(join(`s${n}`, `192.0.2.${n}`), stream);
  for (let n = 1; n <= 5; n++) join(`eve${n}`, `198.51.100.${n}`);
  expect(open()).toBe('s1 s2 s3 s4 eve2 eve3 eve4 eve5');
});

test('a person who is signed in gets through while a stranger holds every place', async () => {
  const wire = await startWire({ ...limits, connections: 200 });
  const held: Socket[] = [];
  onTestFinished(async () => {
    for (const socket of held) socket.destroy();
    await wire.server.close();
  });
  for (let n = 0; n < 1_000; n++) {
    const socket = connect(wire.port, '127.0.0.1');
    socket.on('error', () => undefined);
    await once(socket, 'connect');
    socket.write('GET / HTTP/1.1\r\nX-Slow: ');
    held.push(socket);
  }
  await setTimeout(50);
  const headers = { cookie: wire.cookie, connection: 'close' };
  for (let n = 0; n < 3; n++) {
    expect((await fetch(`${wire.server.url}/api/v1/about`, { headers })).status).toBe(200);
  }
  expect(held.filter(({ destroyed }) => !destroyed).length).toBeLessThanOrEqual(200);
  const health = `GET /healthz HTTP/1.1\nHost: ${wire.host}\nConnection: close\n\n`;
  expect(statuses(await wire.send(health))).toEqual([200]);
});

test('connections without a handshake do not shut others out of TLS, which has modern suites only', async () => {
  const certificate = selfSigned('desk');
  const place = { kind: 'tls', host: '127.0.0.1', port: 0, certificate } as const;
  const handlers = { handle: () => new Response('ok'), caller: () => undefined };
  const listener = await listen(place, handlers, { ...limits, connections: 50 });
  const { port } = listener;
  const held = await Promise.all(
    Array.from({ length: 300 }, async () => {
      const socket = connect(port, '127.0.0.1');
      socket.on('error', () => undefined);
      await once(socket, 'connect');
      return socket;
    }),
  );
  const ask = async (ciphers: string, maxVersion: 'TLSv1.2' | 'TLSv1.3'): Promise<string> => {
    const to = { port, host: '127.0.0.1', rejectUnauthorized: false, ciphers, maxVersion };
    const socket = connectTls(to);
    try {
      await once(socket, 'secureConnect');
      const { name } = socket.getCipher();
      socket.write('GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n');
      const [answer] = await once(socket, 'data');
      return `${name} ${String(answer).slice(9, 12)}`;
    } catch (error) {
      return error instanceof Error && 'code' in error ? String(error.code) : String(error);
    } finally {
      socket.destroy();
    }
  };
  expect(await ask('TLS_AES_128_GCM_SHA256', 'TLSv1.3')).toBe('TLS_AES_128_GCM_SHA256 200');
  expect(await ask('ECDHE-RSA-AES128-GCM-SHA256:ECDHE-ECDSA-AES128-GCM-SHA256', 'TLSv1.2')).toMatch(
    /^ECDHE-\w+-AES128-GCM-SHA256 200$/,
  );
  for (const old of [
    'AES128-GCM-SHA256',
    'ECDHE-RSA-AES128-SHA',
    'AES256-SHA',
    'DHE-RSA-AES128-GCM-SHA256',
  ]) {
    expect(await ask(`${old}:@SECLEVEL=0`, 'TLSv1.2')).not.toContain(' 200');
  }
  for (const socket of held) socket.destroy();
  await listener.close();
});
