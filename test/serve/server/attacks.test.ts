/** Attacks on a server over real connections, byte by byte. */
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { startWire, statuses, untilClosed, type Wire } from './wire.ts';

let it: Wire;
beforeAll(async () => {
  it = await startWire({ headers: 300, request: 600, check: 50, stalled: 2_000, connections: 200 });
});
afterAll(() => it.server.close());

const end = 'Connection: close\n\n';

/** A request of the page that writes, with a session. */
const write = (body: string, headers = ''): string =>
  `POST /api/v1/session/end HTTP/1.1\nHost: ${it.host}\nOrigin: http://${it.host}\nCookie: ${it.cookie}\n` +
  `Content-Type: application/json\n${headers}\n${body}`;

async function isSignedIn(): Promise<boolean> {
  const headers = { cookie: it.cookie };
  return (await fetch(`${it.server.url}/api/v1/about`, { headers })).status === 200;
}

describe('a page of another site', () => {
  test.each<readonly [string, string, number]>([
    ['a form that sends text', 'Content-Type: text/plain\nOrigin: http://evil.example', 403],
    ['a form without an origin', 'Content-Type: text/plain\nOrigin: null', 403],
    ['a form of a browser without Origin', 'Content-Type: application/x-www-form-urlencoded', 403],
    ['fetch with no-cors', 'Content-Type: text/plain\nSec-Fetch-Site: cross-site', 403],
    ['a page of the same site', 'Content-Type: application/json\nSec-Fetch-Site: same-site', 403],
    ['its own scheme', 'Content-Type: application/json\nOrigin: https://HOST', 403],
    ['its own page, but as text', 'Content-Type: text/plain\nOrigin: http://HOST', 415],
  ])('cannot end the session of a browser by %s', async (_name, headers, status) => {
    const answer = await it.send(
      `POST /api/v1/session/end HTTP/1.1\nHost: ${it.host}\nCookie: ${it.cookie}\n` +
        `${headers.replace('HOST', it.host)}\nContent-Length: 2\n${end}{}`,
    );
    expect(statuses(answer)).toEqual([status]);
    expect(await isSignedIn()).toBe(true);
  });

  test('is not allowed to ask, or to read an answer', async () => {
    const answer = await it.send(
      `OPTIONS /api/v1/session/end HTTP/1.1\nHost: ${it.host}\nOrigin: http://evil.example\n` +
        `Access-Control-Request-Method: POST\nAccess-Control-Request-Headers: content-type\n${end}`,
      '',
    );
    expect(statuses(answer)).toEqual([405]);
    expect(answer.toLowerCase()).not.toContain('access-control-allow');
  });

  test('that was rebound to this address sees nothing', async () => {
    for (const path of ['/', '/api/v1/about', '/assets/page-1.js', '/metrics', '/healthz']) {
      const answer = await it.send(
        `GET ${path} HTTP/1.1\nHost: evil.example:${it.port}\nCookie: ${it.cookie}\n${end}`,
      );
      expect([path, statuses(answer)]).toEqual([path, [421]]);
      expect(answer).not.toContain('<!doctype');
    }
  });
});

describe('the address of a request', () => {
  test('is that of the Host header, also when the first line has another', async () => {
    const line = `GET http://${it.host}/api/v1/about HTTP/1.1\nHost: evil.example\n`;
    expect(statuses(await it.send(`${line}Cookie: ${it.cookie}\n${end}`))).toEqual([421]);
  });

  test.each([
    ['twice', `Host: HOST\nHost: evil.example\n`],
    ['twice the same', `Host: HOST\nHost: HOST\n`],
    ['never', ''],
    ['folded', `Host:\n HOST\n`],
    ['with a space before its colon', `Host : HOST\n`],
  ])('is refused when a request has it %s', async (_name, headers) => {
    const answer = await it.send(
      `GET / HTTP/1.1\n${headers.replaceAll('HOST', it.host)}Cookie: ${it.cookie}\n${end}`,
    );
    expect(statuses(answer)[0]).toBeGreaterThanOrEqual(400);
    expect(answer).not.toContain('<!doctype');
  });

  test.each([
    '/assets/../../package.json',
    '/assets/..%2f..%2fpackage.json',
    '/assets/%2e%2e/%2e%2e/package.json',
    '/assets/..%5c..%5cpackage.json',
    '/assets/....//package.json',
    '/assets//etc/passwd',
    '/assets/page-1.js%00.css',
    '/assets/constructor',
    '/assets/__proto__',
    '/assets/',
  ])('finds no file outside the page: %s', async (path) => {
    const answer = await it.send(`GET ${path} HTTP/1.1\nHost: ${it.host}\n${end}`);
    expect(answer).not.toMatch(/"name": "deskhand"|root:|function Object/);
    expect(answer.includes('<!doctype') || statuses(answer)[0] === 404).toBe(true);
  });

  test.each(['PUT', 'DELETE', 'PATCH', 'TRACE', 'CONNECT', 'PROPFIND', 'QUERY', 'post', 'BREW'])(
    'does not take the method %s',
    async (method) => {
      for (const path of ['/', '/api/v1/home', '/assets/page-1.js']) {
        const answer = await it.send(
          `${method} ${path} HTTP/1.1\nHost: ${it.host}\nCookie: ${it.cookie}\n${end}`,
        );
        const [status = 400] = statuses(answer); // none: the connection was closed
        expect([path, status >= 400 && status < 500]).toEqual([path, true]);
        expect(answer).not.toContain(it.cookie);
      }
    },
  );

  test('never switches to another protocol', async () => {
    for (const upgrade of ['websocket', 'h2c']) {
      const answer = await it.send(
        `GET /api/v1/about HTTP/1.1\nHost: ${it.host}\nUpgrade: ${upgrade}\n` +
          `Connection: Upgrade, close\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\n` +
          `Sec-WebSocket-Version: 13\nHTTP2-Settings: AAMAAABkAAQAAP__\n\n`,
      );
      expect(statuses(answer)).toEqual([401]);
    }
  });
});

describe('a request that hides another one', () => {
  const hidden = (): string => `GET /assets/page-1.js HTTP/1.1\nHost: ${it.host}\n\n`;

  test.each<readonly [string, string]>([
    ['by two lengths', 'Content-Length: 2\nContent-Length: 60\n'],
    ['by a list of lengths', 'Content-Length: 2, 60\n'],
    ['by a length and chunks', 'Content-Length: 2\nTransfer-Encoding: chunked\n'],
    ['by chunks twice', 'Transfer-Encoding: chunked, chunked\n'],
    ['by an unknown encoding', 'Transfer-Encoding: xchunked\n'],
    ['by an encoding with a space', 'Transfer-Encoding : chunked\n'],
    ['by an encoding on a folded line', 'Transfer-Encoding:\n chunked\n'],
    ['by a negative length', 'Content-Length: -1\n'],
    ['by a length with a sign', 'Content-Length: +2\n'],
  ])('%s is refused, and neither is answered', async (_name, headers) => {
    const answer = await it.send(write(`{}${hidden()}`, headers));
    expect(statuses(answer)).toEqual([400]);
    expect(await isSignedIn()).toBe(true);
  });

  test('in the body of one that is refused early, is not answered', async () => {
    const body = hidden();
    const answer = await it.send(
      `POST /api/v1/session/end HTTP/1.1\nHost: ${it.host}\nOrigin: http://evil.example\n` +
        `Content-Length: ${body.replaceAll('\n', '\r\n').length}\n\n${body}`,
      `GET /healthz HTTP/1.1\nHost: ${it.host}\n${end}`,
    );
    expect(statuses(answer)[0]).toBe(403);
    expect(answer).not.toContain('text/javascript');
  });
});

describe('a body', () => {
  test('that says it is huge is refused before it is sent', async () => {
    const answer = await it.send(write('', 'Content-Length: 999999999\n'));
    expect(statuses(answer)).toEqual([413]);
  });

  test('that turns out to be huge is read no further than its limit', async () => {
    const socket = await it.open();
    const answer = untilClosed(socket);
    socket.write(write('', 'Transfer-Encoding: chunked\n').replaceAll('\n', '\r\n'));
    const chunk = `10000\r\n${'x'.repeat(65_536)}\r\n`;
    let sent = 0;
    while (!socket.destroyed && sent < 400 && socket.writable) {
      sent++;
      if (!socket.write(chunk)) {
        await new Promise((resolve) => {
          socket.once('drain', resolve);
          socket.once('close', resolve);
        });
      }
    }
    // A client that still sends may get a reset instead of the answer.
    expect([[], [413]]).toContainEqual(statuses(await answer));
    expect(sent).toBeLessThan(400);
    expect(await isSignedIn()).toBe(true);
  });

  test('that does not arrive ends the connection', async () => {
    const answer = await it.send(write('{', 'Content-Length: 2\n'));
    expect(statuses(answer)).toEqual([408]);
    expect(await isSignedIn()).toBe(true);
  });

  test.each(['{"__proto__":{"token":"x"}}', '{"constructor":{"prototype":{"role":"approver"}}}'])(
    'cannot change what objects inherit: %s',
    async (body) => {
      const answer = await it.send(write(body, `Content-Length: ${body.length}\n${end.trim()}\n`));
      expect(statuses(answer)).toEqual([400]);
      expect(Object.keys(Object.prototype)).toEqual([]);
      expect(Reflect.get({}, 'token')).toBeUndefined();
    },
  );

  test.each([
    ['with a key twice', '{"token":"a","token":"b"}', 400],
    ['nested without end', `${'['.repeat(5_000)}${']'.repeat(5_000)}`, 400],
    ['that is not JSON', '{token:1}', 400],
    ['that is no object', '[]', 400],
  ])('%s is refused', async (_name, body, status) => {
    const answer = await it.send(write(body, `Content-Length: ${body.length}\n${end.trim()}\n`));
    expect(statuses(answer)).toEqual([status]);
  });
});

describe('headers', () => {
  test('that do not end are not waited for', async () => {
    expect(statuses(await it.send(`GET / HTTP/1.1\nHost: ${it.host}\nX-Slow: `))).toEqual([408]);
  });

  test('that are too large are refused', async () => {
    const answer = await it.send(
      `GET / HTTP/1.1\nHost: ${it.host}\nX: ${'x'.repeat(20_000)}\n${end}`,
    );
    expect(statuses(answer)).toEqual([431]);
  });

  test('of an answer cannot be made by a request', async () => {
    const query = encodeURIComponent('a\r\nSet-Cookie: x=1');
    for (const path of [`/api/v1/home?state=${query}`, `/api/v1/runs/${query}`, `/${query}`]) {
      const answer = await it.send(
        `GET ${path} HTTP/1.1\nHost: ${it.host}\nCookie: ${it.cookie}\n${end}`,
      );
      expect(answer.toLowerCase()).not.toContain('\nset-cookie');
    }
  });
});

describe('clients that take nothing of their answers', () => {
  /** A server whose connections are all open, each with an answer that its client does not take. */
  async function full(stalled: number): Promise<Wire> {
    const small = await startWire({
      headers: 300,
      request: 600,
      check: 50,
      stalled,
      connections: 20,
    });
    for (let n = 0; n < 20; n++) {
      const socket = await small.open();
      socket.on('error', () => undefined);
      socket.pause();
      socket.write(`GET /assets/page-2.js HTTP/1.1\r\nHost: ${small.host}\r\n\r\n`);
      onTestFinished(() => void socket.destroy());
    }
    return small;
  }
  const ask = async (small: Wire): Promise<readonly number[]> =>
    statuses(await small.send(`GET /healthz HTTP/1.1\nHost: ${small.host}\n${end}`));

  test('make room for others', async () => {
    const small = await full(600_000);
    expect(await ask(small)).toEqual([200]);
    await small.server.close();
  });

  test('lose their connections to others', async () => {
    const small = await full(300);
    let answers = await ask(small);
    while (answers.length === 0) answers = await ask(small);
    expect(answers).toEqual([200]);
    await small.server.close();
  });
});

describe('a page of the same site, such as one of another port of this machine', () => {
  test.each(['same-site', 'cross-site'])(
    'starts nothing by reading, and takes no place among the streams: %s',
    async (site) => {
      const headers = `Cookie: ${it.cookie}\nSec-Fetch-Site: ${site}\n`;
      for (const path of ['about', 'events', 'plans/p-00000000', 'runs/r-1/file?path=a']) {
        const answer = await it.send(
          `GET /api/v1/${path} HTTP/1.1\nHost: ${it.host}\n${headers}${end}`,
        );
        expect([path, statuses(answer)]).toEqual([path, [403]]);
      }
    },
  );

  test('is known by its origin where a browser sends nothing else', async () => {
    const answer = await it.send(
      `GET /api/v1/events HTTP/1.1\nHost: ${it.host}\nCookie: ${it.cookie}\n` +
        `Origin: http://127.0.0.1:1\n${end}`,
    );
    expect(statuses(answer)).toEqual([403]);
  });

  test('a person who opens an address is not', async () => {
    const answer = await it.send(
      `GET /api/v1/about HTTP/1.1\nHost: ${it.host}\nCookie: ${it.cookie}\n` +
        `Sec-Fetch-Site: none\n${end}`,
    );
    expect(statuses(answer)).toEqual([200]);
  });
});

test('a stream of events is not begun by HEAD, whose answer nobody would end', async () => {
  const answer = await it.send(
    `HEAD /api/v1/events HTTP/1.1\nHost: ${it.host}\nCookie: ${it.cookie}\n${end}`,
  );
  expect(statuses(answer)).toEqual([405]);
});

describe('a link', () => {
  test('cannot be guessed: after twenty attempts the server does not compare any more', async () => {
    const guess = async (): Promise<number> => {
      const body = JSON.stringify({ token: 'x'.repeat(43) });
      const [status = 0] = statuses(
        await it.send(
          write(body, `Content-Length: ${body.length}\n${end.trim()}\n`).replace('/end', ''),
        ),
      );
      return status;
    };
    const found: number[] = [];
    for (let n = 0; n < 25; n++) found.push(await guess());
    expect(found.filter((status) => status === 401).length).toBeLessThanOrEqual(20);
    expect(found.at(-1)).toBe(429);
    expect(await isSignedIn()).toBe(true); // people who are signed in notice nothing
  });
});

test('no attack is an error of the server', () => {
  expect(it.errors).toEqual([]);
});
