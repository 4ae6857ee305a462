/** Requests that are not to an exchange, through a proxy. */
import { createServer } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { expect, onTestFinished, test, vi } from 'vitest';
import { email } from '../../src/language/channels/email.ts';
import { json } from '../../src/language/channels/json.ts';
import { sendRequest } from '../../src/base/http-request.ts';
import { postText } from '../../src/base/post.ts';
import { proxyIn, ProxyError } from '../../src/base/proxy.ts';
import { deliver, NoticeError } from '../../src/engine/effects/delivery.ts';
import { httpClient } from '../../src/stores/restate/http.ts';
import { connectProxy, type TestProxyOptions } from '../support/proxy.ts';

async function scene(options: Partial<TestProxyOptions> = {}) {
  const seen: string[] = [];
  const server = createServer((request, response) => {
    seen.push(`${request.method} ${request.headers.host}${request.url}`);
    response.writeHead(201, { 'x-thing': '1' }).end('a'.repeat(20));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const proxy = await connectProxy({ to: (server.address() as AddressInfo).port, ...options });
  onTestFinished(async () => {
    await proxy.close();
    server.closeAllConnections();
    await new Promise((done) => server.close(done));
  });
  const asked = (): readonly string[] => proxy.asked.map((each) => each.server);
  return { seen, asked, url: proxy.url, proxy: proxyIn(proxy.url, 'HTTP_PROXY') };
}

const signal = new AbortController().signal;

test('a request has its own tunnel, and its response a limit', async () => {
  const { seen, asked, proxy } = await scene();
  const request = { method: 'GET', headers: {}, signal, proxy };
  const target = new URL('http://other.example:8123/a?b=1');
  const answer = await sendRequest(target, request, 20);
  expect(answer).toMatchObject({ status: 201, headers: { 'x-thing': '1' } });
  expect(answer.body.toString()).toBe('a'.repeat(20));
  await expect(sendRequest(target, request, 19)).rejects.toThrow('exceeds 19 bytes');
  expect(seen).toEqual(Array(2).fill('GET other.example:8123/a?b=1'));
  expect(asked()).toEqual(Array(2).fill('other.example:8123'));
});

test('a request with a value that no header may have is refused, and leaves no connection', async () => {
  const open = new Set<Socket>();
  const server = createServer((_request, response) => response.end('whole'));
  server.on('connection', (socket) => {
    open.add(socket);
    socket.once('close', () => open.delete(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const url = new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
  const request = { method: 'GET', headers: { connection: 'close' }, signal };
  const headers = { authorization: 'Bearer token\n' };
  await expect(sendRequest(url, { ...request, headers }, 20)).rejects.toThrow('["authorization"]');
  await sendRequest(url, request, 20);
  await vi.waitFor(() => expect(open.size).toBe(0));
});

test('a POST as of traces reports the refusal of a proxy', async () => {
  const { proxy } = await scene({ login: 'ann:right' });
  const wrong = { ...proxyIn(`http://ann:wrong@${proxy.url.host}`, 'HTTP_PROXY') };
  const sent = postText(new URL('http://otel.example:4318/v1/traces'), '{}', {
    signal,
    proxy: wrong,
  });
  await expect(sent).rejects.toThrow(ProxyError);
  await expect(sent).rejects.toThrow(/refuses the login \(HTTP 407\)$/);
});

test('a notification names the proxy that refused it, and does not repeat what lasts', async () => {
  const message = { body: {}, subject: '', text: '', isSandbox: true };
  const { proxy } = await scene({ answer: 'HTTP/1.1 403 X\r\n\r\n' });
  const sent = deliver('https://hooks.example/token', message, {
    channel: json,
    proxyTo: () => proxy,
  });
  await expect(sent).rejects.toThrow(NoticeError);
  await expect(sent).rejects.toMatchObject({
    mayRetry: false,
    message: expect.stringMatching(
      /\(HTTP_PROXY\) opened no tunnel to hooks\.example:443: HTTP 403$/,
    ),
    hint: 'allow CONNECT to hooks.example:443 on the proxy',
  });
});

test('an e-mail is sent directly', async () => {
  const { asked, proxy } = await scene();
  const message = { body: {}, subject: '', text: '', isSandbox: true };
  const address = 'smtp://127.0.0.1:1/?from=a@x.org&to=b@x.org';
  const sent = deliver(address, message, { channel: email, proxyTo: () => proxy });
  await expect(sent).rejects.toThrow('ECONNREFUSED');
  expect(asked()).toEqual([]);
});

test('nodes of Restate are reached over kept tunnels, except on this machine', async () => {
  const { seen, asked, url } = await scene();
  const client = httpClient({ HTTP_PROXY: url, NO_PROXY: 'near.example' });
  onTestFinished(() => client.close());
  const request = { method: 'GET', path: '/health', signal } as const;
  const at = (address: string) => ({ url: new URL(address), token: undefined });
  for (let nth = 0; nth < 5; nth++) await client.send(at('http://restate.example:8080'), request);
  expect(asked()).toEqual(['restate.example:8080']);
  expect(seen).toEqual(Array(5).fill('GET restate.example:8080/health'));
  for (const direct of ['http://127.0.0.1:1', 'http://localhost:1']) {
    await expect(client.send(at(direct), request)).rejects.toThrow();
  }
  expect(asked()).toHaveLength(1);
});
