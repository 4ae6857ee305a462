/** Webhooks: over HTTPS only, optionally signed, never redirected to another server. */
import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { createServer, globalAgent, type Server } from 'node:https';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { signatureOf } from '../../../src/engine/effects/delivery.ts';
import { postNotice } from '../../../src/engine/effects/webhook.ts';
import { replay } from '../../../src/engine/journal/replay.ts';
import { selfSigned } from '../../support/certificate.ts';
import { entriesOf, live, openHarness, playbookFrom } from '../../support/harness.ts';

test('a notification is signed with its own key, which is written nowhere', async () => {
  const harness = await openHarness();
  const sent: unknown[] = [];
  const notice = playbookFrom(`
playbook: 1
name: told
steps:
  - id: tell
    uses: notify/webhook
    with: { url: "{{ secrets.HOOK }}", text: done, sign-with: "{{ secrets.SIGNING_KEY }}" }
`);
  await live(harness, notice, { notify: async (...all) => void sent.push(all) });
  expect(sent).toEqual([['HOOK', expect.objectContaining({ text: 'done' }), 'SIGNING_KEY']]);
  expect(JSON.stringify(entriesOf(harness).slice(1))).not.toContain('SIGNING_KEY');
  const hmac = createHmac('sha256', 'k').update('{}').digest('hex');
  expect(signatureOf('{}', 'k')).toBe(`sha256=${hmac}`);
});

test.each([
  ['http://hooks.example/x', 'url must be https://'],
  ['hooks.example', 'url is not an address'],
  ['file:///etc/hosts', 'url must be https://'],
])('a notification to %s is not posted, and the address is not shown', async (address, because) => {
  const failure = await postNotice(address, { text: '' }).then(String, String);
  expect(failure).toContain(because);
  expect(failure).not.toMatch(/hooks|etc/);
});

describe('over a real connection', () => {
  const servers: Server[] = [];
  const certificate = selfSigned('localhost');

  beforeEach(() => {
    globalAgent.options.ca = certificate.cert;
  });
  afterEach(() => {
    delete globalAgent.options.ca;
    for (const server of servers.splice(0)) {
      server.closeAllConnections();
      server.close();
    }
  });

  interface Received {
    readonly url: string;
    /** Bodies of the posted requests, in order. */
    readonly bodies: string[];
    /** Number of connections. */
    connections: number;
  }

  /** A local server that gives every request the same response. */
  async function listening(
    status: number,
    headers: Record<string, string> = {},
  ): Promise<Received> {
    const server = createServer(certificate, (request, answer) => {
      void text(request).then((body) => {
        received.bodies.push(body);
        answer.writeHead(status, headers).end();
      });
    });
    servers.push(server.listen(0, '127.0.0.1'));
    await once(server, 'listening');
    const received: Received = { url: urlOf(server), bodies: [], connections: 0 };
    server.on('connection', () => (received.connections += 1));
    return received;
  }

  function urlOf(server: Server): string {
    const address = server.address();
    const port = address !== null && typeof address === 'object' ? address.port : 0;
    return `https://localhost:${port}/hook`;
  }

  test('a notification arrives once, unchanged', async () => {
    const other = await listening(204);
    await postNotice(other.url, { text: 'done' });
    expect(other.bodies).toEqual(['{"text":"done"}']);
  });

  test.each([301, 302, 303, 307, 308])('a redirect by %i is not followed', async (status) => {
    const second = await listening(200);
    const first = await listening(status, { location: second.url });
    const failure = await postNotice(first.url, { text: 'done' }).then(String, String);
    expect(failure).toContain(
      `the server responded with ${status}, a redirect, which is never followed`,
    );
    expect(failure).not.toContain('localhost');
    expect([first.bodies.length, second.connections]).toEqual([1, 0]);
  });

  test('a step reports why its notification was not delivered', async () => {
    const second = await listening(200);
    const first = await listening(302, { location: second.url });
    const harness = await openHarness();
    const notice = playbookFrom(`
playbook: 1
name: told
steps:
  - { id: tell, uses: notify/webhook, with: { url: "{{ secrets.HOOK }}", text: done } }
`);
    const secret = (): string => first.url;
    const { exit } = await live(harness, notice, { secret });
    const { outcome } = replay(entriesOf(harness)).get('tell') ?? {};
    expect([exit, outcome]).toMatchObject([
      1,
      { kind: 'failed', code: 'notice', message: expect.stringContaining('a redirect') },
    ]);
    expect(second.connections).toBe(0);
    expect(harness.disk).not.toContain('localhost');
  });

  test('a server that does not respond in time is reported', async () => {
    const server = createServer(certificate).listen(0, '127.0.0.1');
    servers.push(server);
    await once(server, 'listening');
    await expect(
      postNotice(urlOf(server), { text: '' }, undefined, { timeoutMs: 50 }),
    ).rejects.toThrow('the notification was not delivered: no response within 50 ms');
  });

  test('an untrusted certificate is refused before anything is posted', async () => {
    delete globalAgent.options.ca;
    const other = await listening(200);
    await expect(postNotice(other.url, { text: 'done' })).rejects.toThrow('SELF_SIGNED');
    expect(other.bodies).toEqual([]);
  });
});
