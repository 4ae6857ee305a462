/** Notices with content: a page, tables, files of the run, the address of the run. */
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { Outcome } from '../../../src/engine/journal/entry.ts';
import { replay } from '../../../src/engine/journal/replay.ts';
import { localWords } from '../../../src/report/words.ts';
import { mailServer, webhook } from '../../app/notification/recipients.ts';
import {
  entriesOf,
  live,
  openHarness,
  planOn,
  playbookFrom,
  type Harness,
  type Life,
} from '../../support/harness.ts';
import { headerText, leavesOf, mimeOf, shapeOf } from '../../support/mime.ts';

const rows = `playbook: 1
name: weekly
steps:
  - id: tickers
    uses: market/list-tickers
    with: { category: USDT-FUTURES }
    write: { file: out/tickers.csv, columns: { symbol: "{{ row.symbol }}" } }
  - id: top
    uses: report/table
    with:
      from: tickers
      columns: { symbol: "{{ row.symbol }}", note: "<b>&{{ row.symbol }}" }
  - id: summary
    uses: report/page
    with:
      file: out/week.html
      title: The week
      parts: [{ text: "All **well**, {{ steps.top.response.rows.0.note }}" }, { table: top, rows: 2 }]
`;

const mail = (fields: string, before = rows): string =>
  `${before}  - id: mail\n    needs: [summary, tickers]\n    uses: notify/webhook\n    with: { url: "{{ secrets.MAIL }}", text: Good morning, ${fields} }\n`;

const full =
  'subject: "Week of {{ date run.time \'yyyy-MM-dd\' }}", page: summary, attach: ["{{ steps.tickers.file }}", out/week.html], link: true';

interface Sent {
  readonly harness: Harness;
  readonly mails: readonly string[];
  readonly outcome: Outcome | undefined;
  readonly again: (life?: Life) => Promise<unknown>;
}

async function sent(text: string, life: Life = {}): Promise<Sent> {
  const harness = await openHarness();
  const server = await mailServer();
  onTestFinished(server.close);
  const url = `smtp://127.0.0.1:${server.port}/?from=desk@x.org&to=ops@x.org,lee@x.org`;
  const playbook = playbookFrom(text);
  const again = (more: Life = {}) => live(harness, playbook, { secret: () => url, ...more });
  await again(life).catch(() => undefined);
  const outcome = replay(entriesOf(harness)).get('mail')?.outcome;
  return { harness, mails: server.mails, outcome, again };
}

test('an e-mail has a text, the page as HTML, and the files of the run', async () => {
  const { harness, mails, outcome } = await sent(mail(full));
  const file = (name: string): Buffer => readFileSync(join(harness.workspace, name));
  expect(outcome).toMatchObject({
    kind: 'done',
    output: {
      sent: true,
      subject: 'Week of 2026-11-20',
      page: 'out/week.html',
      attached: ['out/tickers.csv', 'out/week.html'],
    },
  });
  const message = mimeOf(mails[0] ?? '');
  expect(shapeOf(message)).toBe('mixed(alternative(plain, html), csv, html)');
  expect(headerText(message.headers.get('subject'))).toBe('Week of 2026-11-20');
  expect(message.headers.get('to')).toBe('ops@x.org, lee@x.org');
  expect(message.headers.get('message-id')).toMatch(/^<[0-9a-f]{16}@x\.org>$/);
  const [text, html, csv, page] = leavesOf(message);
  expect(html?.content).toEqual(file('out/week.html'));
  expect(page?.content).toEqual(file('out/week.html'));
  expect(csv?.content).toEqual(file('out/tickers.csv'));
  expect(csv?.headers.get('content-disposition')).toContain('filename=tickers.csv');
  expect(String(text?.content).replace(/as of[^]*?run r-test/, '…')).toMatchInlineSnapshot(`
    "Good morning

      deskhand runs show r-test

    SANDBOX main weekly r-test

    The week

    - account main
    - started 2026-11-20 04:00:00 UTC
    - playbook weekly
    - run r-test

    All well, <b>&BTCUSDT

    top 9 rows

    symbol   note
    BTCUSDT  <b>&BTCUSDT
    ETHUSDT  <b>&ETHUSDT

    … 7 more rows

    Sources

    File             Step     Rows      Size  Pages read  Complete            sha256
    out/tickers.csv  tickers     9  92 bytes           1  all requested data  13d69784f9f7…

    Account: sandbox, main, in-process
    As of: 2026-11-20 04:00:00 UTC, by the exchange’s clock
    Playbook: test.yaml sha256 4fd806b3ed73ffdd3babe48c8697788728fc80c5ab8b58968751454f34648d6b
    Run: r-test, kept in its journal
    Made by: deskhand test
    "
  `);
});

test('a resume does not send an e-mail again that was delivered', async () => {
  const { mails, again } = await sent(mail('subject: x'), {
    death: { at: 'journal', nth: 1_000, when: 'after' },
  });
  expect(mails).toHaveLength(1);
  await again();
  expect(mails).toHaveLength(1);
});

test('an e-mail whose outcome was lost is sent again with the same id', async () => {
  const texts: unknown[] = [];
  const harness = await openHarness();
  const playbook = playbookFrom(mail('subject: x'));
  const life = { notify: async (_url: string, notice: object) => void texts.push(notice) };
  for (let nth = 1; texts.length === 0; nth++) {
    harness.disk = '';
    await live(harness, playbook, { ...life, death: { at: 'journal', nth, when: 'before' } }).catch(
      () => undefined,
    );
  }
  await live(harness, playbook, life);
  expect(texts).toHaveLength(2);
  expect(texts[1]).toEqual(texts[0]);
});

test.each([
  ['of another run', (folder: string) => writeFileSync(join(folder, 'x.csv'), 'a'), 'x.csv'],
  [
    'that was changed',
    (folder: string) => writeFileSync(join(folder, 'out/tickers.csv'), 'symbol\n'),
    'out/tickers.csv',
  ],
  ['that is gone', (folder: string) => rmSync(join(folder, 'out/week.html')), 'out/week.html'],
  ['outside of the workspace', () => undefined, '../secret.txt'],
  ['with an absolute name', () => undefined, '/etc/passwd'],
])('a file %s is not attached, and nothing is sent', async (_name, change, file) => {
  const harness = await openHarness();
  const server = await mailServer();
  onTestFinished(server.close);
  const url = `smtp://127.0.0.1:${server.port}/?from=desk@x.org&to=ops@x.org`;
  const playbook = playbookFrom(mail(`attach: [${file}]`));
  const onEntry: Life['onEntry'] = (entry) => {
    if (entry.kind === 'opened' && entry.step === 'mail') change(harness.workspace);
  };
  const { status } = await live(harness, playbook, { secret: () => url, onEntry });
  const outcome = replay(entriesOf(harness)).get('mail')?.outcome;
  expect([status, outcome?.kind, server.mails]).toEqual(['stopped', 'failed', []]);
  expect(outcome).toMatchObject({
    code: expect.stringMatching(/^file-/),
    message: expect.stringContaining(file),
  });
});

test('files of more than 10 MB together are not sent, and the message says how many', async () => {
  const { runFiles } = await import('../../../src/engine/effects/run-file.ts');
  const entry = (file: string) =>
    ({
      kind: 'document',
      step: 's',
      file,
      bytes: 6 * 1024 * 1024,
      sha256: '',
      seq: 0,
      at: 0,
    }) as const;
  const place = { workspace: '/nowhere' };
  await expect(
    runFiles(['a.html', 'b.html'], [entry('a.html'), entry('b.html')], place),
  ).rejects.toMatchObject({
    code: 'file-too-large',
    message: '2 files of the notice have 12582912 bytes together, and it may have 10485760',
  });
});

test('a chat gets the table, and the command that shows the run', async () => {
  const hook = await webhook();
  onTestFinished(hook.close);
  const harness = await openHarness();
  const text = mail('subject: Top, table: top, rows: 2, link: true, format: slack');
  const secret = (): string => `http://127.0.0.1:${hook.port}/T0KEN`;
  await live(harness, playbookFrom(text), { secret });
  const [body] = hook.posted.map((posted) => JSON.parse(posted.body));
  expect(body.blocks.map(({ type }: { type: string }) => type)).toEqual([
    'rich_text',
    'table',
    'rich_text',
  ]);
  expect(body.blocks[1].rows).toHaveLength(3);
  expect(JSON.stringify(body)).toContain('deskhand runs show r-test');
  expect(JSON.stringify(entriesOf(harness))).not.toContain('T0KEN');
});

test('a page for a chat fails before anything is sent', async () => {
  const hook = await webhook();
  onTestFinished(hook.close);
  const harness = await openHarness();
  const secret = (): string => `http://127.0.0.1:${hook.port}/T0KEN`;
  await live(harness, playbookFrom(mail('page: summary')), { secret });
  expect(replay(entriesOf(harness)).get('mail')?.outcome).toMatchObject({
    kind: 'failed',
    code: 'config',
    message: 'mail: page can be sent by e-mail only, and url is for json',
  });
  expect(hook.posted).toEqual([]);
});

test('in finally a notice is sent without a page that was not written, and says so', async () => {
  const text = `${rows.replace('  - id: top', '  - id: bad\n    uses: market/list-tickers\n    with: { category: USDT-FUTURES }\n    expect: [{ that: "{{ eq 1 2 }}" }]\n  - id: top\n    needs: [bad, tickers]')}finally:\n  - id: mail\n    uses: notify/webhook\n    with: { url: "{{ secrets.MAIL }}", text: ended, page: summary }\n`;
  const { mails } = await sent(text);
  const message = mimeOf(mails[0] ?? '');
  expect(shapeOf(message)).toBe('plain');
  expect(String(message.content)).toBe('ended\n\nThe page summary was not written.');
});

test('an e-mail of a page with a sortable table has no script, and its attached file has it', async () => {
  const sortable = rows.replace('rows: 2 }', 'rows: 2, sortable: true }');
  const { harness, mails } = await sent(mail(full, sortable));
  const page = readFileSync(join(harness.workspace, 'out/week.html'), 'utf8');
  expect(page).toContain('<script>');
  const [text, shown, , attached] = leavesOf(mimeOf(mails[0] ?? ''));
  expect(String(text?.content)).not.toContain('querySelector');
  expect(String(shown?.content)).not.toContain('<script');
  expect(String(attached?.content)).toBe(page);
});

test('a plan shows what an e-mail has, and to which host', async () => {
  const harness = await openHarness();
  const plan = await planOn(harness, playbookFrom(mail(full)));
  const action = plan.steps.find(({ id }) => id === 'mail')?.actions[0];
  expect(action && localWords(action)).toMatchInlineSnapshot(
    `"POST to secrets.MAIL: "Good morning", with the subject "Week of 2026-11-20", the page summary, out/tickers.csv, out/week.html and the address of the run"`,
  );
});

test.each([
  ['page: sumary', 'unknown step "sumary"'],
  ['page: top', 'top writes no page'],
  ['table: summary', 'summary brings no rows'],
  ['page: summary, table: top', 'a notice has a page or a table, not both'],
  ['table: top, rows: 0', 'rows'],
  ['rows: 3', 'rows is for a table, and this notice has none'],
  ['attach: [3]', 'attach expects names of files'],
  ['attach: ["{{ steps.tickers.rows }}"]', 'attach expects names of files'],
  ['attach: ["{{ steps.tickers.fil }}"]', 'steps.tickers has no "fil"'],
  ['link: "yes"', 'link must be true or false'],
  ['page: summary, format: slack', 'page is for e-mail, and this notice is for slack'],
  ['attach: [out/a.csv], format: telegram', 'attach is for e-mail'],
  ['page: "{{ run.id }}"', 'this is read before the run'],
  ['sbject: x', 'has no field "sbject"'],
])('validate refuses %s', (fields, message) => {
  expect(() => playbookFrom(mail(fields))).toThrow(message);
});

test('the files of all items of a for-each are attached', async () => {
  const text = `playbook: 1
name: items
steps:
  - id: tickers
    for-each: [SPOT, USDT-FUTURES]
    uses: market/list-tickers
    with: { category: "{{ each.value }}" }
    write: { file: "out/{{ each.key }}.csv", columns: { symbol: "{{ row.symbol }}" } }
  - id: mail
    uses: notify/webhook
    with: { url: "{{ secrets.MAIL }}", text: files, attach: "{{ steps.tickers.file }}" }
`;
  const { mails } = await sent(text);
  expect(shapeOf(mimeOf(mails[0] ?? ''))).toBe('mixed(plain, csv, csv)');
});
