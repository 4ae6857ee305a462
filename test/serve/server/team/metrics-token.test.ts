/** `/metrics` of a team server with a token: for the monitor that has it, and for nobody else. */
import { expect, test } from 'vitest';
import { Secret } from '../../../../src/base/secret.ts';
import { team } from './team.ts';

const token = 'monitor-0123456789';

test.each([
  ['none', undefined],
  ['another one', `Bearer ${token}x`],
  ['a part of it', `Bearer ${token.slice(0, -1)}`],
  ['an empty one', 'Bearer '],
  ['it as a password', `Basic ${Buffer.from(`:${token}`).toString('base64')}`],
  ['it twice', `Bearer ${token} ${token}`],
])('metrics are refused with %s as token', async (_name, authorization) => {
  const it = await team({ metricsToken: new Secret(token) });
  const headers: Record<string, string> = authorization === undefined ? {} : { authorization };
  const response = await it.browser().request('/metrics', { headers });
  expect([response.status, response.headers.get('www-authenticate')]).toEqual([401, 'Bearer']);
  const text = await response.text();
  expect(text).not.toContain('deskhand_runs');
  expect(text).not.toContain(token);
});

test('metrics are answered to its bearer, and whether the server answers to everyone', async () => {
  const it = await team({ metricsToken: new Secret(token) });
  const browser = it.browser();
  const headers = { authorization: `Bearer ${token}` };
  const response = await browser.request('/metrics', { headers });
  expect([response.status, await response.text()]).toEqual([
    200,
    expect.stringContaining('deskhand_runs_unfinished'),
  ]);
  for (const path of ['/healthz', '/readyz'])
    expect((await browser.request(path)).status).toBe(200);
});

test('without a token in the configuration a monitor needs none', async () => {
  const it = await team();
  expect((await it.browser().request('/metrics')).status).toBe(200);
});
