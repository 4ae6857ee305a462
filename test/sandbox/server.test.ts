/** The hard door: whatever comes over a socket is answered in the exchange's frame, or closed. */
import { once } from 'node:events';
import { request as httpRequest } from 'node:http';
import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { standingClock } from '../../src/base/clock.ts';
import { ConfigError } from '../../src/base/error.ts';
import { openSandbox, type Sandbox } from '../../src/sandbox/sandbox.ts';
import { startServer, type RunningServer } from '../../src/sandbox/server.ts';
import { refusalIn, saidTo } from '../support/socket.ts';

const born = Date.UTC(2026, 10, 21, 4, 0, 0);
const token = 'token-of-the-test';
let sandbox: Sandbox;
let server: RunningServer;
let port: number;

beforeAll(async () => {
  sandbox = await openSandbox({ clock: standingClock(born), limits: false });
  server = await startServer(sandbox, { port: 0, token });
  port = Number(new URL(server.baseUrl).port);
});
afterAll(async () => {
  await server.close();
  await sandbox.close();
});

const raw = (bytes: string | readonly string[]): Promise<string> =>
  saidTo(port, typeof bytes === 'string' ? [bytes] : bytes);

const head = (line: string, ...headers: string[]): string =>
  [line, `Host: 127.0.0.1:${port}`, 'Connection: close', ...headers, '', ''].join('\r\n');
const tickers = '/api/v3/market/tickers?category=SPOT';
const place = 'POST /api/v2/mix/order/place-order HTTP/1.1';

describe('is answered with an envelope', () => {
  test.each<[string, () => string | readonly string[], number, string]>([
    ['no HTTP at all', () => 'hello\r\n\r\n', 400, '40020'],
    ['two lengths', () => head(place, 'Content-Length: 1', 'Content-Length: 2'), 400, '40020'],
    [
      'a length and chunks',
      () => head(place, 'Content-Length: 1', 'Transfer-Encoding: chunked'),
      400,
      '40020',
    ],
    [
      'a transfer coding nobody undoes',
      () => [head(place, 'Transfer-Encoding: gzip, chunked'), '2\r\n{}\r\n0\r\n\r\n'],
      400,
      '40020',
    ],
    [
      'a packed body',
      () => head(place, 'Content-Encoding: gzip', 'Content-Length: 0'),
      400,
      '40020',
    ],
    ['a broken chunk', () => [head(place, 'Transfer-Encoding: chunked'), 'xyz\r\n'], 400, '40020'],
    [
      'another host',
      () => `GET ${tickers} HTTP/1.1\r\nHost: example.org\r\nConnection: close\r\n\r\n`,
      421,
      '40018',
    ],
    ['no host', () => `GET ${tickers} HTTP/1.1\r\nConnection: close\r\n\r\n`, 421, '40018'],
    ['two hosts', () => head(`GET ${tickers} HTTP/1.1`, 'Host: localhost'), 400, '40020'],
    [
      'a page of the web',
      () => head(`GET ${tickers} HTTP/1.1`, 'Origin: https://example.org'),
      403,
      '40014',
    ],
    ['a long address', () => head(`GET /${'a'.repeat(5_000)} HTTP/1.1`), 414, '41113'],
    [
      'a large header',
      () => head(`GET ${tickers} HTTP/1.1`, `X: ${'a'.repeat(20_000)}`),
      431,
      '41113',
    ],
    [
      'many headers',
      () => head(`GET ${tickers} HTTP/1.1`, ...Array.from({ length: 100 }, (_, n) => `X-${n}: 1`)),
      431,
      '41113',
    ],
    ['a large body, announced', () => head(place, 'Content-Length: 1048576'), 413, '41113'],
    [
      'a large body, in chunks',
      () => [
        head(place, 'Transfer-Encoding: chunked'),
        ...Array.from({ length: 5 }, () => `10000\r\n${'a'.repeat(65_536)}\r\n`),
        '0\r\n\r\n',
      ],
      413,
      '41113',
    ],
    ['a proxy request', () => head(`GET http://127.0.0.1${tickers} HTTP/1.1`), 404, '40404'],
    [
      'a path that climbs',
      () => head(`GET /api/v3/market/../market/tickers HTTP/1.1`),
      404,
      '40404',
    ],
    ['two slashes', () => head(`GET /${tickers} HTTP/1.1`), 404, '40404'],
    ['another path', () => head('GET / HTTP/1.1'), 404, '40404'],
    ['another method', () => head(`DELETE ${tickers} HTTP/1.1`), 405, '40405'],
    ['a tunnel', () => head('CONNECT example.org:443 HTTP/1.1'), 405, '40405'],
    ['an expectation', () => head(place, 'Expect: miracles', 'Content-Length: 0'), 417, '40020'],
    ['no credentials', () => head(place, 'Content-Length: 0'), 400, '40001'],
  ])('%s', async (_what, bytes, status, code) => {
    expect(refusalIn(await raw(bytes()), born)).toBe(`${status} ${code}`);
  });
});

test('an oversized body that is sent completely still gets a response', async () => {
  const response = await fetch(`${server.baseUrl}/api/v2/mix/order/place-order`, {
    method: 'POST',
    body: 'a'.repeat(1_048_576),
  });
  expect(response.status).toBe(413);
});

test('two requests on one connection are answered in order', async () => {
  const both =
    head(`GET ${tickers} HTTP/1.1`).replace('Connection: close\r\n', '') + head('GET / HTTP/1.1');
  const text = await raw(both);
  expect([...text.matchAll(/HTTP\/1\.1 (\d+)/g)].map((match) => match[1])).toEqual(['200', '404']);
});

test.each(['foo', 'gzip', 'chunked, foo', 'gzip, chunked', 'identity', 'xchunked', ' , foo'])(
  'after a request in transfer coding %j, one response is sent and nothing more is read',
  async (coding) => {
    const odd = head(place, `Transfer-Encoding: ${coding}`).replace('Connection: close\r\n', '');
    const next = head(`GET ${tickers} HTTP/1.1`).replace('Connection: close\r\n', '');
    for (const bytes of [`${odd}${next}`, [odd, next], `${odd}2\r\n{}\r\n0\r\n\r\n${next}`]) {
      const text = await raw(bytes);
      expect([...text.matchAll(/HTTP\/1\.1 (\d+)/g)].map((match) => match[1])).toEqual(['400']);
    }
  },
);

test('a complete request is answered before invalid bytes that follow it', async () => {
  const whole = head(`GET ${tickers} HTTP/1.1`).replace('Connection: close\r\n', '');
  const text = await raw(`${whole}rubbish\r\n\r\n`);
  expect([...text.matchAll(/HTTP\/1\.1 (\d+)/g)].map((match) => match[1])).toEqual(['200', '400']);
});

test.each(['Content-Length: 16', 'Transfer-Encoding: chunked'])(
  'a body that comes after its head is read completely: %s',
  async (framing) => {
    const socket = connect(port, '127.0.0.1');
    const lines = [`Authorization: Bearer ${token}`, 'Content-Type: application/json', framing];
    socket.write(head('POST /_sandbox/config HTTP/1.1', 'Expect: 100-continue', ...lines));
    await once(socket, 'data'); // the server asks for the body: its head is read already
    const pieces = ['{"limits"', ':false'].map((piece) =>
      framing.includes('chunked') ? `${piece.length.toString(16)}\r\n${piece}\r\n` : piece,
    );
    for (const piece of pieces) socket.write(piece);
    socket.write(framing.includes('chunked') ? '1\r\n}\r\n0\r\n\r\n' : '}');
    const [answer] = await once(socket, 'data');
    expect(String(answer)).toMatch(/^HTTP\/1\.1 200 /);
    socket.destroy();
  },
);

test('a chunked body that comes together with its head is read completely', async () => {
  const lines = [`Authorization: Bearer ${token}`, 'Content-Type: application/json'];
  const config = head('POST /_sandbox/config HTTP/1.1', 'Transfer-Encoding: chunked', ...lines);
  const answer = await raw(`${config}9\r\n{"limits"\r\n7\r\n:false}\r\n0\r\n\r\n`);
  expect(answer).toMatch(/^HTTP\/1\.1 200 /);
});

test('a body that ends early changes nothing and blocks nobody', async () => {
  const socket = connect(port, '127.0.0.1');
  socket.resume();
  socket.write(head(place, 'Content-Length: 500'));
  socket.end('{"symbol"');
  await once(socket, 'close');
  const response = await fetch(server.baseUrl + tickers);
  expect(response.status).toBe(200);
});

test('a port in use is reported', async () => {
  await expect(startServer(sandbox, { port })).rejects.toThrow(ConfigError);
});

describe('the control interface', () => {
  const ask = async (path: string, options: RequestInit = {}) => {
    const response = await fetch(server.controlUrl + path, options);
    const answer: unknown = await response.json();
    return { status: response.status, ...Object(answer) };
  };
  const authorization = `Bearer ${token}`;

  test('requires its token', async () => {
    expect(await ask('/info')).toMatchObject({ status: 401, code: '40006' });
    expect(await ask('/info', { headers: { authorization: 'Bearer no' } })).toMatchObject({
      status: 401,
    });
    expect(await ask('/info', { headers: { authorization } })).toMatchObject({
      status: 200,
      data: { seed: 1, born, time: 'real' },
    });
  });

  test('accepts only JSON, and names what is wrong', async () => {
    const post = (body: string, type: string) =>
      ask('/clock/advance', {
        method: 'POST',
        body,
        headers: { authorization, 'content-type': type },
      });
    expect(await post('{"ms":1}', 'text/plain')).toMatchObject({ code: '40007' });
    expect(await post('{', 'application/json')).toMatchObject({ code: '40409' });
    expect(await post('{"ms":"soon"}', 'application/json')).toMatchObject({
      code: '40017',
      msg: 'A parameter is not valid: ms must be of type integer',
    });
    expect(await ask('/nothing', { headers: { authorization } })).toMatchObject({ status: 404 });
    expect(await ask('/reset', { headers: { authorization } })).toMatchObject({ status: 405 });
  });
});

describe('faults on real sockets', () => {
  const arm = (action: object): void => {
    sandbox.control('PUT', 'faults', {
      rules: [{ match: { operation: 'market/list-tickers' }, times: 1, action }],
    });
  };
  /** How a plain client sees the answer: a status, or the error's code. */
  const seen = (): Promise<string> =>
    new Promise((resolve) => {
      const request = httpRequest(server.baseUrl + tickers, { agent: false }, (response) => {
        let length = 0;
        response.on('data', (chunk: Buffer) => (length += chunk.length));
        response.on('end', () =>
          resolve(`${response.statusCode} ${response.headers['content-type']}`),
        );
        response.on('error', () => resolve(length > 0 ? 'cut in the body' : 'cut before the body'));
      });
      request.on('error', (error: NodeJS.ErrnoException) => resolve(`${error.code}`));
      request.end();
    });

  test.each<[object, string]>([
    [{ kind: 'reset' }, 'ECONNRESET'],
    [{ kind: 'empty' }, 'ECONNRESET'],
    [{ kind: 'truncated' }, 'cut in the body'],
    [{ kind: 'html-502' }, '502 text/html'],
    [{ kind: 'wrong-content-type' }, '400 text/html'],
    [{ kind: 'status', status: 503, code: '40015' }, '503 application/json;charset=UTF-8'],
    [{ kind: 'delay', ms: 60_000 }, '200 application/json;charset=UTF-8'],
    [{ kind: 'slow-drip', everyMs: 1 }, '400 application/json;charset=UTF-8'],
    [{ kind: 'never', ms: 60_000 }, 'ECONNRESET'],
  ])('%j', async (action, expected) => {
    arm(action);
    expect(await seen()).toBe(expected);
    expect(await seen()).toBe('200 application/json;charset=UTF-8');
  });
});
