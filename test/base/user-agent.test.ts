/** Every HTTP request that this program makes names it and its version, in one form. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { systemClock } from '../../src/base/clock.ts';
import { postText } from '../../src/base/post.ts';
import { proxyIn } from '../../src/base/proxy.ts';
import { openTunnel } from '../../src/base/tunnel.ts';
import { userAgent, version } from '../../src/base/version.ts';
import { putComment, reviewFrom } from '../../src/cli/pull-request/comments.ts';
import { httpTransport } from '../../src/exchange/client/transports/http.ts';
import { controlOverHttp } from '../../src/app/config/control.ts';
import { openIssuer } from '../../src/serve/server/sign-in/issuer.ts';
import { httpClient } from '../../src/stores/restate/http.ts';

const never = new AbortController().signal;

/** Sends a request of each client to an address. */
const clients: Readonly<Record<string, (base: string) => Promise<unknown>>> = {
  'src/exchange/client/transports/http.ts': async (base) => {
    const { transport, close } = httpTransport({ baseUrl: base });
    const request = {
      operation: 'market/list-tickers',
      method: 'GET',
      query: '',
      body: '',
    } as const;
    await transport({ ...request, path: '/api', headers: {} }, never);
    await close();
  },
  'src/base/tunnel.ts': (base) =>
    openTunnel({ host: 'a.example', port: 443 }, proxyIn(base, 'HTTPS_PROXY'), () => undefined),
  'src/base/http-request.ts': (base) => postText(new URL(base), '{}', { signal: never }),
  'src/cli/pull-request/comments.ts': (base) => {
    const env = {
      GITLAB_CI: 'true',
      CI_API_V4_URL: base,
      CI_PROJECT_ID: '1',
      CI_MERGE_REQUEST_IID: '1',
      DESKHAND_COMMENT_TOKEN: 'token',
    };
    return putComment(
      reviewFrom(env, () => ({})),
      'text',
    );
  },
  'src/app/config/control.ts': (base) =>
    controlOverHttp(new URL(base), { method: 'GET', path: 'clock', fields: {} }),
  'src/serve/server/sign-in/issuer.ts': (base) => {
    const settings = { issuer: new URL(base), clientId: 'desk', scopes: ['openid'] };
    const [secretOf, proxyTo] = [() => Promise.resolve(undefined), () => undefined];
    const issuer = { secretOf, proxyTo, clock: systemClock };
    const signIn = { state: 's', nonce: 'n', verifier: 'v'.repeat(43) };
    const options = { returnTo: base, asksAgain: false };
    return openIssuer(settings as never, issuer).signInUrl(signIn as never, options);
  },
  'src/stores/restate/http.ts': async (base) => {
    const client = httpClient();
    const node = { url: new URL(base), token: undefined };
    await client.send(node, { method: 'GET', path: '/', signal: never });
    client.close();
  },
};

describe('the User-Agent', () => {
  test('has the version of the package', () => {
    expect(userAgent).toBe(`deskhand/${version}`);
  });

  test.each(Object.entries(clients))('is in each request of %s', async (_file, send) => {
    const { base, agents } = await recorder();
    await send(base).catch(() => undefined); // its answer is of no service
    expect(agents.length).toBeGreaterThan(0);
    expect(new Set(agents)).toEqual(new Set([`deskhand/${version}`]));
  });

  test('is set by every file that makes requests', () => {
    const root = join(import.meta.dirname, '..', '..');
    const makesRequests =
      /import \{[^}]*\brequest\b[^}]*\} from 'node:https?'|from 'undici'|\bawait fetch\(url/;
    const files = readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' })
      .map((file) => `src/${file}`)
      .filter((file) => file.endsWith('.ts') && !file.startsWith('src/serve/web/'))
      .filter((file) => makesRequests.test(readFileSync(join(root, file), 'utf8')));
    expect(files.length).toBeGreaterThan(4);
    expect(Object.keys(clients)).toEqual(expect.arrayContaining(files));
  });
});

/** A server that records who asks, and answers what no client accepts. */
async function recorder(): Promise<{ readonly base: string; readonly agents: string[] }> {
  const agents: string[] = [];
  const server = createServer((request, response) => {
    agents.push(request.headers['user-agent'] ?? '');
    response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
  });
  server.on('connect', ({ headers }, socket) => {
    agents.push(headers['user-agent'] ?? '');
    socket.end('HTTP/1.1 403 X\r\n\r\n');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const address = server.address();
  assert(address !== null && typeof address === 'object');
  return { base: `http://127.0.0.1:${address.port}`, agents };
}
