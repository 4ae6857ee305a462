import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { day } from '../../../src/base/clock.ts';
import { sha256 } from '../../../src/base/json.ts';
import { roles } from '../../../src/app/config/role.ts';
import { noFields, placeOf, writes } from '../../../src/serve/server/route.ts';
import { routes, routesOf } from '../../../src/serve/server/routes/index.ts';
import { openSessions } from '../../../src/serve/server/link-sessions.ts';
import { origin, port, served } from './desk.ts';

const host = `127.0.0.1:${port}`;
const token = { token: 'x' };
const secretOf = (role: string): string => role.padEnd(43, 'x');

const probe = writes({
  title: 'Change something',
  role: 'operator',
  parameters: noFields,
  body: noFields,
  answer: noFields,
  handle: () => ({}),
});

describe('every route', () => {
  test('answers 401 without a session, except the one that begins it', async () => {
    const { app } = await served();
    for (const [name, route] of routesOf(false, routes, 'link')) {
      const { method, path } = placeOf(name);
      const headers = { host, origin, 'content-type': 'application/json' };
      const init = method === 'GET' ? { headers } : { method, headers, body: '{}' };
      const { status } = await app.request(`/api/v1${path.replace(/\{\w+\}/, 'r-1')}`, init);
      expect([name, status]).toEqual([name, route.role === 'anyone' ? 400 : 401]);
    }
  });

  test('that writes is absent under --read-only, unless it changes nothing of the desk', async () => {
    const found: number[] = [];
    for (const isReadOnly of [false, true]) {
      const { post } = await served({ isReadOnly, table: { ...routes, 'POST /probe': probe } });
      found.push((await post('/probe', {})).status);
    }
    expect(found).toEqual([200, 404]);
    const writing = routesOf(true).filter(([, route]) => route.kind === 'write');
    expect(writing.map(([name]) => name)).toEqual(['POST /session', 'POST /session/end']);
  });

  test('is refused to a person whose role is less than it needs', async () => {
    const stateDir = mkdtempSync(join(tmpdir(), 'roles-'));
    const until = Date.UTC(2100, 0);
    const folder = join(stateDir, 'serve', 'sessions');
    mkdirSync(folder, { recursive: true });
    for (const role of roles) {
      const session = { version: 1, who: role, role, until };
      writeFileSync(join(folder, `${sha256(secretOf(role))}.json`), JSON.stringify(session));
    }
    const { post } = await served({ stateDir, table: { 'POST /probe': probe } });
    const statuses: number[] = [];
    for (const role of roles) {
      const cookie = `deskhand-${port}=${secretOf(role)}`;
      statuses.push((await post('/probe', {}, { cookie })).status);
    }
    expect(statuses).toEqual([403, 200, 200]);
  });

  test('declares its role, and one that is not GET writes', () => {
    for (const [name, { kind }] of Object.entries(routes)) {
      expect([name, kind === 'write']).toEqual([name, placeOf(name).method !== 'GET']);
    }
  });
});

describe('a request is refused', () => {
  test.each(['evil.example', 'evil.example:8787', '127.0.0.1', '127.0.0.1:80', 'localhost:9', ''])(
    'under another host name: %s',
    async (name) => {
      const { app } = await served();
      for (const path of ['/', '/api/v1/home', '/assets/page.js']) {
        const { status } = await app.request(path, { headers: { host: name } });
        expect([path, status]).toEqual([path, 421]);
      }
    },
  );

  test.each(['127.0.0.1:8787', 'localhost:8787', 'LOCALHOST:8787', '[::1]:8787'])(
    'not under a name of this machine: %s',
    async (name) => {
      const { app } = await served();
      expect((await app.request('/', { headers: { host: name } })).status).toBe(200);
    },
  );

  test('only under another port than 80 when its address has none', async () => {
    const ownPort = 80;
    const { app, get, links } = await served({ ownPort });
    expect((await get('/home')).status).toBe(200); // with the port
    for (const name of ['127.0.0.1', 'localhost', '[::1]', 'LOCALHOST:80']) {
      expect([name, (await app.request('/', { headers: { host: name } })).status]).toEqual([
        name,
        200,
      ]);
    }
    for (const name of ['evil.example', '127.0.0.1:443', '127.0.0.1:8080', '127.0.0.1:80:80']) {
      expect((await app.request('/', { headers: { host: name } })).status).toBe(421);
    }
    for (const host of ['127.0.0.1', '127.0.0.1:80']) {
      const begin = (from: string): Promise<Response> | Response =>
        app.request('/api/v1/session', {
          method: 'POST',
          headers: { host, origin: from, 'content-type': 'application/json' },
          body: JSON.stringify({ token: links.link() }),
        });
      expect((await begin('http://127.0.0.1')).status).toBe(200);
      expect((await begin('https://127.0.0.1')).status).toBe(403);
      expect((await begin('http://127.0.0.1:8080')).status).toBe(403);
    }
  });

  test('under port 443 without a port, which is that of https', async () => {
    const { app } = await served({ ownPort: 443 });
    expect((await app.request('/', { headers: { host: '127.0.0.1' } })).status).toBe(421);
    expect((await app.request('/', { headers: { host: '127.0.0.1:443' } })).status).toBe(200);
  });

  test.each<Readonly<Record<string, string>>>([
    { origin: 'http://evil.example' },
    { origin: 'null' },
    { origin: 'http://127.0.0.1:1234' },
    { origin: 'https://127.0.0.1:8787' },
    { origin, 'sec-fetch-site': 'cross-site' },
    { origin, 'sec-fetch-site': 'same-site' },
    { origin, 'sec-fetch-site': 'none' },
    { 'sec-fetch-site': 'same-site' },
    {},
  ])('when it writes and does not come from our page: %j', async (headers) => {
    const { app, links } = await served();
    const link = links.link();
    const response = await app.request('/api/v1/session', {
      method: 'POST',
      headers: { host, 'content-type': 'application/json', ...headers },
      body: JSON.stringify({ token: link }),
    });
    expect(response.status).toBe(403);
    expect(response.headers.get('set-cookie')).toBeNull();
    expect(await links.exchange(link)).toBeDefined(); // the link was not used
  });

  test('when its body is not JSON, has unknown fields, or is too large', async () => {
    const { post } = await served();
    expect((await post('/session', token, { 'content-type': 'text/plain' })).status).toBe(415);
    expect((await post('/session', { ...token, more: 1 })).status).toBe(400);
    expect((await post('/session', { token: 'x'.repeat(70_000) })).status).toBe(413);
  });

  test('when a parameter is unknown or malformed', async () => {
    const { get } = await served();
    expect((await get('/home?nonsense=1')).status).toBe(400);
    expect((await get('/home?state=asleep')).status).toBe(400);
    expect((await get('/home?since=yesterday')).status).toBe(400);
  });
});

test('every answer has the protecting headers, errors and the page included', async () => {
  const { app, get } = await served();
  const answers = [
    await get('/home'),
    await get('/runs/r-none'),
    await app.request('/', { headers: { host } }),
    await app.request('/', { headers: { host: 'evil.example' } }),
  ];
  for (const { headers } of answers) {
    const policy = headers.get('content-security-policy') ?? '';
    expect(policy).toContain("default-src 'self'");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).not.toContain('unsafe');
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('referrer-policy')).toBe('no-referrer');
    expect(headers.get('access-control-allow-origin')).toBeNull();
    expect(headers.get('cache-control')).toBe('no-store');
  }
});

describe('a session', () => {
  test('begins with a link that works once, as a cookie that scripts and other sites do not get', async () => {
    const { app, post, links } = await served();
    const link = links.link();
    const response = await post('/session', { token: link });
    const cookie = response.headers.get('set-cookie') ?? '';
    expect(response.status).toBe(200);
    expect(cookie).toMatch(
      /^deskhand-8787=[\w-]{43}; Path=\/; HttpOnly; SameSite=Strict; Max-Age=604800$/,
    );
    expect((await post('/session', { token: link })).status).toBe(401);
    const [pair = ''] = cookie.split(';');
    const home = await app.request('/api/v1/home', { headers: { host, cookie: pair } });
    expect(home.status).toBe(200);
  });

  test('does not begin with a link that a newer one replaced', async () => {
    const { links } = await served();
    const first = links.link();
    links.link();
    expect(await links.exchange(first)).toBeUndefined();
  });

  test('survives a restart of the server, ends after a week, and is stored as a digest', async () => {
    const { links, stateDir, clock } = await served();
    const secret = (await links.exchange(links.link())) ?? '';
    const restarted = openSessions(stateDir, 'ann', clock);
    expect(restarted.find(secret)).toMatchObject({ who: 'ann', role: 'approver' });
    const file = `${stateDir}/serve/sessions/${sha256(secret)}.json`;
    expect(readFileSync(file, 'utf8')).not.toContain(secret);
    clock.advance(7 * day);
    expect(restarted.find(secret)).toBeUndefined();
  });

  test('that ended at one server of a state folder has ended at all, and stays ended', async () => {
    const { links, stateDir, clock } = await served();
    const other = openSessions(stateDir, 'ann', clock);
    const secret = (await links.exchange(links.link())) ?? '';
    expect(other.find(secret)).toBeDefined(); // it began after the other server
    await links.end(secret);
    expect(other.find(secret)).toBeUndefined();
    await other.exchange(other.link()); // which writes all that it knows
    expect(openSessions(stateDir, 'ann', clock).find(secret)).toBeUndefined();
  });

  test('stays ended when others begin at the same time', async () => {
    const { links, stateDir, clock } = await served();
    const secrets: string[] = [];
    for (let n = 0; n < 8; n++) secrets.push((await links.exchange(links.link())) ?? '');
    const kept = secrets.pop() ?? '';
    const [next] = await Promise.all([
      links.exchange(links.link()),
      ...secrets.map((secret) => links.end(secret)),
    ]);
    const restarted = openSessions(stateDir, 'ann', clock);
    expect(secrets.filter((secret) => restarted.find(secret) !== undefined)).toEqual([]);
    expect(restarted.find(kept)).toBeDefined();
    expect(restarted.find(next ?? '')).toBeDefined();
  });

  test('has ended when its file or all of them were deleted', async () => {
    const { get, links, stateDir } = await served();
    const folder = `${stateDir}/serve/sessions`;
    const secret = (await links.exchange(links.link())) ?? '';
    rmSync(`${folder}/${sha256(secret)}.json`);
    expect(links.find(secret)).toBeUndefined();
    expect((await get('/home')).status).toBe(200); // another one
    rmSync(folder, { recursive: true });
    expect((await get('/home')).status).toBe(401);
  });

  test('ends when a person signs out', async () => {
    const { get, post } = await served();
    const response = await post('/session/end', {});
    expect(response.headers.get('set-cookie')).toContain('Max-Age=0');
    expect((await get('/home')).status).toBe(401);
  });
});
