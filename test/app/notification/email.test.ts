/** E-mail: nothing is sent without encryption unless the address says so, and nothing is injected. */
import { describe, expect, onTestFinished, test } from 'vitest';
import { Secret } from '../../../src/base/secret.ts';
import { sendEmail } from '../../../src/engine/effects/email.ts';
import { deliver } from '../../../src/engine/effects/delivery.ts';
import { email as channel, isEncryptedMail } from '../../../src/language/channels/email.ts';
import { decodedMail } from './recipients.ts';
import { smtpServer, type SmtpOptions, type SmtpServer } from './smtp.ts';

const email = { id: 'n1', subject: 'stopped: ladder', text: 'it stopped', at: 0 };
const envelope = 'from=desk@x.org&to=ops@x.org';
const password = 'p@ss word/1234';
const login = `desk:${encodeURIComponent(password)}@`;

async function started(options?: SmtpOptions): Promise<SmtpServer> {
  const server = await smtpServer(options);
  onTestFinished(server.close);
  return server;
}

interface Sending {
  readonly scheme?: 'smtp' | 'smtps';
  readonly query?: string;
  readonly user?: string;
  readonly host?: string;
  readonly isTrusted?: boolean;
  readonly more?: object;
}

/** @returns the error as text; undefined when it was sent */
function send(server: SmtpServer, sending: Sending = {}): Promise<string | undefined> {
  const { scheme = 'smtp', query = envelope, user = login, host = '127.0.0.1' } = sending;
  const url = new URL(`${scheme}://${user}${host}:${server.port}/?${query}`);
  return sendEmail(
    url,
    { ...email, ...sending.more },
    {
      isEncrypted: isEncryptedMail(url, false),
      signal: AbortSignal.timeout(10_000),
      ...(sending.isTrusted !== false && { ca: server.ca }),
    },
  ).then(() => undefined, String);
}

const mailIn = (lines: readonly string[]): string => {
  const from = lines.indexOf('DATA') + 1;
  return lines.slice(from, lines.indexOf('.', from)).join('\n');
};
const verbs = (lines: readonly string[]): string[] => lines.map((line) => line.split(' ')[0] ?? '');

describe('over STARTTLS', () => {
  test('everything but the greeting is encrypted', async () => {
    const server = await started();
    expect(await send(server)).toBeUndefined();
    expect(verbs(server.plain)).toEqual(['EHLO', 'STARTTLS']);
    expect(verbs(server.encrypted).slice(0, 5)).toEqual(['EHLO', 'AUTH', 'MAIL', 'RCPT', 'DATA']);
    expect(server.encrypted[1]).toBe(
      `AUTH PLAIN ${Buffer.from(`\0desk\0${password}`).toString('base64')}`,
    );
    expect(decodedMail(mailIn(server.encrypted))).toMatchObject({
      subject: 'stopped: ladder',
      text: 'it stopped',
    });
  });

  test.each<readonly [string, SmtpOptions]>([
    ['does not offer it', { tls: 'none' }],
    [
      'does not offer it, and is no longer known with EHLO',
      { tls: 'none', replies: { EHLO: '502 no' } },
    ],
    ['refuses it now', { replies: { STARTTLS: '454 not now' } }],
    ['agrees, and continues without it', { replies: { STARTTLS: '220 begin' } }],
  ])('a server that %s receives no password, sender or text', async (_name, options) => {
    const server = await started(options);
    expect(await send(server)).toMatch(/STARTTLS|encrypted connection|answered 502 to EHLO/);
    expect(server.encrypted).toEqual([]);
    const known = new Set([...verbs(server.plain), 'EHLO', 'STARTTLS']);
    for (const word of ['AUTH', 'MAIL', 'RCPT', 'DATA', 'HELO']) expect(known).not.toContain(word);
    expect(server.plain.join('\n')).not.toMatch(/desk@|ops@|ladder/);
  });

  test('what somebody adds before encryption begins is ignored', async () => {
    const injected = '250-evil\r\n250 AUTH LOGIN\r\n235 welcome\r\n';
    const server = await started({ injected });
    expect(await send(server)).toBeUndefined();
    expect(server.encrypted[1]).toMatch(/^AUTH PLAIN /); // which the server offered over TLS
  });

  test.each<readonly [string, Sending]>([
    ['nobody vouches for', { isTrusted: false }],
    ['names another host', { host: 'localhost' }],
  ])('a certificate that %s is refused', async (_name, sending) => {
    for (const scheme of ['smtp', 'smtps'] as const) {
      const server = await started({ tls: scheme === 'smtp' ? 'starttls' : 'always' });
      expect(await send(server, { ...sending, scheme })).toMatch(
        /encrypted connection failed: \w+/,
      );
      expect(server.encrypted).toEqual([]);
    }
  });
});

test('over smtps:// all of it is encrypted', async () => {
  const server = await started({ tls: 'always' });
  expect(await send(server, { scheme: 'smtps' })).toBeUndefined();
  expect(server.plain).toEqual([]);
  expect(verbs(server.encrypted).slice(0, 3)).toEqual(['EHLO', 'AUTH', 'MAIL']);
});

test('a server that offers LOGIN only gets user and password as it asks for them', async () => {
  const server = await started({
    offers: ['AUTH LOGIN'],
    replies: {
      [Buffer.from('desk').toString('base64')]: '334 UGFzc3dvcmQ6',
      [Buffer.from(password).toString('base64')]: '235 welcome',
    },
  });
  expect(await send(server)).toBeUndefined();
  expect(server.encrypted.slice(1, 4)).toEqual([
    'AUTH LOGIN',
    Buffer.from('desk').toString('base64'),
    Buffer.from(password).toString('base64'),
  ]);
});

describe('without encryption', () => {
  test('an e-mail is sent when its address says so', async () => {
    const server = await started({ tls: 'starttls' });
    expect(await send(server, { user: '', query: `${envelope}&tls=off` })).toBeUndefined();
    expect(verbs(server.plain)).not.toContain('STARTTLS');
    expect(decodedMail(mailIn(server.plain)).text).toBe('it stopped');
  });

  test.each([
    ['smtp://mail.example/', false, undefined, true],
    ['smtp://127.0.0.1/', false, undefined, true],
    ['smtp://127.0.0.1/', true, undefined, false],
    ['smtp://127.0.0.1/?tls=required', true, undefined, true],
    ['smtp://u:p@127.0.0.1/?tls=off', false, undefined, false],
    ['smtp://mail.example/?tls=off', false, undefined, false],
    ['smtp://127.0.0.1.example/', true, undefined, true],
    ['smtp://u:p@mail.example/?tls=off', true, /for this machine only/, false],
    ['smtp://u@mail.example/?tls=off', true, /for this machine only/, false],
    ['smtp://:p@mail.example/?tls=off', true, /for this machine only/, false],
    ['smtps://mail.example/?tls=off', true, /always encrypted/, false],
    ['smtp://mail.example/?tls=of', true, /required or off/, true],
    ['smtp://mail.example/?tls=off&tls=required', true, /required or off/, false],
    ['https://mail.example/', true, /must be smtps/, true],
  ])('%s in the sandbox %s: %s, encrypted %s', (address, isSandbox, problem, isEncrypted) => {
    const url = new URL(address);
    const found = channel.addressProblem(url, isSandbox);
    if (problem === undefined) expect(found).toBeUndefined();
    else expect(found).toMatch(problem);
    if (found === undefined) expect(isEncryptedMail(url, isSandbox)).toBe(isEncrypted);
  });

  test('a live notification to a server without TLS on this machine is not sent', async () => {
    const server = await started({ tls: 'none' });
    const message = { body: {}, subject: 's', text: 't', isSandbox: false };
    const address = `smtp://127.0.0.1:${server.port}/?${envelope}`;
    await expect(deliver(address, message, { channel })).rejects.toMatchObject({
      message: expect.stringContaining(
        'the server does not offer STARTTLS (502), and nothing was sent',
      ),
      hint: 'check the mail server, and the address, which is a secret and not shown',
      mayRetry: false,
    });
  });
});

describe('nothing is injected', () => {
  test.each([
    ['a line in the recipient', 'from=a@x.org&to=b@x.org%0d%0aDATA'],
    ['a line feed in the recipient', 'from=a@x.org&to=b@x.org%0aBcc:%20evil@x.org'],
    ['a parameter in the sender', 'from=a@x.org%3E%20SIZE=1&to=b@x.org'],
    ['a name in the sender', 'from=Desk%20%3Ca@x.org%3E&to=b@x.org'],
    ['a NUL in the recipient', 'from=a@x.org&to=b@x.org%00'],
    ['an empty recipient', 'from=a@x.org&to=b@x.org,'],
    ['no sender', 'to=b@x.org'],
  ])('by %s', async (_name, query) => {
    const server = await started();
    expect(await send(server, { query })).toContain('the address needs ?from');
    expect([server.plain, server.encrypted]).toEqual([[], []]);
  });

  test.each(['a\r\nBcc: evil@x.org', 'a\nRCPT TO:<evil@x.org>', 'a\r\n.\r\nMAIL', '\u2028ü\u0000'])(
    'by the subject and the text %j',
    async (hostile) => {
      const server = await started();
      expect(await send(server, { more: { subject: hostile, text: hostile } })).toBeUndefined();
      const names = mailIn(server.encrypted)
        .split('\n\n')[0]
        ?.replaceAll('\n ', ' ')
        .split('\n')
        .map((line) => line.split(':')[0]);
      expect(names).toEqual([
        'Content-Transfer-Encoding',
        'Auto-Submitted',
        'From',
        'To',
        'Subject',
        'Message-ID',
        'Date',
        'MIME-Version',
        'Content-Type',
      ]);
      expect(verbs(server.encrypted).filter((word) => word === 'RCPT')).toHaveLength(1);
      expect(decodedMail(mailIn(server.encrypted))).toMatchObject({
        subject: hostile.replaceAll(/\s+/g, ' ').trim(), // a subject is one line
        text: hostile,
      });
    },
  );

  test('by a line break in the password', async () => {
    const server = await started();
    expect(await send(server, { user: 'desk:a%0d%0aRSET@' })).toBeUndefined();
    expect(verbs(server.encrypted)).not.toContain('RSET');
  });
});

describe('an error', () => {
  test('has the code of the server, and nothing that it repeats', async () => {
    const repeated = Buffer.from(`\0desk\0${password}`).toString('base64');
    const server = await started({ replies: { AUTH: `535 5.7.8 ${password} ${repeated} desk` } });
    expect(await send(server)).toBe('Error: the server answered 535 to AUTH PLAIN');
  });

  test('names the command, and whether another attempt may help', async () => {
    for (const [word, shown] of [
      ['MAIL', 'MAIL FROM'],
      ['RCPT', 'RCPT TO'],
      ['DATA', 'DATA'],
    ] as const) {
      const server = await started({ replies: { [word]: '451 later' } });
      const url = new URL(`smtp://${login}127.0.0.1:${server.port}/?${envelope}`);
      const options = { isEncrypted: true, signal: AbortSignal.timeout(10_000), ca: server.ca };
      await expect(sendEmail(url, email, options)).rejects.toMatchObject({
        message: `the server answered 451 to ${shown}`,
        isPassing: true,
      });
    }
  });

  test.each(['desk@', ':secret@', 'desk:50%off@'])(
    'tells of the login %s before anything is sent',
    async (user) => {
      const server = await started();
      expect(await send(server, { user })).toMatch(/without a password|percent-encoded/);
      expect(server.plain).toEqual([]);
    },
  );

  test('tells of recipients that were refused, and the others do not get it twice', async () => {
    const server = await started({ replies: { 'RCPT TO:<c@x.org>': '451 later' } });
    const url = new URL(`smtp://127.0.0.1:${server.port}/?from=a@x.org&to=b@x.org,c@x.org`);
    const options = { isEncrypted: true, signal: AbortSignal.timeout(10_000), ca: server.ca };
    await expect(sendEmail(url, email, options)).rejects.toMatchObject({
      message: 'sent to 1 of 2 recipients: the server answered 451 for others',
      isPassing: false,
    });
    expect(mailIn(server.encrypted)).toContain('Subject');
  });

  test('shows no password, however it is inspected', async () => {
    const server = await started({ tls: 'none' });
    const url = new Secret(`smtp://${login}127.0.0.1:${server.port}/?${envelope}`);
    const message = { body: {}, subject: 's', text: 't', isSandbox: false };
    const failure: unknown = await deliver(url.reveal(), message, { channel }).catch(
      (error: unknown) => error,
    );
    const { inspect } = await import('node:util');
    expect(inspect(failure, { depth: 9, showHidden: true })).not.toMatch(
      /p@ss|p%40ss|127\.0\.0\.1:/,
    );
  });
});

test('the server is told goodbye, however it answers', async () => {
  const server = await started({ replies: { QUIT: '' } });
  expect(await send(server)).toBeUndefined();
  expect(verbs(server.encrypted).at(-1)).toBe('QUIT');
});
