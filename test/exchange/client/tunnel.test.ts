/** The transport through an HTTP proxy: which failures prove that nothing was sent, and how tunnels are reused. */
import { setImmediate } from 'node:timers/promises';
import { describe, expect, onTestFinished, test } from 'vitest';
import { TransportError } from '../../../src/exchange/api/exchange.ts';
import { second, standingClock, type Clock } from '../../../src/base/clock.ts';
import { ConfigError } from '../../../src/base/error.ts';
import { seededRandom } from '../../../src/base/random.ts';
import { proxyIn, ProxyError } from '../../../src/base/proxy.ts';
import { createClient } from '../../../src/exchange/client/client.ts';
import { httpTransport, type HttpTransport } from '../../../src/exchange/client/transports/http.ts';
import { selfSigned } from '../../support/certificate.ts';
import { bookedExchange, order, type BookedExchange } from '../../support/cut-line.ts';
import { connectProxy, type TestProxy, type TestProxyOptions } from '../../support/proxy.ts';
import { answerText, rawServer } from '../../support/raw-server.ts';
import { secrets as credentials } from '../../support/scripted.ts';

const own = selfSigned('exchange.example'); // a name that only the proxy knows
const never = new AbortController().signal;
const password = 'pR9"xW\\2k+Dh';

interface Line extends HttpTransport {
  readonly exchange: BookedExchange;
  readonly proxy: TestProxy;
}

async function lineThrough(
  options: Partial<TestProxyOptions> & { readonly url?: (proxy: TestProxy) => string } = {},
  clock: Clock = standingClock(0),
): Promise<Line> {
  const exchange = await bookedExchange(own);
  const proxy = await connectProxy({ to: exchange.port, ...options });
  const url = options.url?.(proxy) ?? proxy.url;
  const line = httpTransport({
    baseUrl: 'https://exchange.example',
    ca: own.cert,
    proxy: proxyIn(url, 'profiles.main.proxy'),
    clock,
  });
  onTestFinished(async () => {
    await line.close();
    await proxy.close();
    await exchange.close();
  });
  return { ...line, exchange, proxy };
}

async function lossOf({ transport }: HttpTransport): Promise<TransportError> {
  const error: unknown = await transport(order('lost'), never).catch((reason: unknown) => reason);
  if (error instanceof TransportError) return error;
  throw new Error('the request was answered or failed otherwise', { cause: error });
}

describe.each([
  ['an http:// proxy', {}],
  ['an https:// proxy', { tls: own }],
  ['a proxy with a login', { login: `ann:${password}` }],
])('through %s', (_, options) => {
  test('an order is executed, and the proxy knows only the name of the exchange', async () => {
    const { transport, exchange, proxy } = await lineThrough(options);
    expect((await transport(order('first'), never)).status).toBe(200);
    expect(exchange.executed).toEqual(['first']);
    expect(proxy.asked.map(({ server }) => server)).toEqual(['exchange.example:443']);
    const [{ headers } = { headers: {} }] = proxy.asked;
    expect(Object.keys(headers).sort()).toEqual([
      'connection',
      'host',
      ...('login' in options ? ['proxy-authorization'] : []),
      'user-agent',
    ]);
    expect(headers).toMatchObject({ connection: 'keep-alive', host: 'exchange.example:443' });
  });

  test('orders after each other use one tunnel, at the same time one each', async () => {
    const { transport, exchange, proxy } = await lineThrough(options);
    for (let nth = 0; nth < 20; nth++) await transport(order(`n${nth}`), never);
    expect([proxy.asked.length, exchange.executed.length]).toEqual([1, 20]);
    await Promise.all(['x', 'y', 'z'].map((name) => transport(order(name), never)));
    expect([proxy.asked.length, exchange.executed.length]).toEqual([3, 23]);
  });

  test('a tunnel that is two seconds old, or that the proxy closed, is not used again', async () => {
    const clock = { ...standingClock(0), monotonicMs: 0, monotonic: () => clock.monotonicMs };
    const { transport, exchange, proxy } = await lineThrough(options, clock);
    await transport(order('first'), never);
    clock.monotonicMs += 2 * second;
    await transport(order('second'), never);
    expect(proxy.asked.length).toBe(2);
    proxy.drop();
    while (proxy.open() > 0) await setImmediate();
    for (let turn = 0; turn < 20; turn++) await setImmediate(); // the end arrives here
    await transport(order('third'), never);
    expect([proxy.asked.length, exchange.executed]).toEqual([3, ['first', 'second', 'third']]);
  });
});

test('what ends at the exchange ends at the proxy: no tunnel is left open', async () => {
  for (const tls of [undefined, own]) {
    const { transport, close, proxy } = await lineThrough(tls && { tls });
    await transport(order('first'), never);
    expect(proxy.open()).toBe(1);
    await close();
    while (proxy.open() > 0) await setImmediate();
  }
});

const answers: readonly (readonly [string, string, string, boolean])[] = [
  ['403', 'HTTP/1.1 403 Forbidden\r\n\r\n', 'HTTP 403', true],
  ['404', 'HTTP/1.1 404 X\r\ncontent-length: 4\r\n\r\nnope', 'HTTP 404', true],
  ['429', 'HTTP/1.1 429 X\r\n\r\n', 'HTTP 429', false],
  ['502', 'HTTP/1.1 502 Bad Gateway\r\n\r\n<html>', 'HTTP 502', false],
  ['a redirect', 'HTTP/1.1 302 X\r\nlocation: http://127.0.0.1/\r\n\r\n', 'HTTP 302', false],
  ['an informational answer', 'HTTP/1.1 100 Continue\r\n\r\n', 'HTTP 100', false],
  ['401', 'HTTP/1.1 401 X\r\nwww-authenticate: Basic\r\n\r\n', 'refuses the login', true],
  ['407', 'HTTP/1.1 407 X\r\nproxy-authenticate: Basic\r\n\r\n', 'refuses the login', true],
  ['garbage', '220 mail.example ESMTP\r\n', 'Parse Error', false],
  ['half an answer', 'HTTP/1.1 200 Connection est', 'opened no tunnel', false],
  ['nothing', '', 'closed the connection without an answer', false],
  ['more than an answer', 'HTTP/1.1 200 OK\r\n\r\nHTTP/1.1 200 OK\r\n\r\n', 'more than', false],
  ['a tunnel that closes before TLS', 'HTTP/1.1 200 OK\r\n\r\n', 'no TLS connection', false],
];

describe.each([
  ['http', undefined],
  ['https', own],
])('over %s, nothing was sent', (_, tls) => {
  test.each(answers)('when the proxy answers %s', async (_name, answer, message, isLasting) => {
    const line = await lineThrough({ answer, ...(tls && { tls }), url: withLogin });
    const loss = await lossOf(line);
    expect(loss).toMatchObject({ sent: 'no', cause: { isLasting } });
    expect(loss.message).toContain(message);
    expect(loss.message).toContain(`//127.0.0.1:${line.proxy.port} (profiles.main.proxy)`);
    expect(line.proxy.asked.length).toBe(1); // no attempt is repeated unseen
    expect(line.exchange.receivedMoreThan([])).toBe(false);
    refuseSecrets(loss);
  });
});

function withLogin({ url }: TestProxy): string {
  return url.replace('//', `//ann:${encodeURIComponent(password)}@`);
}

/** Nothing of the login, nor of the header made of it, is in an error or its causes. */
function refuseSecrets(error: unknown): void {
  for (let each = error; each instanceof Error; each = each.cause) {
    const hint = each instanceof ProxyError ? each.hint : '';
    const text = `${each.message} ${hint} ${each.stack} ${JSON.stringify(each)}`;
    for (const secret of [password, encodeURIComponent(password), 'ann:']) {
      expect(text).not.toContain(secret);
    }
    expect(text).not.toContain(Buffer.from(`ann:${password}`).toString('base64').slice(0, 12));
  }
}

test.each([
  ['nobody listens', 'http://127.0.0.1:1', 'ECONNREFUSED'],
  ['its name does not exist', 'http://proxy.invalid:3128', 'ENOTFOUND'],
  ['it has another certificate', 'https://localhost:PORT', 'certificate'],
  [
    'it does not speak TLS',
    'https://127.0.0.1:PLAIN',
    'opened no tunnel: TLS failed: wrong version number',
  ],
  ['it has no TLS port', 'http://127.0.0.1:PORT', 'opened no tunnel'],
])('nothing was sent when %s', async (_, url, message) => {
  const plain = await rawServer({ onConnect: (socket) => socket.end('what?\r\n') });
  onTestFinished(() => plain.close());
  const line = await lineThrough({
    tls: own,
    url: ({ port }) => url.replace(/\bPORT/, String(port)).replace('PLAIN', String(plain.port)),
  });
  const loss = await lossOf(line);
  expect(loss).toMatchObject({ sent: 'no', cause: { isLasting: false } });
  expect(loss.message).toContain(message);
  expect(loss.message).not.toContain('openssl');
  const isPlain = url.endsWith('PLAIN');
  const fix = isPlain ? 'write http:// in profiles.main.proxy' : 'check the address of the proxy';
  expect(loss.cause).toMatchObject({ hint: expect.stringContaining(fix) });
  expect(line.exchange.receivedMoreThan([])).toBe(false);
});

test('nothing was sent when the certificate behind the proxy is of another name', async () => {
  const other = selfSigned('other.example');
  const exchange = await bookedExchange(other);
  const proxy = await connectProxy({ to: exchange.port });
  const line = httpTransport({
    baseUrl: 'https://exchange.example',
    ca: other.cert,
    proxy: proxyIn(proxy.url, 'HTTPS_PROXY'),
  });
  onTestFinished(async () => {
    await line.close();
    await proxy.close();
    await exchange.close();
  });
  const loss = await lossOf(line);
  expect(loss.sent).toBe('no');
  expect(loss.message).toMatch(
    /^no TLS connection to exchange\.example through the proxy http:\/\/127\.0\.0\.1:\d+ \(HTTPS_PROXY\): .*ERR_TLS_CERT_ALTNAME_INVALID/,
  );
  expect([exchange.executed, proxy.asked.length]).toEqual([[], 1]);
});

test('a login that is missing or wrong says what to do, and is not tried again', async () => {
  const missing = await lossOf(await lineThrough({ login: 'ann:right', url: bare }));
  expect(missing.cause).toBeInstanceOf(ProxyError);
  expect(missing.message).toMatch(/requires a login \(HTTP 407\)$/);
  expect(missing.cause).toMatchObject({
    exit: 4,
    isLasting: true,
    hint: expect.stringMatching(
      /^write it into the address, http:\/\/USER:PASSWORD@127\.0\.0\.1:\d+, in profiles\.main\.proxy$/,
    ),
  });
  const negotiate = 'HTTP/1.1 407 X\r\nProxy-Authenticate: Negotiate\r\n\r\n';
  const { cause } = await lossOf(await lineThrough({ answer: negotiate }));
  expect(cause).toMatchObject({ hint: expect.stringContaining('it accepts Negotiate') });
});

function bare({ port }: TestProxy): string {
  return `http://127.0.0.1:${port}`;
}

test('canceled while the proxy is silent, nothing was sent, then or later', async () => {
  const silent = await rawServer({});
  onTestFinished(() => silent.close());
  const line = await lineThrough({ url: () => `http://127.0.0.1:${silent.port}` });
  const giveUp = new AbortController();
  const lost = line.transport(order('late'), giveUp.signal).catch((error: unknown) => error);
  await silent.received();
  giveUp.abort(new Error('stopped'));
  const shown = `the proxy http://127.0.0.1:${silent.port} (profiles.main.proxy)`;
  expect(await lost).toMatchObject({
    sent: 'no',
    message: `no connection was opened through ${shown}: stopped`,
    cause: { hint: 'check the proxy in profiles.main.proxy, and whether it reaches the server' },
  });
  expect(silent.requests).toHaveLength(1); // CONNECT alone
});

test('a call that the proxy prevents says what to do about the proxy, also when a clock is read first', async () => {
  const { transport } = await lineThrough({ answer: 'HTTP/1.1 502 X\r\n\r\n' });
  const client = createClient({
    transport,
    clock: standingClock(0),
    random: seededRandom(1),
    attempts: 1,
    credentials,
  });
  const hint = 'check the proxy, and whether it reaches the server';
  const tickers = client.call('market/list-tickers', { category: 'SPOT' });
  await expect(tickers).rejects.toMatchObject({ name: 'UnavailableError', hint });
  const signed = client.call('order/list-open', { category: 'USDT-FUTURES' });
  await expect(signed).rejects.toMatchObject({ message: /clock could not be read/, hint });
});

test('a plain exchange of this machine has a tunnel as well, through a proxy of this machine', async () => {
  const exchange = await rawServer({ onRequest: (socket) => socket.write(answerText('{}')) });
  const proxy = await connectProxy({ to: exchange.port });
  const baseUrl = `http://127.0.0.1:${exchange.port}`;
  const line = httpTransport({ baseUrl, proxy: proxyIn(proxy.url, 'profiles.main.proxy') });
  onTestFinished(async () => {
    await line.close();
    await proxy.close();
    await exchange.close();
  });
  await line.transport(order('first'), never);
  await line.transport(order('second'), never);
  expect(proxy.asked.map(({ server }) => server)).toEqual([`127.0.0.1:${exchange.port}`]);
  expect(exchange.requests[0]).toMatch(/^POST \/api\/v2\/mix\/order\/place-order HTTP\/1\.1\r\n/);
  const elsewhere = proxyIn('http://proxy.example:3128', 'profiles.main.proxy');
  expect(() => httpTransport({ baseUrl, proxy: elsewhere })).toThrow(ConfigError);
});
