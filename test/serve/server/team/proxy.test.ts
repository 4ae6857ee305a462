/** A team behind a proxy: every request to the issuer is sent through the proxy of the environment. */
import { expect, onTestFinished, test } from 'vitest';
import { teamMode } from '../../../../src/cli/serve/team.ts';
import type { Config } from '../../../../src/app/config/load.ts';
import { connectProxy, type TestProxyOptions } from '../../../support/proxy.ts';
import { startIssuer } from './issuer.ts';
import { authOf, people, team } from './team.ts';
import { sandboxConfig } from '../../../support/sandbox-config.ts';

const name = 'http://issuer.example:8080'; // only the proxy knows it
const login = 'ann:secret-of-the-exit';

async function behindProxy(options: Partial<TestProxyOptions>, noProxy = '') {
  const issuer = await startIssuer(name);
  issuer.userinfo = { sub: 'v', groups: ['readers'] };
  const proxy = await connectProxy({ to: issuer.port, login, ...options });
  const config: Config = {
    ...sandboxConfig(''),
    serve: { auth: authOf(name), hosts: [] },
  };
  const env = { HTTP_PROXY: proxy.url, NO_PROXY: noProxy };
  const { proxyTo } = await teamMode('unix:/nowhere', config, env);
  const it = await team({ issuer, proxyTo });
  onTestFinished(async () => {
    await it.close();
    await proxy.close();
  });
  return { it, asked: (): readonly string[] => proxy.asked.map(({ server }) => server) };
}

test('a person signs in: metadata, token, keys and userinfo are fetched through the proxy', async () => {
  const { it, asked } = await behindProxy({});
  const browser = it.browser();
  expect((await browser.signIn(people.viewer)).status).toBe(302);
  expect((await browser.request('/api/v1/about')).status).toBe(200);
  expect(it.issuer.log).toEqual(['redeemed']);
  expect(asked()).toEqual(Array(4).fill('issuer.example:8080'));
  expect(it.errors).toEqual([]);
});

test('a proxy that refuses is named, without its login', async () => {
  const { it, asked } = await behindProxy({ answer: 'HTTP/1.1 403 Forbidden\r\n\r\n' });
  const response = await it.browser().request('/api/v1/sign-in');
  expect([response.status, asked().length]).toEqual([502, 1]);
  const shown = `${await response.text()} ${it.errors.join(' ')}`;
  expect(shown).toContain('(HTTP_PROXY) opened no tunnel to issuer.example:8080: HTTP 403');
  expect(shown).not.toContain('secret-of-the-exit');
});

test('an issuer that NO_PROXY exempts is reached directly', async () => {
  const { it, asked } = await behindProxy({}, 'issuer.example');
  await it.browser().request('/api/v1/sign-in');
  expect(asked()).toEqual([]);
  expect(it.errors.join(' ')).toContain('issuer.example');
});
