/** `serve --listen`: what it needs before it listens. */
import { chmodSync, existsSync, statSync, writeFileSync } from 'node:fs';
import { once } from 'node:events';
import { request } from 'node:http';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { begin, deskhand, folderWith } from './deskhand.ts';

const auth = (more = ''): string =>
  `serve: { hosts: [desk.example.com], ${more} auth: { issuer: 'http://127.0.0.1:9', client-id: deskhand, client-secret: { env: TEAM_SECRET }, roles: { viewer: [readers] } } }\n`;
const env = { TEAM_SECRET: 'hunter2-hunter2' };

test.each([
  [
    'without people who may sign in',
    'profile: sandbox\n',
    '0.0.0.0:0',
    3,
    'requires people to sign in',
  ],
  ['without TLS', auth(), '127.0.0.1:0', 3, 'requires serve.tls'],
  ['without TLS, on all addresses', auth(), '[::]:0', 3, 'requires serve.tls'],
  ['without a port', auth(), 'localhost', 2, '--listen is HOST:PORT or unix'],
  [
    'without its certificate',
    auth('tls: { cert: c, key: k },'),
    'localhost:0',
    3,
    'serve.tls.cert',
  ],
])('does not start %s', async (_name, config, listen, code, message) => {
  const cwd = folderWith({ 'deskhand.yaml': config });
  const ended = await deskhand(['serve', '--listen', listen], { cwd, env });
  expect([ended.code, ended.stdout]).toEqual([code, '']);
  expect(ended.stderr).toContain(message);
});

test('does not start without the secret of its client, with a key that others may change, or a port twice', async () => {
  const cwd = folderWith({ 'deskhand.yaml': auth('tls: { cert: c, key: k },'), c: 'x', k: 'y' });
  const start = (words: readonly string[], more = env): ReturnType<typeof deskhand> =>
    deskhand(['serve', ...words], { cwd, env: more });
  const without = await start(['--listen', 'localhost:0'], { TEAM_SECRET: '' });
  expect([without.code, without.stderr]).toEqual([4, expect.stringContaining('TEAM_SECRET')]);
  chmodSync(join(cwd, 'k'), 0o664);
  const open = await start(['--listen', 'localhost:0']);
  expect([open.code, open.stderr]).toEqual([
    4,
    expect.stringContaining('can be changed by other users'),
  ]);
  const twice = await start(['--listen', 'localhost:0', '--port', '1']);
  expect([twice.code, twice.stderr]).toEqual([2, expect.stringContaining('--port is for this')]);
});

test('listens on a unix socket that its group may open, and replaces one that a crash left', async () => {
  const cwd = folderWith({ 'deskhand.yaml': auth() });
  const path = join(cwd, 's');
  const started = async (): Promise<ReturnType<typeof begin>> => {
    const child = begin(['serve', '--listen', `unix:${path}`], { cwd, env });
    let shown = '';
    for await (const chunk of child.stdout) {
      shown += String(chunk);
      if (shown.includes('Ctrl-C')) break;
    }
    expect(shown).toContain('on https://desk.example.com;');
    return child;
  };
  const first = await started();
  expect(statSync(path).mode & 0o777).toBe(0o660);
  const taken = await deskhand(['serve', '--listen', `unix:${path}`], { cwd, env });
  expect([taken.code, taken.stderr]).toEqual([2, expect.stringContaining('another process')]);
  first.kill('SIGKILL');
  await once(first, 'exit');
  expect(existsSync(path)).toBe(true);
  await started();
  const headers = { host: 'desk.example.com', 'x-forwarded-proto': 'https' };
  const asked = request({ socketPath: path, path: '/api/v1/about', headers }).end();
  const [response] = await once(asked, 'response');
  expect([response.statusCode, await text(response)]).toEqual([
    401,
    expect.stringContaining('signed-out-of-team'),
  ]);
});

test('does not remove a file in the place of its socket', async () => {
  const cwd = folderWith({ 'deskhand.yaml': auth() });
  writeFileSync(join(cwd, 's'), 'kept');
  const ended = await deskhand(['serve', '--listen', 'unix:s'], { cwd, env });
  expect([ended.code, ended.stderr]).toEqual([2, expect.stringContaining('is not a socket')]);
  expect(statSync(join(cwd, 's')).size).toBe(4);
});

test('answers metrics to the bearer of its token, which it needs to start', async () => {
  const config = auth('metrics-token: { env: MONITOR_TOKEN },');
  const cwd = folderWith({ 'deskhand.yaml': config });
  const path = join(cwd, 's');
  const words = ['serve', '--listen', `unix:${path}`];
  const without = await deskhand(words, { cwd, env });
  expect([without.code, without.stderr]).toEqual([4, expect.stringContaining('MONITOR_TOKEN')]);
  const child = begin(words, { cwd, env: { ...env, MONITOR_TOKEN: 'monitor-0123456789' } });
  await once(child.stdout, 'data');
  const status = async (token: string): Promise<unknown> => {
    const headers = {
      host: 'desk.example.com',
      'x-forwarded-proto': 'https',
      authorization: `Bearer ${token}`,
    };
    const asked = request({ socketPath: path, path: '/metrics', headers }).end();
    const [response] = await once(asked, 'response');
    response.resume();
    return response.statusCode;
  };
  expect([await status('monitor'), await status('monitor-0123456789')]).toEqual([401, 200]);
});
