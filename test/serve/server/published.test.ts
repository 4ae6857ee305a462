/** The port of a container that its host publishes. */
import { once } from 'node:events';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { gatewaysIn, passOn, publishedHere } from '../../../src/serve/server/published.ts';

const container = '127.0.0.2';
const host = '127.0.0.3';
const other = '127.0.0.4';

let server: Server;
let port: number;
let end: () => void;

beforeEach(async () => {
  server = createServer((socket) => {
    socket.on('error', () => socket.destroy());
    socket.on('data', (bytes) => socket.write(`heard ${bytes.toString()}`));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  port = typeof address === 'object' && address !== null ? address.port : 0;
  end = await passOn(port, { own: [container], hosts: [host] });
});
afterEach(() => {
  end();
  server.close();
});

/** What the server answers to somebody; nothing when the connection is closed. */
async function answerTo(from: string): Promise<string> {
  const socket = connect({ port, host: container, localAddress: from });
  let text = '';
  socket.on('data', (bytes) => {
    text += bytes.toString();
    socket.end();
  });
  socket.on('error', () => undefined); // closed while it writes
  socket.write('a request');
  await new Promise((resolve) => socket.once('close', resolve));
  return text;
}

describe('a published port', () => {
  test('is open to the host and to the container itself', async () => {
    expect(await answerTo(host)).toBe('heard a request');
    expect(await answerTo(container)).toBe('heard a request');
  });

  test('is closed to other containers and machines', async () => {
    expect(await answerTo(other)).toBe('');
  });

  test('passes on a long answer to a request that ended', async () => {
    const size = 5_000_000;
    server.removeAllListeners('connection');
    server.on('connection', (socket) => socket.on('data', () => socket.end(Buffer.alloc(size))));
    const socket = connect({ port, host: container, localAddress: host });
    socket.end('a request');
    let heard = 0;
    for await (const bytes of socket) heard += (bytes as Buffer).length;
    expect(heard).toBe(size);
  });

  test('ends both sides of a connection with either', async () => {
    const socket: Socket = connect({ port, host: container, localAddress: host });
    socket.write('a');
    await once(socket, 'data');
    end();
    await once(socket, 'close');
    const left = await new Promise((resolve) => {
      server.getConnections((_error, count) => resolve(count));
    });
    expect(left).toBeLessThanOrEqual(1);
    await expect(answerTo(host)).resolves.toBe('');
  });
});

test('the host of a container is the gateway of its default route', () => {
  const table = [
    'Iface\tDestination\tGateway \tFlags\tRefCnt\tUse\tMetric\tMask\t\tMTU\tWindow\tIRTT',
    'eth0\t00000000\t010011AC\t0003\t0\t0\t0\t00000000\t0\t0\t0',
    'eth0\t000011AC\t00000000\t0001\t0\t0\t0\t0000FFFF\t0\t0\t0',
    'tun0\t00000000\t00000000\t0001\t0\t0\t0\t00000000\t0\t0\t0',
    '',
  ].join('\n');
  expect(gatewaysIn(table)).toEqual(['172.17.0.1']);
});

test('outside a container --published is refused, because its port would be open to the network', () => {
  expect(() => publishedHere(['/no/such/mark'])).toThrow(
    '--published is for a container of Docker or Podman',
  );
});
