/** Which requests take the proxy of the environment, and what of its address is a secret. */
import { EnvHttpProxyAgent } from 'undici';
import { describe, expect, test } from 'vitest';
import { ConfigError } from '../../src/base/error.ts';
import {
  environmentRoute,
  proxyAuthorization,
  proxyIn,
  proxySecretsIn,
  shownProxy,
} from '../../src/base/proxy.ts';
import { redactor } from '../../src/base/secret.ts';

type Environment = Readonly<Record<string, string>>;

function routeOf(url: string, env: Environment): string {
  const route = environmentRoute(new URL(url), env);
  return route.kind === 'proxy' ? shownProxy(route.proxy) : route.because;
}

const one = 'http://one.example:3128';
const two = 'http://two.example:8080';

test.each<[string, Environment, string]>([
  ['https://a.example', {}, 'no variable names one'],
  ['https://a.example', { HTTPS_PROXY: one }, `${one} (HTTPS_PROXY)`],
  ['https://a.example', { HTTPS_PROXY: one, https_proxy: two }, `${two} (https_proxy)`],
  ['https://a.example', { HTTPS_PROXY: one, https_proxy: '' }, 'no variable names one'],
  ['https://a.example', { HTTP_PROXY: one }, `${one} (HTTP_PROXY)`],
  ['https://a.example', { HTTPS_PROXY: one, http_proxy: two }, `${one} (HTTPS_PROXY)`],
  ['http://a.example', { HTTPS_PROXY: one }, 'no variable names one'],
  ['http://a.example', { http_proxy: two }, `${two} (http_proxy)`],
  ['https://a.example', { ALL_PROXY: one }, `${one} (ALL_PROXY)`],
  ['http://a.example', { all_proxy: two, ALL_PROXY: one }, `${two} (all_proxy)`],
  ['https://a.example', { all_proxy: '', ALL_PROXY: one }, 'no variable names one'],
  ['https://a.example', { HTTPS_PROXY: one, ALL_PROXY: two }, `${one} (HTTPS_PROXY)`],
  ['https://a.example', { HTTP_PROXY: one, ALL_PROXY: two }, `${two} (ALL_PROXY)`],
  ['http://a.example', { HTTP_PROXY: one, ALL_PROXY: two }, `${one} (HTTP_PROXY)`],
  ['http://a.example', { ALL_PROXY: one, NO_PROXY: '*' }, 'NO_PROXY exempts a.example'],
  ['https://a.example', { HTTPS_PROXY: 'one.example:3128' }, `${one} (HTTPS_PROXY)`],
  ['https://127.0.0.1', { ALL_PROXY: one }, '127.0.0.1 is this machine'],
  ['https://a.example', { HTTPS_PROXY: one, NO_PROXY: 'a.example' }, 'NO_PROXY exempts a.example'],
  ['https://a.example', { HTTPS_PROXY: one, no_proxy: '*' }, 'no_proxy exempts a.example'],
  ['https://localhost', { HTTPS_PROXY: one }, 'localhost is this machine'],
  ['http://127.9.9.9:1', { HTTP_PROXY: 'nonsense' }, '127.9.9.9 is this machine'],
  ['https://[::1]:8443', { HTTPS_PROXY: one }, '[::1] is this machine'],
])('%s with %o: %s', (url, env, expected) => {
  expect(routeOf(url, env)).toBe(expected);
});

describe('NO_PROXY has the meaning that undici gives it', () => {
  const hosts = ['a.example', 'b.a.example', 'xa.example', '10.0.0.1', '[2001:db8::1]'];
  const urls = hosts.flatMap((host) => [
    `https://${host}`,
    `https://${host}:8443`,
    `http://${host}`,
  ]);
  const lists = [
    ['', '*', '*, x', 'a.example', '.a.example', '*.a.example', 'A.EXAMPLE', 'a.example.'],
    ['a.example:443', 'a.example:8443', 'a.example:80', 'a.example:0', 'example', 'x a.example'],
    ['x,a.example', 'x, a.example:443', '10.0.0.1', '0.1', '10.0.0.1:8443'],
    ['[2001:db8::1]', '[2001:db8::1]:8443', ',', ' , ', ':443', 'b.a.example'],
  ].flat();
  const variables = [
    { HTTPS_PROXY: one, HTTP_PROXY: two },
    { HTTPS_PROXY: '', HTTP_PROXY: two },
    { HTTPS_PROXY: one, HTTP_PROXY: '' },
  ];

  test.each(lists)('%j', async (list) => {
    for (const { HTTPS_PROXY, HTTP_PROXY } of variables) {
      for (const url of urls) {
        const env = { HTTPS_PROXY, HTTP_PROXY, NO_PROXY: list };
        const { kind } = environmentRoute(new URL(url), env);
        const options = { httpsProxy: HTTPS_PROXY, httpProxy: HTTP_PROXY, noProxy: list };
        expect(kind, `${url} ${HTTPS_PROXY} ${HTTP_PROXY}`).toBe(await theirs(url, options));
      }
    }
  });
});

test.each<[string, string, boolean]>([
  ['10.0.0.0/8', '10.200.3.4', true],
  ['10.0.0.0/8', '11.0.0.1', false],
  ['10.0.0.0/8', '10.a.example', false],
  ['x,192.168.4.7/24 y', '192.168.4.255', true],
  ['192.168.4.7/24', '192.168.5.1', false],
  ['10.0.0.1/32', '10.0.0.1', true],
  ['0.0.0.0/0', '8.8.8.8', true],
  ['0.0.0.0/0', '[2001:db8::1]', false],
  ['10.0.0.0/33', '10.0.0.1', false],
  ['10.0.0/8', '10.0.0.1', false],
  ['2001:db8::/32', '[2001:db8:9::1]', true],
  ['2001:db8::/32', '[2001:db9::1]', false],
  ['2001:db8::1', '[2001:db8::1]', true],
  ['2001:db8::1', '[2001:db8::2]', false],
])('NO_PROXY=%s and %s: %s, as in curl', (list, host, isExempt) => {
  const route = routeOf(`https://${host}:8443`, { HTTPS_PROXY: one, NO_PROXY: list });
  expect(route).toBe(isExempt ? `NO_PROXY exempts ${host}` : `${one} (HTTPS_PROXY)`);
});

/** undici opens the connections of a proxy with a function of its own. */
async function theirs(url: string, options: EnvHttpProxyAgent.Options): Promise<string> {
  let kind = '';
  const agent = new EnvHttpProxyAgent({
    ...options,
    factory: (_, { connect }: { connect?: unknown }) => {
      kind = connect === undefined ? 'direct' : 'proxy';
      throw new Error('known');
    },
  });
  const opened = (): boolean => agent.dispatch({ origin: url, path: '/', method: 'GET' }, {});
  expect(opened).toThrow('known');
  await agent.destroy();
  return kind;
}

test.each([
  ['proxy.example:3128', 'http://proxy.example:3128', undefined],
  ['10.0.0.1:3128/', 'http://10.0.0.1:3128', undefined],
  ['[2001:db8::1]:3128', 'http://[2001:db8::1]:3128', undefined],
  ['ann:p%2Fw-x9y@proxy.example:3128', 'http://proxy.example:3128', 'ann:p/w-x9y'],
])('%s is the address of an HTTP proxy without its scheme', (text, shown, login) => {
  const proxy = proxyIn(text, 'ALL_PROXY');
  expect(shownProxy(proxy)).toBe(`${shown} (ALL_PROXY)`);
  expect(proxy.login?.reveal()).toBe(login);
  const hide = redactor(proxySecretsIn({ ALL_PROXY: text }));
  expect(hide(`${text} ${login}`)).not.toMatch(/x9y/);
});

test.each([
  'proxy.example',
  'ann:se/cret@proxy.example:3128',
  'socks5h://ann:secret@proxy.example',
  'socks5://proxy.example:1080',
  'http://',
  'http://ann:se/cret@proxy.example:3128',
  'http://ann:se#cret@proxy.example:3128',
  'http://proxy.example:3128/path',
  'none',
])('%s is not an address, and the message does not show it', (text) => {
  expect(() => proxyIn(text, 'HTTPS_PROXY')).toThrow(ConfigError);
  expect(() => proxyIn(text, 'HTTPS_PROXY')).toThrow(
    /^HTTPS_PROXY is not the address of an HTTP proxy$/,
  );
});

test('a login is decoded for the header, and neither it nor the header is ever displayed', () => {
  const proxy = proxyIn('https://ann%40desk:p%2Fw%20x-9y@proxy.example', 'HTTPS_PROXY');
  const header = `Basic ${Buffer.from('ann@desk:p/w x-9y').toString('base64')}`;
  expect(proxyAuthorization(proxy)).toBe(header);
  expect(JSON.stringify(proxy)).toBe(
    '{"url":"https://proxy.example/","login":"•••","from":"HTTPS_PROXY"}',
  );
  expect(shownProxy(proxy)).toBe('https://proxy.example (HTTPS_PROXY)');
});

test.each(['HTTPS_PROXY', 'http_proxy', 'ALL_PROXY'])(
  'the login of %s is masked as written, as sent and in parts',
  (name) => {
    const hide = redactor(proxySecretsIn({ [name]: 'http://ann:p%2Fw%20x-9y@proxy.example:3128' }));
    for (const text of [
      'p/w x-9y',
      'p%2Fw%20x-9y',
      'ann:p/w x-9y',
      'http://ann:p%2Fw%20x-9y@proxy.example:3128',
      `Basic ${Buffer.from('ann:p/w x-9y').toString('base64')}`,
    ]) {
      expect(hide(text)).toContain('•••');
      expect(hide(text)).not.toMatch(/x-9y|YW5u/);
    }
    expect(hide('http://proxy.example:3128')).toBe('http://proxy.example:3128');
  },
);

test('without a password, the user is a token, and masked', () => {
  const hide = redactor(proxySecretsIn({ HTTPS_PROXY: 'http://tokentoken@proxy.example' }));
  expect(hide('tokentoken')).toBe('•••');
  expect(redactor(proxySecretsIn({ HTTPS_PROXY: 'http://proxy.example' }))('proxy.example')).toBe(
    'proxy.example',
  );
});
