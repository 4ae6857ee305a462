/** The HTTP transport against servers that break off: what arrived, and whether anything may have been sent. */
import { getEventListeners } from 'node:events';
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { httpTransport } from '../../../src/exchange/client/transports/http.ts';
import { ConfigError, InternalError } from '../../../src/base/error.ts';
import {
  TransportError,
  type WireRequest,
  type WireResponse,
} from '../../../src/exchange/api/exchange.ts';
import { answerText, rawServer, type Behaviour, type RawServer } from '../../support/raw-server.ts';

const read: WireRequest = {
  operation: 'market/list-tickers',
  method: 'GET',
  path: '/api/v3/market/tickers',
  query: 'category=SPOT',
  body: '',
  headers: { locale: 'en-US' },
};
const write: WireRequest = {
  operation: 'futures/place-order',
  method: 'POST',
  path: '/api/v2/mix/order/place-order',
  query: '',
  body: '{"symbol":"龙USDT"}',
  headers: { 'content-type': 'application/json' },
};

interface Line {
  readonly server: RawServer;
  readonly send: (request: WireRequest, signal?: AbortSignal) => Promise<WireResponse>;
}

async function lineTo(behaviour: Behaviour, scheme = 'http'): Promise<Line> {
  const server = await rawServer(behaviour);
  const { transport, close } = httpTransport({ baseUrl: `${scheme}://127.0.0.1:${server.port}` });
  onTestFinished(async () => {
    await close();
    await server.close();
  });
  return {
    server,
    send: (request, signal = new AbortController().signal) => transport(request, signal),
  };
}

async function lossOf(answer: Promise<WireResponse>): Promise<TransportError> {
  const error: unknown = await answer.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (error instanceof TransportError) return error;
  throw new Error('the request was answered or failed otherwise', { cause: error });
}

test('the bytes of a body that comes as one piece are not copied', async () => {
  const concat = vi.spyOn(Buffer, 'concat');
  onTestFinished(() => concat.mockRestore());
  const { send } = await lineTo({ onRequest: (socket) => socket.write(answerText('{"a":1}')) });
  expect(String((await send(read)).body)).toBe('{"a":1}');
  expect(concat).toHaveBeenCalledTimes(0);
});

test('a response has status, lower-case headers and bytes', async () => {
  const { send } = await lineTo({
    onRequest: (socket) => socket.write(answerText('{}', { headers: 'X-Thing: 1\r\n' })),
  });
  const { status, headers, body } = await send(read);
  expect(status).toBe(200);
  expect(headers).toMatchObject({ 'x-thing': '1' });
  expect(Buffer.from(body).toString()).toBe('{}');
});

test('a signal has no listener after a response or a failure, so it may serve another request', async () => {
  const { signal } = new AbortController();
  const answers = [answerText('{}'), undefined];
  const { send } = await lineTo({
    onRequest: (socket) => {
      const answer = answers.shift();
      if (answer === undefined) socket.destroy();
      else socket.write(answer);
    },
  });
  await send(read, signal);
  expect(getEventListeners(signal, 'abort')).toEqual([]);
  await lossOf(send(read, signal));
  expect(getEventListeners(signal, 'abort')).toEqual([]);
});

test('exactly the signed bytes are sent, and no compression is requested', async () => {
  const { server, send } = await lineTo({ onRequest: (socket) => socket.write(answerText('{}')) });
  await send({ ...read, query: 'symbol=%E9%BE%99%2BUSDT' });
  await send(write);
  expect(server.requests[0]).toContain('GET /api/v3/market/tickers?symbol=%E9%BE%99%2BUSDT HTTP');
  expect(server.requests[1]?.endsWith('\r\n\r\n{"symbol":"龙USDT"}')).toBe(true);
  for (const text of server.requests) expect(text.toLowerCase()).not.toContain('accept-encoding');
});

describe('a compressed response, although none was requested,', () => {
  const text = JSON.stringify({ code: '00000', data: [{ rank: '0.7' }] });
  const answering = async (body: Uint8Array, coding: string): Promise<Line['send']> => {
    const { send } = await lineTo({
      onRequest: (socket) => {
        socket.write(
          answerText('', { headers: `Content-Encoding: ${coding}\r\n`, length: body.length }),
        );
        socket.write(body);
      },
    });
    return send;
  };

  test.each([
    ['gzip', gzipSync(text)],
    ['GZIP', gzipSync(text)],
    ['x-gzip', gzipSync(text)],
    ['deflate', deflateSync(text)],
    ['deflate', deflateRawSync(text)],
    ['br', brotliCompressSync(text)],
    ['gzip, br', brotliCompressSync(gzipSync(text))],
    ['identity', Buffer.from(text)],
    ['gzip', Buffer.from(text)],
    ['', gzipSync(text)],
  ])('%s is read', async (coding, body) => {
    const send = await answering(body, coding);
    const { status, headers, body: decoded } = await send(write);
    expect([status, Buffer.from(decoded).toString()]).toEqual([200, text]);
    expect(headers).not.toHaveProperty('content-encoding');
  });

  test.each([
    ['compress', Buffer.from(text), 'the response is compressed as compress'],
    ['gzip', gzipSync(text).subarray(0, 20), 'the response is compressed as gzip and damaged'],
    [
      'gzip, gzip, gzip, gzip',
      gzipSync(text),
      'the response is compressed as gzip, gzip, gzip, gzip',
    ],
    [
      'gzip',
      gzipSync(Buffer.alloc(9 << 20)),
      'the response is larger than 8 MiB after decompression',
    ],
    [
      'br',
      brotliCompressSync(Buffer.alloc(9 << 20)),
      'the response is larger than 8 MiB after decompression',
    ],
  ])('%s that cannot be read may have been executed', async (coding, body, message) => {
    const send = await answering(body, coding);
    expect(await lossOf(send(write))).toMatchObject({ message, sent: 'maybe' });
  });
});

test('a redirect is returned as a response; the other host never receives the headers', async () => {
  const other = await rawServer({});
  onTestFinished(() => other.close());
  const { send } = await lineTo({
    onRequest: (socket) => {
      const headers = `location: http://127.0.0.1:${other.port}/\r\n`;
      socket.write(answerText('', { status: 307, headers }));
    },
  });
  expect((await send(read)).status).toBe(307);
  expect(other.connections()).toBe(0);
});

const breakdowns: readonly [string, Behaviour][] = [
  ['reset with the request read', { onRequest: (socket) => socket.resetAndDestroy() }],
  ['closed with the request read', { onRequest: (socket) => socket.end() }],
  [
    'closed amid the answer',
    { onRequest: (socket) => socket.end(answerText('{"code":', { length: 100 })) },
  ],
  ['no HTTP', { onRequest: (socket) => socket.end('220 mail.example ESMTP\r\n') }],
  [
    'headers without end',
    { onRequest: (socket) => socket.write(`HTTP/1.1 200 X\r\nx: ${'a'.repeat(64 * 1024)}`) },
  ],
  [
    'larger than 8 MiB',
    { onRequest: (socket) => socket.write(answerText('a'.repeat(9 * 1024 * 1024))) },
  ],
  ['closed on accept', { onConnect: (socket) => socket.end() }],
];

test.each(breakdowns)(
  'after the connection is established, "%s" may have been sent',
  async (_, behaviour) => {
    for (const request of [read, write]) {
      const { send } = await lineTo(behaviour);
      expect((await lossOf(send(request))).sent).toBe('maybe');
    }
  },
);

test.each<[string, (socket: Parameters<NonNullable<Behaviour['onRequest']>>[0]) => void]>([
  ['silence', () => undefined],
  ['half a header', (socket) => socket.write('HTTP/1.1 200 X\r\ncontent-le')],
  ['a body that drips', (socket) => socket.write(answerText('{', { length: 100 }))],
  ['informational answers only', (socket) => socket.write('HTTP/1.1 102 X\r\n\r\n'.repeat(9))],
])('canceled during %s, it may have been sent', async (_, onRequest) => {
  const { server, send } = await lineTo({ onRequest });
  const giveUp = new AbortController();
  const loss = lossOf(send(write, giveUp.signal));
  await server.received();
  giveUp.abort(new Error('no complete response within 10 s'));
  expect(await loss).toMatchObject({ sent: 'maybe', message: 'no complete response within 10 s' });
});

test('canceled before or during the TLS handshake, nothing was sent', async () => {
  const { send } = await lineTo({});
  expect((await lossOf(send(write, AbortSignal.abort(new Error('stopped'))))).sent).toBe('no');

  let connected = (): void => undefined;
  const standing = new Promise<void>((resolve) => {
    connected = resolve;
  });
  const silent = await lineTo({ onConnect: () => connected() }, 'https');
  const giveUp = new AbortController();
  const loss = lossOf(silent.send(write, giveUp.signal));
  await standing;
  giveUp.abort(new Error('stopped'));
  expect((await loss).sent).toBe('no');
});

test.each([
  ['nobody listens', 'http://127.0.0.1:1'],
  ['nobody listens on any address of the name', 'http://localhost:1'],
  ['the name does not exist', 'https://exchange.invalid'],
])('nothing was sent when %s', async (_, baseUrl) => {
  const { transport, close } = httpTransport({ baseUrl });
  onTestFinished(close);
  const loss = await lossOf(transport(write, new AbortController().signal));
  expect(loss.sent).toBe('no');
  expect(loss.message).not.toBe('');
});

test('nothing was sent when the server does not speak TLS', async () => {
  const { send } = await lineTo({ onConnect: (socket) => socket.end('what?\r\n') }, 'https');
  expect((await lossOf(send(write))).sent).toBe('no');
});

test('a request that cannot be written is an internal error', async () => {
  const { server, send } = await lineTo({});
  const loss = await lossOf(send({ ...write, headers: { locale: 'en\r\nACCESS-KEY: stolen' } }));
  expect(loss.sent).toBe('no');
  expect(loss.cause).toBeInstanceOf(InternalError);
  expect(server.connections()).toBe(0);
});

test('plain HTTP is accepted only for this machine', () => {
  for (const baseUrl of ['http://example.com', 'ftp://127.0.0.1', 'no address']) {
    expect(() => httpTransport({ baseUrl })).toThrow(ConfigError);
  }
});
