/** Notifications: what they say of an end, once for each event, and hostile text in every format. */
import { afterEach, describe, expect, test } from 'vitest';
import { standingClock } from '../../../src/base/clock.ts';
import { Secret } from '../../../src/base/secret.ts';
import type { Entry, Event } from '../../../src/engine/journal/entry.ts';
import { email } from '../../../src/language/channels/email.ts';
import { json } from '../../../src/language/channels/json.ts';
import { slack } from '../../../src/language/channels/slack.ts';
import { teams } from '../../../src/language/channels/teams.ts';
import { messageOf } from '../../../src/app/notification/message.ts';
import {
  noticeOf,
  noticeOfCrash,
  noticeOfEnd,
  type Notice,
} from '../../../src/app/notification/notice.ts';
import { sendNotice } from '../../../src/app/notification/send.ts';
import { doneRun, doubtRun, interruptedRun, killedRun, stoppedRun } from '../../support/entries.ts';
import { decodedMail, mailServer, webhook } from './recipients.ts';

const closing: (() => void)[] = [];
afterEach(() => {
  for (const close of closing.splice(0)) close();
});

/** Continues a journal. */
function and(entries: readonly Entry[], ...events: readonly Event[]): Entry[] {
  const last = entries.at(-1);
  return [
    ...entries,
    ...events.map((event, at): Entry => {
      return { ...event, seq: entries.length + at + 1, at: (last?.at ?? 0) + at + 1 };
    }),
  ];
}

describe('the end of a run', () => {
  test('in doubt says what, why, where and what to type', () => {
    const notice = noticeOfEnd(doubtRun());
    expect(notice).toMatchObject({
      event: 'in-doubt',
      command: 'deskhand resume r-9d1f',
      run: 'r-9d1f',
      playbook: 'desk-setup',
      target: 'live',
    });
    expect(notice?.sentence).toMatch(/^desk-setup on mm-main stopped with 1 order in doubt\. /);
    const facts = new Map(notice?.facts);
    expect(facts.get('in doubt')).toMatch(
      /^BTCUSDT open long 0\.010 @ 61,000\.0.*, clientOid dh.*; unknown: the connection was reset .*; lists: open and history orders do not show it up to/,
    );
    expect([...facts.keys()]).toEqual(['in doubt', 'account', 'host', 'run', 'plan', 'started']);
  });

  test('stopped says where and why', () => {
    const notice = noticeOfEnd(stoppedRun());
    expect(notice?.event).toBe('stopped');
    expect(notice?.sentence).toMatch(/stopped at step \d of \d/);
    const facts = new Map(notice?.facts);
    expect(facts.get('where')).toMatch(/^ladder\[60500\.0\], .*:\d+$/);
    expect(facts.get('why')).toMatch(/^\d+ /);
  });

  test.each([
    ['done', doneRun()],
    ['interrupted', interruptedRun()],
    ['not reached', killedRun()],
  ])('that is %s notifies of nothing', (_name, entries) => {
    expect(noticeOfEnd(entries)).toBeUndefined();
  });
});

describe('a run that is resumed', () => {
  const again: Event = { kind: 'finished', status: 'doubt', exit: 6, outputs: null };
  const address = 'ladder[61000.0]';
  const first = doubtRun();

  test('and ends with the same doubt does not notify again', () => {
    expect(noticeOfEnd(first)).toBeDefined();
    expect(noticeOfEnd(and(first, { kind: 'resumed' }, again))).toBeUndefined();
    const stopped = stoppedRun();
    const [end] = stopped.slice(-1);
    if (end?.kind !== 'finished') throw new Error('the run has an end');
    expect(noticeOfEnd(and(stopped, { kind: 'resumed' }, end))).toBeUndefined();
  });

  test('and sends the order again, which is in doubt again, notifies again', () => {
    const intent = first.find((entry) => entry.kind === 'intended' && entry.address === address);
    if (intent?.kind !== 'intended') throw new Error('the order was sent');
    const doubt: Event = { kind: 'settled', address, outcome: { kind: 'doubt', because: 'lost' } };
    const sent = and(first, { kind: 'resumed' }, { ...intent, attempt: 2 }, doubt, again);
    const notice = noticeOfEnd(sent);
    expect(notice?.event).toBe('in-doubt');
    expect(notice?.id).not.toBe(noticeOfEnd(first)?.id);
  });

  test('and stops after its doubt is settled notifies of the stop', () => {
    const settled: Event = {
      kind: 'settled',
      address,
      outcome: { kind: 'refused', code: '43012', message: 'no funds', exit: 1 },
    };
    const end: Event = { kind: 'finished', status: 'stopped', exit: 1, outputs: null };
    const closed: Event = { kind: 'closed', step: 'ladder', status: 'refused' };
    const notice = noticeOfEnd(and(first, { kind: 'resumed' }, settled, closed, end));
    expect(notice?.event).toBe('stopped');
  });

  test('after a crash has the same id on every machine', () => {
    expect(noticeOfEnd(doubtRun())?.id).toBe(noticeOfEnd(first)?.id);
  });
});

describe('a run whose process was killed', () => {
  const why = 'its process ended with SIGKILL';

  test('during an order is in doubt, with what resumes it', () => {
    const notice = noticeOfCrash(killedRun(), why);
    expect(notice).toMatchObject({
      event: 'in-doubt',
      command: 'deskhand resume r-5t8w',
      run: 'r-5t8w',
    });
    expect(notice?.sentence).toMatch(/^desk-setup on sandbox not finished, 1 order in doubt\. /);
    expect(notice?.facts.slice(0, 2)).toEqual([
      ['why', why],
      [
        'in doubt',
        expect.stringMatching(
          /^BTCUSDT open long .*; unknown: no response is recorded; lists: not read for it yet/,
        ),
      ],
    ]);
  });

  test('between two orders stopped', () => {
    const notice = noticeOfCrash(killedRun().slice(0, -1), why);
    expect(notice).toMatchObject({ event: 'stopped', command: 'deskhand resume r-5t8w' });
    expect(notice?.facts[0]).toEqual(['why', why]);
  });

  test('after its end has the notification of that, which may not have been sent', () => {
    expect(noticeOfCrash(doubtRun(), why)).toEqual(noticeOfEnd(doubtRun()));
    expect(noticeOfCrash(doneRun(), why)).toBeUndefined();
  });

  test('twice is notified of twice', () => {
    const first = killedRun().slice(0, -1);
    const again = and(first, { kind: 'resumed' });
    expect(noticeOfCrash(again, why)?.id).not.toBe(noticeOfCrash(first, why)?.id);
  });
});

const hostile =
  '<!channel> *b* <https://evil.example|click> [x](https://evil.example) &amp; **x** <b>';
const notice = noticeOf({
  event: 'stopped',
  sentence: hostile,
  facts: [[`${hostile}`, hostile]],
  command: `deskhand resume 'r-1' ${hostile}`,
  playbook: 'ladder\r\nBcc: evil@example.org',
  profile: 'main',
  target: 'sandbox',
  run: 'r-1',
});

describe('hostile text', () => {
  test('is shown unchanged by Slack, without mentions and links', () => {
    const { body } = messageOf(notice, slack);
    const { text, mrkdwn, blocks } = body as { text: string; mrkdwn: boolean; blocks: object[] };
    expect(text).not.toMatch(/[<>]/);
    expect(text).toContain('&lt;!channel&gt;');
    expect(text).toContain('&amp;amp;');
    expect(mrkdwn).toBe(false);
    // Only elements of type `text`, which Slack never parses.
    const types = [...JSON.stringify(blocks).matchAll(/"type":"(\w+)"/g)].map(([, type]) => type);
    expect(new Set(types)).toEqual(
      new Set([
        'rich_text',
        'rich_text_section',
        'rich_text_list',
        'rich_text_preformatted',
        'text',
      ]),
    );
    expect(JSON.stringify(blocks)).toContain(hostile);
  });

  test('is shown unchanged by Teams, in text that is not Markdown', () => {
    const { body } = messageOf(notice, teams);
    const types = [...JSON.stringify(body).matchAll(/"type":"(\w+)"/g)].map(([, type]) => type);
    expect(new Set(types)).toEqual(
      new Set(['message', 'AdaptiveCard', 'RichTextBlock', 'TextRun']),
    );
    expect(JSON.stringify(body)).toContain(hostile);
  });

  test('adds no header to an e-mail, and no part that is HTML', async () => {
    const server = await mailServer();
    closing.push(server.close);
    const url = new Secret(`smtp://127.0.0.1:${server.port}/?from=desk@x.org&to=ops@x.org`);
    await sendNotice(notice, { channel: email, url }, standingClock(0));
    const [mail = ''] = server.mails;
    const { subject, text, headers } = decodedMail(mail);
    expect(headers.map((line) => line.split(':')[0])).toEqual([
      'Content-Transfer-Encoding',
      'Auto-Submitted',
      'From',
      'To',
      'Message-ID',
      'Date',
      'MIME-Version',
      'Content-Type',
    ]);
    expect(headers).toContain(`Message-ID: <${notice.id}@x.org>`);
    expect(headers).toContain('Date: Thu, 01 Jan 1970 00:00:00 +0000');
    expect(headers).toContain('Content-Type: text/plain; charset=utf-8');
    expect(subject).toMatch(/^deskhand sandbox: stopped: ladder\\u000d\\u000aBcc: evil/);
    expect(text).toBe(
      `${hostile}\n\n${hostile}: ${hostile}\n\n  deskhand resume 'r-1' ${hostile}\n`,
    );
  });
});

test('a webhook receives an object with a version, signed', async () => {
  const server = await webhook();
  closing.push(server.close);
  const recipient = {
    channel: json,
    url: new Secret(`http://127.0.0.1:${server.port}/`),
    key: new Secret('k'),
  } as const;
  await sendNotice(notice, recipient, standingClock(0));
  const [posted] = server.posted;
  expect(JSON.parse(posted?.body ?? '')).toEqual({
    version: 1,
    id: expect.stringMatching(/^[0-9a-f]{16}$/),
    event: 'stopped',
    text: hostile,
    facts: [{ name: hostile, value: hostile }],
    command: notice.command,
    playbook: notice.playbook,
    profile: 'main',
    target: 'sandbox',
    run: 'r-1',
  });
  expect(posted?.headers['x-deskhand-signature']).toMatch(/^sha256=[0-9a-f]{64}$/);
});

describe('a recipient that', () => {
  const send = (port: number, own: Notice = notice) => {
    const clock = standingClock(0);
    const url = new Secret(`http://127.0.0.1:${port}/token`);
    return sendNotice(own, { channel: slack, url }, clock).then(
      () => clock.now(),
      (error: unknown) => String(error),
    );
  };

  test.each([
    ['is busy', [503, 429], 6_000],
    ['cuts the connection', [undefined], 1_000],
  ])('%s is tried again shortly', async (_name, statuses, waited) => {
    const count = statuses.length;
    const server = await webhook([...statuses]);
    closing.push(server.close);
    expect(await send(server.port)).toBe(waited);
    expect(server.posted.length).toBe(count + 1);
  });

  test('stays busy is given up after three attempts', async () => {
    const server = await webhook([503, 503, 503]);
    closing.push(server.close);
    expect(await send(server.port)).toMatch(/not delivered: the server responded with 503$/);
    expect(server.posted.length).toBe(3);
  });

  test.each([400, 404, 302])('responds with %d is not tried again', async (status) => {
    const server = await webhook([status]);
    closing.push(server.close);
    expect(await send(server.port)).toContain(`the server responded with ${status}`);
    expect(server.posted.length).toBe(1);
  });

  test('is a mail server with a greylist is tried again', async () => {
    const server = await mailServer([451]);
    closing.push(server.close);
    const url = new Secret(`smtp://127.0.0.1:${server.port}/?from=desk@x.org&to=ops@x.org`);
    await sendNotice(notice, { url }, standingClock(0));
    expect(server.mails.length).toBe(1);
  });

  test('is not encrypted never gets a notification of a live account', async () => {
    const server = await webhook();
    closing.push(server.close);
    expect(await send(server.port, { ...notice, target: 'live' })).toContain(
      'url must be https://',
    );
    expect(server.posted).toEqual([]);
  });
});
