/** The proxy of a profile and of the environment, for every request that deskhand sends. */
import { execFileSync } from 'node:child_process';
import { createServer as createHttp } from 'node:http';
import { connect, createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { createServer as createTls } from 'node:tls';
import { describe, expect, onTestFinished, test } from 'vitest';
import { selfSigned } from '../support/certificate.ts';
import { connectProxy, type TestProxy, type TestProxyOptions } from '../support/proxy.ts';
import { deskhand, folderWith, type Ended } from './deskhand.ts';
import { startSandbox } from './sandbox.ts';

const login = 'ann:secret-of-the-exit';
const order = `playbook: 1
name: one
account: main
steps:
  - { id: tickers, uses: market/list-tickers, with: { category: SPOT } }
`;

async function proxyTo(
  to: TestProxyOptions['to'],
  options: Partial<TestProxyOptions> = {},
): Promise<TestProxy> {
  const proxy = await connectProxy({ to, ...options });
  onTestFinished(() => proxy.close());
  return proxy;
}

async function sandboxBehind(options: Partial<TestProxyOptions> = {}) {
  const { baseUrl } = await startSandbox();
  const proxy = await proxyTo(Number(new URL(baseUrl).port), options);
  const at = async (
    setting: string,
    words: readonly string[],
    env: Readonly<Record<string, string>> = {},
  ): Promise<Ended> => {
    const profile = `profiles: { main: { base-url: "${baseUrl}"${setting} } }\nprofile: main\n`;
    return deskhand(words, {
      cwd: folderWith({ 'deskhand.yaml': profile, 'one.yaml': order }),
      env,
    });
  };
  return { baseUrl, host: new URL(baseUrl).host, proxy, at };
}

const call = ['call', 'market/list-tickers', 'category=SPOT'];

describe('an exchange of this machine', () => {
  test('takes the proxy that its profile names, with the login of its source', async () => {
    const { proxy, host, at } = await sandboxBehind({ login });
    const env = { EXIT: proxy.url, no_proxy: '*' };
    expect((await at(', proxy: { env: EXIT }', call, env)).code).toBe(0);
    expect(proxy.asked.map(({ server }) => server)).toEqual([host]);
  });

  test('never takes the proxy of the environment', async () => {
    const { proxy, at } = await sandboxBehind();
    const env = { HTTPS_PROXY: proxy.url, HTTP_PROXY: proxy.url, http_proxy: proxy.url };
    expect((await at('', call, env)).code).toBe(0);
    expect((await at(', proxy: none', call, env)).code).toBe(0);
    expect(proxy.asked).toEqual([]);
  });

  test('is not reached without the login, and the error says what to do', async () => {
    const { proxy, at } = await sandboxBehind({ login });
    const { code, stderr } = await at(`, proxy: "http://127.0.0.1:${proxy.port}"`, call);
    expect(code).toBe(4);
    expect(stderr).toContain('error[proxy]');
    expect(stderr).toContain('(profiles.main.proxy) requires a login (HTTP 407)');
    expect(stderr).toContain(`help  write it into the address, http://USER:PASSWORD@127.0.0.1`);
    expect(proxy.asked).toHaveLength(1);
  });

  test('is not reached directly when the source of the proxy has no value', async () => {
    const { at } = await sandboxBehind();
    const { code, stderr } = await at(', proxy: { env: EXIT }', call);
    expect([code, stderr]).toEqual([4, expect.stringContaining('profiles.main.proxy is not set')]);
  });
});

test.each([
  ['"http://ann:secret@proxy.example:3128"', 'contains a login; name its source: { env: NAME }'],
  ['"proxy.example"', 'is not the address of an HTTP proxy'],
  ['"socks5://proxy.example:1080"', 'is not the address of an HTTP proxy'],
  ['false', 'must be none, an address such as http://proxy.example:3128, or { env: NAME }'],
  ['{ url: x }', 'profiles.main.proxy.url is not known'],
])('proxy: %s is refused, and not shown', async (setting, message) => {
  const profile = `base-url: "https://exchange.example", proxy: ${setting}`;
  const cwd = folderWith({ 'deskhand.yaml': `profiles: { main: { ${profile} } }\n` });
  const { code, stderr } = await deskhand(['doctor', '--offline'], { cwd });
  const shown = (await deskhand(['runs', 'list'], { cwd })).stderr;
  expect([code, stderr + shown]).toEqual([3, expect.stringContaining(message)]);
  expect(stderr + shown).not.toContain('secret');
});

describe('doctor', () => {
  async function findingOf({ stdout }: Ended): Promise<readonly unknown[]> {
    const { findings } = JSON.parse(stdout);
    return findings
      .filter(({ what }: { what: string }) => what === 'proxy')
      .map(({ status, message, fix }: Record<string, string>) => [status, message, fix]);
  }
  const json = ['doctor', '-o', 'json'];
  const offline = [...json, '--offline'];
  const live = 'profiles: { main: { base-url: "https://exchange.example" } }\nprofile: main\n';

  test('shows the proxy in effect without its login, where it comes from, and that it works', async () => {
    const { proxy, host, at } = await sandboxBehind({ login });
    const shown = `http://127.0.0.1:${proxy.port} (profiles.main.proxy)`;
    const env = { EXIT: proxy.url };
    const found = await at(', proxy: { env: EXIT }', json, env);
    expect(await findingOf(found)).toEqual([
      ['ok', `${shown} opens a tunnel to ${host}`, undefined],
    ]);
    expect(found.stdout + found.stderr).not.toContain('secret-of-the-exit');
    const wrong = await at(', proxy: { env: EXIT }', json, {
      EXIT: proxy.url.replace('exit', 'x'),
    });
    expect(await findingOf(wrong)).toEqual([
      [
        'failure',
        `the proxy ${shown} refuses the login (HTTP 407)`,
        expect.stringMatching(/^check the user and the password in profiles\.main\.proxy/),
      ],
    ]);
  });

  test.each<[Record<string, string>, unknown]>([
    [{}, ['ok', 'none to exchange.example: no variable names one', undefined]],
    [
      { https_proxy: 'http://ann:secret-of-the-exit@proxy.example:3128' },
      [
        'ok',
        'http://proxy.example:3128 (https_proxy) to exchange.example; not checked (--offline)',
        undefined,
      ],
    ],
    [
      { HTTPS_PROXY: 'http://proxy.example:3128', NO_PROXY: '.example' },
      ['ok', 'none to exchange.example: NO_PROXY exempts exchange.example', undefined],
    ],
    [
      { HTTPS_PROXY: 'proxy.example' },
      [
        'failure',
        'HTTPS_PROXY is not the address of an HTTP proxy',
        'such as http://proxy.example:3128; write signs of a user or password as %40, %2F and so on',
      ],
    ],
  ])('with %o', async (env, finding) => {
    const cwd = folderWith({ 'deskhand.yaml': live });
    const found = await deskhand(offline, { cwd, env });
    expect(await findingOf(found)).toEqual([finding]);
    expect(found.stdout + found.stderr).not.toContain('secret-of-the-exit');
  });

  test.each([
    ['desk.example,10.0.0/8', '10.0.0/8'],
    ['10.0.0.0/33', '10.0.0.0/33'],
  ])('warns of NO_PROXY=%s, which does not apply', async (list, entry) => {
    const cwd = folderWith({ 'deskhand.yaml': live });
    const found = await deskhand(offline, { cwd, env: { NO_PROXY: list } });
    const [, ...warnings] = await findingOf(found);
    const fix = 'write a range as 10.0.0.0/8 or 2001:db8::/32';
    expect(warnings).toEqual([['warning', `NO_PROXY has ${entry}, which exempts nothing`, fix]]);
  });

  test('shows the proxy of ALL_PROXY, and what of it a range exempts', async () => {
    const cwd = folderWith({ 'deskhand.yaml': live });
    const env = { ALL_PROXY: 'proxy.example:3128' };
    const found = await findingOf(await deskhand(offline, { cwd, env }));
    expect(JSON.stringify(found)).toContain('http://proxy.example:3128 (ALL_PROXY) to ');
    const socks = await deskhand(offline, { cwd, env: { ALL_PROXY: 'socks5://proxy.example' } });
    expect(socks.stdout + socks.stderr).toContain('SOCKS is not supported');
  });
});

describe('by HTTPS_PROXY, with names that only the proxy knows', () => {
  const names = ['exchange.example', 'hooks.example', 'otel.example', 'api.example'];

  /** A TLS server of all these names in front of another, and a proxy to it. */
  async function outside() {
    const { baseUrl } = await startSandbox();
    const posted: string[] = [];
    const web = createHttp((request, response) => {
      void text(request).then((body) => {
        posted.push(`${request.method} ${request.headers.host}${request.url} ${body.slice(0, 12)}`);
        response.end(request.method === 'GET' && request.url !== '/user' ? '[]' : '{}');
      });
    });
    await new Promise<void>((resolve) => web.listen(0, '127.0.0.1', resolve));
    const sandbox = new URL(baseUrl).host;
    const ports = new Map(names.map((name) => [name, (web.address() as AddressInfo).port]));
    ports.set('exchange.example', Number(new URL(baseUrl).port));
    const own = Object.fromEntries(names.map((name) => [name, selfSigned(name)]));
    const tls = new Map<string, number>();
    for (const name of names) {
      const front = createTls({ ...own[name] }, (socket) => {
        const server = connect(ports.get(name) ?? 0, '127.0.0.1');
        socket.on('error', () => server.destroy());
        socket.on('end', () => server.end());
        socket.on('data', (chunk: Buffer) => {
          const said = chunk.toString('latin1'); // the sandbox refuses another name in Host
          server.write(said.replace(/^host: exchange\.example/im, `host: ${sandbox}`), 'latin1');
        });
        server.on('error', () => socket.destroy()).pipe(socket);
      });
      await new Promise<void>((resolve) => front.listen(0, '127.0.0.1', resolve));
      tls.set(name, (front.address() as AddressInfo).port);
      onTestFinished(() => void front.close());
    }
    onTestFinished(() => {
      web.closeAllConnections();
      web.close();
    });
    const portOf = (server: string): number => tls.get(server.split(':')[0] ?? '') ?? 1;
    const proxy = await proxyTo(portOf, { login });
    const cwd = folderWith({
      'deskhand.yaml': `profile: main
profiles: { main: { base-url: "https://exchange.example", on-doubt: ask,
  notify: { webhook: { url: { env: HOOK }, on: [stopped] } } } }\n`,
      'stop.yaml': order.replace('SPOT }', 'SPOT }, expect: [{ that: "{{ eq 1 2 }}" }]'),
      'words.md': '<!-- deskhand:plan:main/reading -->\n# a plan\n',
      'event.json': '{"pull_request":{"number":7}}',
      'ca.pem': names.map((name) => own[name]?.cert).join(''),
    });
    const env = {
      NODE_EXTRA_CA_CERTS: join(cwd, 'ca.pem'),
      HTTPS_PROXY: proxy.url,
      HOOK: 'https://hooks.example/token',
      OTEL_EXPORTER_OTLP_ENDPOINT: 'https://otel.example',
      GITHUB_ACTIONS: 'true',
      GITHUB_API_URL: 'https://api.example',
      GITHUB_REPOSITORY: 'desk/books',
      GITHUB_EVENT_PATH: 'event.json',
      GITHUB_TOKEN: 'token',
      DESKHAND_API_KEY: 'key-of-nobody',
      DESKHAND_API_SECRET: 'secret-of-nobody',
      DESKHAND_API_PASSPHRASE: 'phrase-of-nobody',
    };
    return { cwd, env, proxy, posted };
  }

  test('the exchange, a webhook, traces and comments are reached', async () => {
    const { cwd, env, proxy, posted } = await outside();
    const asked = await deskhand(['run', 'stop.yaml'], { cwd, env });
    const plan = /--approve (p-\w+)/.exec(asked.stderr)?.[1] ?? '';
    const run = await deskhand(['run', 'stop.yaml', '--approve', plan], { cwd, env });
    const comment = await deskhand(['comment', 'words.md'], { cwd, env });
    expect([run.code, comment.code], run.stderr + comment.stderr).toEqual([1, 0]);
    expect(posted.map((each) => each.split(' ').slice(0, 2).join(' ')).sort()).toEqual([
      'GET api.example/repos/desk/books/issues/7/comments?per_page=100&page=1',
      'GET api.example/user',
      'POST api.example/repos/desk/books/issues/7/comments',
      'POST hooks.example/token',
      'POST otel.example/v1/traces',
    ]);
    const servers = new Set(proxy.asked.map(({ server }) => server));
    expect([...servers].sort()).toEqual(names.map((name) => `${name}:443`).sort());
    expect(run.stdout + run.stderr + comment.stderr).not.toContain('secret-of-the-exit');
  });

  test('the exchange is named, and how to trust its authority, if it is not known', async () => {
    const { cwd, env } = await outside();
    const { NODE_EXTRA_CA_CERTS: _own, ...stranger } = env;
    const { stderr } = await deskhand(['plan', 'stop.yaml'], { cwd, env: stranger });
    expect(stderr).toMatch(/self-signed certificate: .*NODE_EXTRA_CA_CERTS/s);
  });
});

test('git gets the proxy of the environment, for a state in git', async () => {
  const asked: string[] = [];
  const server = createServer((socket) => {
    socket.once('data', (chunk) => {
      asked.push(chunk.toString('latin1').split('\r\n')[0] ?? '');
      socket.end('HTTP/1.1 403 Forbidden\r\n\r\n');
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const url = `http://ann:secret-of-the-exit@127.0.0.1:${(server.address() as AddressInfo).port}`;
  const cwd = folderWith({
    'deskhand.yaml': 'state: { store: git, remote: "https://git.example/x" }\n',
  });
  execFileSync('git', ['init', '-q'], { cwd });
  const { stdout, stderr } = await deskhand(['doctor'], { cwd, env: { https_proxy: url } });
  expect(asked[0]).toBe('CONNECT git.example:443 HTTP/1.1');
  expect(stdout + stderr).not.toContain('secret-of-the-exit');
});
