/** Attacks of people who are signed in, and on streams of events. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { text } from '../../../../src/exchange/api/schema.ts';
import { roles } from '../../../../src/app/config/role.ts';
import {
  exactRecord,
  noFields,
  placeOf,
  streams,
  writes,
} from '../../../../src/serve/server/route.ts';
import { routes, routesOf } from '../../../../src/serve/server/routes/index.ts';
import { beginSignIn, finishSignIn } from '../../../../src/serve/server/routes/sign-in.ts';
import { streamsOfSession } from '../../../../src/serve/server/streams.ts';
import { people, sessionName, team, type Browser, type Team } from './team.ts';

let it: Team;
beforeEach(async () => {
  it = await team();
});
afterEach(() => it.close());

const all = routesOf(false, routes, 'team');

function call(browser: Browser, name: string): Promise<Response> {
  const { method, path } = placeOf(name);
  const place = path.replaceAll(/\{\w+\}/g, 'r-1');
  if (method === 'GET') return browser.request(`/api/v1${place}`);
  return browser.post(place, {}); // refused before the body is read
}

describe('a person', () => {
  test.each(roles)('cannot call a route above their role: %s', async (role) => {
    const browser = it.browser();
    await browser.signIn(people[role]);
    const above = all.filter(
      ([, route]) => route.role !== 'anyone' && roles.indexOf(route.role) > roles.indexOf(role),
    );
    for (const [name] of above) {
      expect([name, (await call(browser, name)).status]).toEqual([name, 403]);
    }
    const withWrites = above.filter(([, { kind }]) => kind === 'write').length;
    expect(withWrites > 0).toBe(role !== 'approver');
  });

  test('cannot write with the role of a viewer: every route that writes needs more, or changes nothing of the desk', () => {
    const weak = all.filter(
      ([, route]) => route.kind === 'write' && !['operator', 'approver'].includes(route.role),
    );
    // The line of a new passkey is returned and not stored: a person commits it.
    expect(weak.map(([name]) => name)).toEqual(['POST /session/end', 'POST /passkeys']);
  });

  test('has no role by what a request says', async () => {
    const browser = it.browser();
    await browser.signIn(people.viewer);
    for (const query of ['?role=approver', '?__proto__[role]=approver', '?session=x']) {
      const { status } = await browser.request(`/api/v1/about${query}`);
      expect([query, status]).toEqual([query, 400]);
    }
    const headers = { 'x-role': 'approver', 'x-forwarded-user': 'ann@example.com' };
    const about = await browser.request('/api/v1/about', { headers });
    expect(await about.json()).toMatchObject({ who: 'subject v', role: 'viewer' });
  });

  test('is named in the audit log by the issuer, with the address that the proxy added', async () => {
    const browser = it.browser('198.51.100.1, 203.0.113.7');
    await browser.signIn(people.approver);
    const [line = ''] = readFileSync(join(it.stateDir, 'serve', 'audit.ndjson'), 'utf8').split(
      '\n',
    );
    expect(JSON.parse(line)).toMatchObject({
      who: 'ann@example.com',
      from: '203.0.113.7',
      what: 'sign in as approver',
    });
  });
});

describe('a stranger', () => {
  test('cannot call any route but those that sign in', async () => {
    const browser = it.browser();
    const open = all.filter(([, { role }]) => role === 'anyone').map(([name]) => name);
    expect(open).toEqual(['GET /sign-in', 'GET /sign-in/return']);
    for (const [name, { role }] of all) {
      if (role !== 'anyone')
        expect([name, (await call(browser, name)).status]).toEqual([name, 401]);
    }
  });

  test('cannot choose the address that attempts are counted for', async () => {
    let last = '';
    for (let n = 0; n < 25; n++) last = await it.browser(`10.0.0.${n}, 203.0.113.9`).begin();
    expect(last).toBe('none: 429');
  });

  test('of one IPv6 network is one client', async () => {
    let last = '';
    for (let n = 0; n < 25; n++) last = await it.browser(`2001:db8:0:1::${n}`).begin();
    expect(last).toBe('none: 429');
    expect(await it.browser('2001:db8:0:2::1').begin()).toMatch(/^http/);
  });

  test('reaches nothing through a proxy without https', async () => {
    const headers = { 'x-forwarded-proto': 'http' };
    expect((await it.browser().request('/', { headers })).status).toBe(400);
  });
});

test('--read-only leaves no route that changes a run', async () => {
  const other = await team({ isReadOnly: true });
  const browser = other.browser();
  await browser.signIn(people.approver);
  const writing = all.filter(([, route]) => route.kind === 'write' && route.isKept !== true);
  expect(writing.length).toBeGreaterThan(0);
  for (const [name] of writing) {
    expect([name, (await call(browser, name)).status]).toEqual([name, 404]);
  }
  await other.close();
});

/** A stream that is read as bytes. */
async function stream(browser: Browser): Promise<{
  readonly status: number;
  /** Waits for a text; undefined if the stream ends before. */
  until(wanted: string): Promise<string | undefined>;
}> {
  const response = await browser.request('/api/v1/events');
  const reader = response.body?.getReader();
  let received = '';
  return {
    status: response.status,
    until: async (wanted) => {
      while (!received.includes(wanted)) {
        const next = await reader?.read();
        if (next === undefined || next.done) return undefined;
        received += Buffer.from(next.value as Uint8Array).toString();
      }
      return received;
    },
  };
}

const publish = (run: string, desk = 'desk'): void =>
  it.notices.publish({ kind: 'run', desk, run, seq: 1 });

test('a viewer reads no absolute folder of the machine, an operator does', async () => {
  const [viewer, operator] = [it.browser(), it.browser()];
  await viewer.signIn(people.viewer);
  await operator.signIn(people.operator);
  const text = async (browser: Browser, path: string): Promise<string> =>
    (await browser.request(`/api/v1${path}`)).text();
  expect(await text(operator, '/about')).toContain(it.stateDir);
  for (const path of [
    '/about',
    '/home',
    '/accounts',
    '/orders',
    '/search',
    '/history?playbook=x',
    '/playbooks',
    '/runs/none',
    '/plans',
  ]) {
    expect(await text(viewer, path)).not.toContain(it.stateDir);
  }
});

describe('a stream of events', () => {
  test.each(['\n', '\r', '\r\n', '\u2028', '\n\n', '\u0000'])(
    'has no event that a name contains: %j',
    async (newline) => {
      const browser = it.browser();
      await browser.signIn(people.viewer);
      const events = await stream(browser);
      await events.until('reset');
      publish(
        `r${newline}event: evil${newline}data: {"kind":"reset"}${newline}${newline}`,
        newline,
      );
      publish('r-last');
      const received = (await events.until('r-last')) ?? '';
      const lines = received.split(/\r\n|\r|\n/);
      expect(lines.filter((line) => line.startsWith('data:')).length).toBe(3);
      expect(lines.filter((line) => !/^(?:id: |data: \{|retry: |: alive|$)/.test(line))).toEqual(
        [],
      );
    },
  );

  test('ends with its session, before the next event', async () => {
    const [ann, thief] = [it.browser(), it.browser()];
    await ann.signIn(people.viewer);
    thief.cookies.set(sessionName, ann.cookies.get(sessionName) ?? '');
    const events = await stream(thief);
    await events.until('reset');
    await ann.post('/session/end');
    publish('r-secret');
    expect(await events.until('r-secret')).toBeUndefined();
  });

  test('is one of ten of a session: the oldest makes room', async () => {
    const browser = it.browser();
    await browser.signIn(people.viewer);
    const open = [];
    for (let n = 0; n < streamsOfSession + 1; n++) {
      const events = await stream(browser);
      await events.until('reset');
      open.push(events);
    }
    publish('r-1');
    expect(await open[0]?.until('r-1')).toBeUndefined();
    expect(await open[1]?.until('r-1')).toContain('r-1');
    expect(await open.at(-1)?.until('r-1')).toContain('r-1');
  });
});

describe('a stream of events of a client that takes no more of them', () => {
  /** Endless events, and how many of their sources have not ended. */
  async function endless(): Promise<{ readonly other: Team; readonly sources: Set<number> }> {
    const sources = new Set<number>();
    let last = 0;
    const table = {
      'GET /events': streams({
        title: 'Follow',
        role: 'viewer',
        parameters: noFields,
        event: text(),
        open: async function* () {
          const source = ++last;
          sources.add(source);
          try {
            for (let n = 0; ; n++) yield { id: String(n), data: 'x' };
          } finally {
            sources.delete(source);
          }
        },
      }),
      'GET /sign-in': beginSignIn,
      'GET /sign-in/return': finishSignIn,
    };
    return { other: await team({ table }), sources };
  }

  test('ends when newer ones need its place: nothing of it is kept', async () => {
    const { other, sources } = await endless();
    const browser = other.browser();
    await browser.signIn(people.viewer);
    for (let n = 0; n < 50; n++) await (await stream(browser)).until('id: 0');
    while (sources.size > streamsOfSession) await new Promise((resolve) => setImmediate(resolve));
    expect([...sources]).toEqual([41, 42, 43, 44, 45, 46, 47, 48, 49, 50]);
    await other.close();
    expect([...sources]).toEqual([]);
  });

  test('makes no event ahead of the client', async () => {
    const { other } = await endless();
    const browser = other.browser();
    await browser.signIn(people.viewer);
    const received = (await (await stream(browser)).until('id: 2\n')) ?? '';
    expect(received.split('\n\n').filter((each) => each !== '')).toEqual([
      'retry: 1000',
      ...['0', '1', '2'].map((id) => `data: "x"\nid: ${id}`),
    ]);
    await other.close();
  });
});

test('a stream whose events fail ends, and says why on the terminal of the server alone', async () => {
  const table = {
    ...routes,
    'GET /events': streams({
      title: 'Follow',
      role: 'viewer',
      parameters: noFields,
      event: text(),
      open: async function* () {
        yield { id: '1', data: 'x' };
        throw new Error('the path of a file');
      },
    }),
  };
  const other = await team({ table });
  const browser = other.browser();
  await browser.signIn(people.viewer);
  const response = await browser.request('/api/v1/events');
  expect(response.headers.get('cache-control')).toBe('no-store');
  expect(await response.text()).toBe('retry: 1000\n\ndata: "x"\nid: 1\n\n');
  expect(other.errors.map(String)).toEqual(['Error: the path of a file']);
  await other.close();
});

describe('a body with __proto__', () => {
  test.each(['{"name":"a","__proto__":{"role":"approver"}}', '{"__proto__":{"name":"a"}}'])(
    'is refused, although nothing inherits from it: %s',
    async (body) => {
      const seen: unknown[] = [];
      const probe = writes({
        title: 'Change something',
        role: 'viewer',
        parameters: noFields,
        body: exactRecord({ name: text() }),
        answer: noFields,
        handle: ({ body: given }) => {
          seen.push(given);
          return {};
        },
      });
      const other = await team({ table: { ...routes, 'POST /probe': probe } });
      const browser = other.browser();
      await browser.signIn(people.viewer);
      const response = await browser.request('/api/v1/probe', {
        method: 'POST',
        headers: { origin: 'https://desk.example.com', 'content-type': 'application/json' },
        body,
      });
      expect([response.status, seen]).toEqual([400, []]);
      await other.close();
    },
  );
});
