/** Somebody else writes to the database: a worker executes nothing that its own checkout would refuse. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { sha256 } from '../../src/base/json.ts';
import { headerOf, headerText } from '../../src/engine/journal/header.ts';
import { chainStart, encodeRecord, readRecord } from '../../src/engine/journal/record.ts';
import {
  desk,
  expectOrders,
  folder,
  follow,
  planned,
  type,
  worker,
  type PostgresDesk,
} from './desk.ts';
import { login } from './server.ts';

const sql = ({ server }: PostgresDesk, text: string): Promise<readonly Record<string, unknown>[]> =>
  server.sql(text, login.database);

const quoted = (text: string): string => `$q$${text}$q$`;

interface Forged {
  readonly id: string;
  readonly kind: 'run' | 'resume' | 'discard';
  readonly body: string;
  readonly profiles?: readonly string[];
}

async function put(
  all: PostgresDesk,
  { id, kind, body, profiles = ['main'] }: Forged,
): Promise<void> {
  await sql(
    all,
    `insert into deskhand.job (id, kind, playbook, profiles, accounts, format, queued_by, body, queued, free)
      values (${quoted(id)}, '${kind}', 'x', '{${profiles.join(',')}}', '{}', 1, 'nobody', ${quoted(body)},
        clock_timestamp(), clock_timestamp())`,
  );
}

/** The ending of a job, when it has one. */
async function endOf(all: PostgresDesk, id: string): Promise<string> {
  for (;;) {
    const [row] = await sql(all, `select ending from deskhand.job where id = ${quoted(id)}`);
    if (typeof row?.['ending'] === 'string') return row['ending'];
    await sleep(100);
  }
}

test('a job with any id, and any body, ends: nothing is deleted, printed raw or stopped by it', async () => {
  const all = await desk();
  const cwd = folder(all);
  mkdirSync(join(cwd, 'victim'));
  writeFileSync(join(cwd, 'victim', 'file'), 'x');
  const { child, said } = await worker(all, {}, cwd);
  const escape = '\u001b[31mr-red\u001b]0;title\u0007';
  const ids = ['../../victim', '..', 'x'.repeat(300), escape, 'r-1'];
  for (const id of ids) await put(all, { id, kind: 'resume', body: 'nonsense' });
  for (const id of ids) expect(await endOf(all, id)).toContain('"exit"');
  await put(all, { id: 'r-2', kind: 'run', body: '{"plan":1}' });
  await put(all, { id: 'r-3', kind: 'discard', body: 'null' });
  for (const id of ['r-2', 'r-3']) expect(await endOf(all, id)).toContain('cannot be read');
  expect([existsSync(join(cwd, 'victim', 'file')), existsSync(join(cwd, '.deskhand'))]).toEqual([
    true,
    true,
  ]);
  expect(said()).not.toContain('\u001b');
  expect(child.exitCode).toBe(null);
  const { file } = await planned(all, cwd);
  expect((await follow(all, cwd, file)).code).toBe(0);
});

test('a job that names another profile than its plan, or has the plan of another run, is refused', async () => {
  const all = await desk();
  const cwd = folder(all);
  const path = join(cwd, 'deskhand.yaml');
  const config = readFileSync(path, 'utf8');
  const main = /profiles: \{ (main: \{.*\}) \}/.exec(config)?.[1] ?? '';
  writeFileSync(path, config.replace(main, `${main}, ${main.replace('main', 'other')}`));
  const words = ['plan', 'ladder.yaml', '-p', 'other', '--out', 'other.json'];
  expect((await type(all, cwd, words)).code).toBe(0);
  const plan = readFileSync(join(cwd, 'other.json'), 'utf8');
  const { run } = JSON.parse(plan);
  const body = JSON.stringify({ plan, records: [] });
  await worker(all, {}, cwd, ['--profiles', 'main']);
  await put(all, { id: 'r-another', kind: 'run', body });
  expect(await endOf(all, 'r-another')).toContain('another run');
  await put(all, { id: run, kind: 'run', body });
  expect(await endOf(all, run)).toContain('does not serve profile other');
  await expectOrders(all, 0);
});

test('a journal that somebody made, with a playbook that is not in the checkout, is not continued', async () => {
  const all = await desk();
  const cwd = folder(all);
  const { file, run } = await planned(all, cwd);
  await worker(all, {}, cwd);
  expect((await follow(all, cwd, file)).code).toBe(0);
  const [row] = await sql(all, `select header from deskhand.run where id = '${run}'`);
  const [line] = await sql(
    all,
    `select text from deskhand.lines where run = '${run}' and first = 1`,
  );
  const { entry } = readRecord(String(line?.['text']).split('\n')[0] ?? '');
  if (entry.kind !== 'started') throw new Error('a run starts with its start');
  const { seq: _seq, at, plan: _plan, ...event } = entry;
  const text = event.playbook.text.replace('0.030', '0.300');
  const playbook = { ...event.playbook, text, digest: sha256(text) };
  const made = encodeRecord(
    { ...event, run: 'r-made', playbook },
    { seq: 1, at, prev: chainStart },
  );
  const header = headerText({
    ...headerOf(JSON.parse(String(row?.['header'])), ''),
    run: 'r-made',
  });
  const columns = [
    'playbook',
    'accounts',
    'host',
    'owner',
    'nonce',
    'since_ms',
    'taken_ms',
    'taken',
    'taken_in',
    'ended',
    'reported',
    'incarnation',
    'lease',
  ];
  await sql(
    all,
    `insert into deskhand.run (id, header, link, epoch, lines, ${columns.join(', ')})
      select 'r-made', ${quoted(header)}, '${made.link}', 1, 1, ${columns.join(', ')} from deskhand.run where id = '${run}'`,
  );
  await sql(
    all,
    `insert into deskhand.lines (run, first, last, text) values ('r-made', 1, 1, ${quoted(made.line)})`,
  );
  await put(all, { id: 'r-made', kind: 'resume', body: 'null' });
  expect(await endOf(all, 'r-made')).toContain('is not what plan');
  await expectOrders(all, 3);
});
