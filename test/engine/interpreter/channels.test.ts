/** Notices for Slack, Teams and e-mail; unencrypted ones only to this machine, in a sandbox. */
import { once } from 'node:events';
import { createServer as createHttpServer } from 'node:http';
import { createServer, type Server, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { createInterface } from 'node:readline';
import { afterEach, describe, expect, test } from 'vitest';
import { postNotice } from '../../../src/engine/effects/webhook.ts';
import { loadPlaybook } from '../../../src/language/load.ts';
import { channelFor } from '../../../src/language/channels/index.ts';
import { slack } from '../../../src/language/channels/slack.ts';

const closing: (() => void)[] = [];
afterEach(() => {
  for (const close of closing.splice(0)) close();
});

async function portOf(server: Server): Promise<number> {
  server.listen(0, '127.0.0.1');
  closing.push(() => server.close());
  await once(server, 'listening');
  const address = server.address();
  return address !== null && typeof address === 'object' ? address.port : 0;
}

async function webhook() {
  const bodies: unknown[] = [];
  const server = createHttpServer((request, answer) => {
    void text(request).then((body) => {
      bodies.push(JSON.parse(body));
      answer.writeHead(204, { connection: 'close' }).end();
    });
  });
  return { port: await portOf(server), bodies };
}

/** A mail server that records commands; it answers the command `refuse` with 550. */
async function mailServer(refuse = '') {
  const said: string[] = [];
  const talk = (socket: Socket): void => {
    closing.push(() => socket.destroy());
    let isData = false;
    socket.write('220-one line\r\n220 ready\r\n');
    createInterface({ input: socket }).on('line', (line) => {
      said.push(line);
      if (isData && line !== '.') return;
      isData = line === 'DATA';
      const isRefused = refuse !== '' && line.startsWith(refuse);
      const code = isRefused ? 550 : isData ? 354 : line.startsWith('AUTH') ? 235 : 250;
      socket.write(line.startsWith('EHLO') ? '250-here\r\n250 AUTH PLAIN\r\n' : `${code} x\r\n`);
    });
  };
  return { port: await portOf(createServer(talk)), said };
}

const sandbox = { text: 'done', playbook: 'ladder', target: 'sandbox' };

describe('without encryption', () => {
  test('the sandbox sends notifications to this machine', async () => {
    const { port, bodies } = await webhook();
    for (const host of ['127.0.0.1', 'localhost']) {
      await postNotice(`http://${host}:${port}/hook`, sandbox);
    }
    expect(bodies).toEqual([sandbox, sandbox]);
  });

  test.each([
    ['a live notice', 'http://127.0.0.1:PORT/', { ...sandbox, target: 'live' }],
    ['a notice of nobody knows where', 'http://127.0.0.1:PORT/', { text: 'done' }],
    ['another machine', 'http://hooks.example/x', sandbox],
    ['a name that begins like this machine', 'http://127.0.0.1.example/x', sandbox],
    ['an e-mail over https', 'https://127.0.0.1:PORT/', { ...sandbox, format: 'email' }],
  ])('%s is refused, and nothing is sent', async (_name, address, notice) => {
    const { port, bodies } = await webhook();
    const failure = await postNotice(address.replace('PORT', String(port)), notice).then(
      String,
      String,
    );
    expect(failure).toMatch(/url (of an e-mail )?must be (https|smtps):\/\//);
    expect(failure).not.toMatch(/127\.0\.0\.1|hooks|example/);
    expect(bodies).toEqual([]);
  });
});

describe('formats', () => {
  test.each([
    ['https://hooks.slack.com/services/T0/B0/x', 'slack'],
    ['https://desk.webhook.office.com/webhookb2/x', 'teams'],
    ['https://prod-1.westeurope.logic.azure.com/workflows/x', 'teams'],
    ['smtps://user:p@mail.example/?from=a@x&to=b@x', 'email'],
    ['https://hooks.example/slack', 'json'],
    ['https://hooks.slack.com.example/x', 'json'],
  ])('%s takes %s', (address, format) => {
    expect(channelFor(sandbox, new URL(address)).name).toBe(format);
  });

  test('Slack gets a text without links and mentions', () => {
    expect(slack.body({ text: '<!channel> a & b', document: sandbox })).toEqual({
      text: '&lt;!channel&gt; a &amp; b',
    });
  });

  test('Teams gets a message with one Adaptive Card', async () => {
    const { port, bodies } = await webhook();
    await postNotice(`http://127.0.0.1:${port}/`, { ...sandbox, format: 'teams' });
    expect(bodies).toEqual([
      {
        type: 'message',
        attachments: [
          {
            contentType: 'application/vnd.microsoft.card.adaptive',
            contentUrl: null,
            content: expect.objectContaining({
              type: 'AdaptiveCard',
              body: [{ type: 'TextBlock', text: 'done', wrap: true }],
            }),
          },
        ],
      },
    ]);
  });
});

describe('e-mail', () => {
  test('is sent line by line, and its text arrives unchanged', async () => {
    const { port, said } = await mailServer();
    const url = `smtp://desk:p%40ss@127.0.0.1:${port}/?from=desk@example.org&to=a@example.org,b@example.org`;
    const notice = { ...sandbox, text: '.\r\nQUIT\r\nünd mehr', playbook: 'x\r\nBcc: evil@x' };
    await postNotice(url, notice);
    expect(said.slice(0, 6)).toEqual([
      expect.stringMatching(/^EHLO ./),
      `AUTH PLAIN ${Buffer.from('\0desk\0p@ss').toString('base64')}`,
      'MAIL FROM:<desk@example.org>',
      'RCPT TO:<a@example.org>',
      'RCPT TO:<b@example.org>',
      'DATA',
    ]);
    const [head = '', body = ''] = said.slice(6).join('\n').split('\n\n');
    expect(head).not.toMatch(/^Bcc/m);
    expect(head).toContain('To: a@example.org, b@example.org');
    const encoded = body.split('\n.')[0] ?? '';
    expect(Buffer.from(encoded, 'base64').toString()).toBe(notice.text);
  });

  test.each(['MAIL', 'RCPT', 'DATA', 'AUTH'])('a refusal of %s is reported', async (word) => {
    const { port } = await mailServer(word);
    const url = `smtp://a:b@127.0.0.1:${port}/?from=a@x.org&to=b@x.org`;
    await expect(postNotice(url, sandbox)).rejects.toThrow('the server answered 550');
  });

  test('an address that could inject a line into the dialog is refused', async () => {
    const { port, said } = await mailServer();
    const url = `smtp://127.0.0.1:${port}/?from=a@x.org&to=${encodeURIComponent('b@x>\r\nDATA')}`;
    await expect(postNotice(url, sandbox)).rejects.toThrow('the address needs ?from');
    expect(said).toEqual([]);
  });

  test('a connection that breaks is reported, and the run continues', async () => {
    const port = await portOf(createServer((socket) => void socket.resetAndDestroy()));
    const url = `smtp://127.0.0.1:${port}/?from=a@x.org&to=b@x.org`;
    await expect(postNotice(url, sandbox)).rejects.toThrow(/ECONNRESET|closed the connection/);
  });

  test('is not signed, and a silent server times out', async () => {
    const url = 'smtps://mail.example/?from=a@x.org&to=b@x.org';
    await expect(postNotice(url, sandbox, 'key')).rejects.toThrow('an e-mail is not signed');
    const port = await portOf(createServer((socket) => void closing.push(() => socket.destroy())));
    const silent = `smtp://127.0.0.1:${port}/?from=a@x.org&to=b@x.org`;
    await expect(postNotice(silent, sandbox, undefined, { timeoutMs: 50 })).rejects.toThrow(
      'no response within',
    );
  });
});

test('validate checks formats and addresses', () => {
  const problemsIn = (fields: string): readonly string[] =>
    loadPlaybook(
      `playbook: 1\nname: a\nsteps:\n  - { id: t, uses: notify/webhook, with: { text: x, ${fields} } }\n`,
      'a.yaml',
    ).problems.map(({ message }) => message);
  expect(problemsIn('url: "http://127.0.0.1:9/x", format: slack')).toEqual([]);
  expect(problemsIn('url: "smtps://a.example/?from=a@x.org&to=b@x.org"')).toEqual([]);
  expect(problemsIn('url: "http://a.example/"')).toEqual([
    expect.stringContaining('must be https://'),
  ]);
  expect(problemsIn('url: "https://a.example/", format: mattermost')).toEqual([
    'format is slack, teams, telegram, discord, email or json',
  ]);
});
