/** A TLS exchange that counts what it executes, and a line that is cut after a number of bytes. */
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { createServer as createTls } from 'node:tls';
import { setImmediate } from 'node:timers/promises';
import type { WireRequest } from '../../src/exchange/api/exchange.ts';
import type { selfSigned } from './certificate.ts';
import { answerText } from './raw-server.ts';

/** An order whose clientOid is its name. */
export const order = (name: string): WireRequest => ({
  operation: 'futures/place-order',
  method: 'POST',
  path: '/api/v2/mix/order/place-order',
  query: '',
  body: `{"clientOid":"${name}"}`,
  headers: { 'content-type': 'application/json' },
});

export interface BookedExchange {
  /** The clientOid of every order that arrived completely. */
  readonly executed: readonly string[];
  /** Whether any byte of a request arrived that is not one of these orders. */
  receivedMoreThan(names: readonly string[]): boolean;
  readonly port: number;
  /** Begins a new book, when all connections have ended. */
  renew(): Promise<void>;
  close(): Promise<void>;
}

export async function bookedExchange(own: ReturnType<typeof selfSigned>): Promise<BookedExchange> {
  const executed: string[] = [];
  const partial = new Set<Socket>();
  const open = new Set<Socket>();
  const server = createTls({ key: own.key, cert: own.cert }, (socket) => {
    let text = '';
    socket.on('error', () => undefined);
    socket.on('data', (chunk: Buffer) => {
      partial.add(socket);
      text += chunk.toString('latin1');
      if (!text.includes('"}')) return;
      partial.delete(socket);
      executed.push(/"clientOid":"(\w+)"/.exec(text)?.[1] ?? '');
      text = '';
      socket.write(answerText('{"done":true}'));
    });
  });
  server.on('connection', (socket: Socket) => {
    open.add(socket);
    socket.on('close', () => open.delete(socket));
  });
  server.on('tlsClientError', () => undefined);
  const port = await listening(server);
  return {
    executed,
    receivedMoreThan: (names) => partial.size > 0 || executed.some((name) => !names.includes(name)),
    port,
    renew: async () => {
      while (open.size > 0) await setImmediate();
      executed.length = 0;
      partial.clear();
    },
    close: () => new Promise((done) => server.close(() => done())),
  };
}

export interface Cut {
  /** The direction whose bytes are counted. */
  readonly from: 'client' | 'server';
  readonly bytes: number;
  readonly ending: (socket: Socket) => void;
}

export const endings: readonly ((socket: Socket) => void)[] = [
  (socket) => void socket.destroy(),
  (socket) => void socket.resetAndDestroy(),
  (socket) => void socket.end(), // the other direction stays open
];

/** A server in front of another. */
export interface CutLine {
  readonly port: number;
  /** Connections so far. */
  connections(): number;
  /** Bytes of the first connection, by direction. */
  readonly passed: { client: number; server: number };
  close(): Promise<void>;
}

/** Forwards everything, and of the first connection this many bytes since it was armed. */
export async function cutLine(
  to: number,
  cut: Cut | undefined,
  isArmed: () => boolean,
): Promise<CutLine> {
  const passed = { client: 0, server: 0 };
  let count = 0;
  const line = createServer((client) => {
    const isFirst = (count += 1) === 1;
    const server = connect(to, '127.0.0.1');
    let left = cut?.bytes ?? Infinity;
    const end = (source: Socket): void => {
      source.removeAllListeners('data').pause();
      for (const each of [client, server]) cut?.ending(each);
    };
    const pass = (from: 'client' | 'server', [source, sink]: readonly [Socket, Socket]): void => {
      source.on('error', () => undefined);
      source.on('close', () => sink.destroy());
      source.on('data', (chunk: Buffer) => {
        if (isFirst) passed[from] += chunk.length;
        if (!isFirst || !isArmed() || from !== cut?.from) return void sink.write(chunk);
        sink.write(chunk.subarray(0, left));
        left -= chunk.length;
        if (left <= 0) end(source);
      });
    };
    pass('client', [client, server]);
    pass('server', [server, client]);
  });
  const port = await listening(line);
  return {
    port,
    connections: () => count,
    passed,
    close: () => new Promise((done) => line.close(() => done())),
  };
}

async function listening(server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return (server.address() as AddressInfo).port;
}
