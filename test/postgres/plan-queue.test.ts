/** Plans made by a worker for people without a key, and jobs that nobody takes. */
import { once } from 'node:events';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { begin, deskhand } from '../cli/deskhand.ts';
import { files } from '../cli/ladder.ts';
import {
  beginWorker,
  desk,
  expectOrders,
  folder,
  type,
  worker,
  type PostgresDesk,
} from './desk.ts';
import { ask, planQueued, plansForOthers } from './elsewhere.ts';
import { login } from './server.ts';

const sql = ({ server }: PostgresDesk, text: string): Promise<readonly Record<string, unknown>[]> =>
  server.sql(text, login.database);

const jobs = async (all: PostgresDesk): Promise<string> =>
  JSON.stringify(await sql(all, 'select * from deskhand.job'));

const idIn = (file: string): string =>
  /"id": "(p-[0-9a-f]{8})"/.exec(readFileSync(file, 'utf8'))?.[1] ?? '';

test('a person without a key gets the plan of a worker, as if it was made here, and queues it from any machine', async () => {
  const all = await desk();
  await plansForOthers(all);
  expect(await jobs(all)).not.toContain('"rungs"'); // inputs are deleted with the end
});

test('the person who asks is an author of the plan, not the worker', async () => {
  const all = await desk();
  const cwd = folder(all);
  await worker(all, { GIT_AUTHOR_EMAIL: 'robot@desk.example' });
  const env = { ...all.reviewer, GIT_AUTHOR_EMAIL: 'Ann@desk.example' };
  const { stdout } = await deskhand([...planQueued, '-o', 'json'], { cwd, env });
  const { authors } = JSON.parse(stdout);
  expect(authors).toContain('ann@desk.example');
  expect(authors).not.toContain('robot@desk.example');
});

test('a worker with another playbook refuses, with both digests, and with a path outside its checkout', async () => {
  const all = await desk();
  const cwd = folder(all);
  await worker(all);
  writeFileSync(join(cwd, 'ladder.yaml'), files['ladder.yaml'].replace('0.030', '0.060'));
  const other = await ask(all, cwd, planQueued);
  expect([other.code, other.stderr]).toEqual([
    5,
    expect.stringMatching(
      /ladder.yaml is not the same here: sha256 [0-9a-f]{64} for .*, sha256 [0-9a-f]{64} on this worker/,
    ),
  ]);
  const body = { files: [{ file: '/etc/passwd', digest: 'x' }], inputs: {}, only: [], authors: [] };
  const put = (id: string, json: object): Promise<unknown> =>
    sql(
      all,
      `insert into deskhand.job (id, kind, playbook, profiles, accounts, format, queued_by, body, queued, free)
        values ('${id}', 'plan', 'x', '{main}', '{}', 2, 'x', $q$${JSON.stringify(json)}$q$, now(), now())`,
    );
  await put('plan-1', body);
  await put('plan-2', { ...body, files: [{ file: 'a/../../x', digest: 'x' }] });
  await put('plan-3', { ...body, files: [] });
  const made = await ask(all, folder(all), planQueued); // after them
  expect(made.code).toBe(0);
  const ends = await sql(all, `select ending from deskhand.job where id like 'plan-_' order by id`);
  expect(ends.map(({ ending }) => JSON.parse(String(ending)).message)).toEqual([
    expect.stringContaining('is not a path below the folder of this worker'),
    expect.stringContaining('is not a path below the folder of this worker'),
    expect.stringContaining('cannot be read'),
  ]);
});

test('what a worker finds comes back whole: code frames, notes, code and exit', async () => {
  const all = await desk();
  const [cwd, there] = [folder(all), folder(all)];
  const priced = files['ladder.yaml'].replace('count=inputs.rungs', 'count=(toNumber "x")');
  for (const each of [cwd, there]) writeFileSync(join(each, 'ladder.yaml'), priced);
  await worker(all, {}, there);
  const [queued, here] = [
    await ask(all, cwd, planQueued),
    await type(all, cwd, ['plan', 'ladder.yaml']),
  ];
  expect([queued.code, queued.stdout]).toEqual([here.code, here.stdout]);
  expect(here.code).not.toBe(0);
  const frames = here.stderr.slice(0, here.stderr.indexOf('error['));
  expect(queued.stderr).toContain(frames);
});

test('a secret of the profile that is known here is refused before anything is queued', async () => {
  const all = await desk();
  const cwd = folder(all);
  const passphrase = all.keys['DESKHAND_API_PASSPHRASE'] ?? '';
  const typed = await type(all, cwd, [...planQueued, '--var', `rungs=${passphrase}`]);
  expect([typed.code, typed.stderr]).toEqual([3, expect.stringContaining('contains a secret')]);
  const database = await ask(all, cwd, [...planQueued, '--var', `rungs=${login.password}`]);
  expect([database.code, database.stderr]).toEqual([
    3,
    expect.stringContaining('contains a secret'),
  ]);
  expect(await sql(all, 'select id from deskhand.job')).toEqual([]);
});

test('without a worker it says so at once; Ctrl-C cancels the plan, and --wait withdraws what nobody takes', async () => {
  const all = await desk();
  const cwd = folder(all);
  const child = begin(planQueued, { cwd, env: all.reviewer });
  let said = '';
  child.stderr.on('data', (part) => (said += String(part)));
  while (!said.includes('no worker is running')) await once(child.stderr, 'data');
  child.kill('SIGINT');
  const [code] = await once(child, 'close');
  expect(code).toBe(130);
  expect(await sql(all, `select ended is not null as ended, body from deskhand.job`)).toEqual([
    { ended: true, body: 'null' },
  ]);
  const other = folder(all);
  const config = readFileSync(join(other, 'deskhand.yaml'), 'utf8');
  const profiles = /profiles: \{ (main: \{.*\}) \}/.exec(config)?.[1] ?? '';
  const spot = config.replace(profiles, `${profiles}, ${profiles.replace('main', 'spot')}`);
  writeFileSync(join(other, 'deskhand.yaml'), spot);
  const only = beginWorker(all, {}, other, ['--profiles', 'spot']);
  while (!only.said().includes('serves spot')) await once(only.child.stderr, 'data');
  expect((await type(all, cwd, ['plan', 'ladder.yaml', '--out', 'plan.json'])).code).toBe(0);
  for (const words of [
    planQueued,
    ['run', 'plan.json', '--queue'],
    ['run', 'plan.json', '--queue', '--follow'],
  ]) {
    const ended = await ask(all, cwd, [...words, '--wait', '1s']);
    expect([ended.code, ended.stderr]).toEqual([
      5,
      expect.stringMatching(
        /no worker took .* within 1.0 s: no live worker serves main; live workers serve spot; it was withdrawn/,
      ),
    ]);
  }
  only.child.kill('SIGKILL');
  await once(only.child, 'exit');
  await expectOrders(all, 0);
  const queued = await ask(all, cwd, ['run', 'plan.json', '--queue']);
  expect([queued.code, queued.stderr]).toEqual([0, expect.stringContaining('job waits for one')]);
  const known = await ask(all, cwd, ['run', 'plan.json', '--queue', '--wait', '300ms']);
  expect([known.code, known.stderr]).toEqual([5, expect.stringContaining('it stays queued')]);
  await worker(all);
  const followed = await ask(all, cwd, ['run', 'plan.json', '--queue', '--follow', '--wait', '1m']);
  expect([followed.code, followed.stderr]).toEqual([0, expect.any(String)]);
  await expectOrders(all, 3);
});

test('what cannot be planned by a worker is refused with the reason', async () => {
  const all = await desk();
  const cwd = folder(all);
  mkdirSync(join(cwd, 'sub'));
  for (const [words, hint] of [
    [['plan', 'ladder.yaml', '--wait', '1m'], '--wait is for --queue'],
    [[...planQueued, '--wait', 'soon'], '--wait is a duration'],
    [[...planQueued, '--offline'], 'needs no worker'],
    [[...planQueued, '-p', 'sandbox'], 'which no worker reaches'],
    [[...planQueued, '--only', 'nothing'], 'unknown step'],
    [['plan', join(cwd, 'ladder.yaml'), '--queue'], 'is not a path below this folder'],
    [['plan', '../ladder.yaml', '-C', 'sub', '--queue'], 'is not a path below this folder'],
    [[...planQueued, '--store', 'local'], 'is not in a database'],
  ] as const) {
    const { code, stderr } = await ask(all, cwd, words);
    expect([words, code, stderr]).toEqual([
      words,
      expect.any(Number),
      expect.stringContaining(hint),
    ]);
    expect(code).not.toBe(0);
  }
  expect(await sql(all, 'select id from deskhand.job')).toEqual([]);
});

test('a plan that somebody put into the database is not shown as the one that was asked for', async () => {
  const all = await desk();
  const cwd = folder(all);
  await worker(all);
  expect((await ask(all, cwd, [...planQueued, '--var', 'rungs=1', '--out', 'one.json'])).code).toBe(
    0,
  );
  await sql(
    all,
    `create function deskhand.swap() returns trigger language plpgsql as $$ begin
      new.ending := replace(new.ending, new.ending::jsonb #>> '{result,plan}', '${idIn(join(cwd, 'one.json'))}');
      return new; end $$;
    create trigger swap before update of ending on deskhand.job for each row when (new.ending is not null)
      execute function deskhand.swap()`,
  );
  const swapped = await ask(all, cwd, [...planQueued, '--var', 'rungs=2']);
  expect([swapped.code, swapped.stderr]).toEqual([5, expect.stringContaining('other inputs')]);
  await sql(all, `update deskhand.plan set text = replace(text, '40000', '41000')`);
  await sql(all, 'drop trigger swap on deskhand.job');
  const [row] = await sql(all, 'select id from deskhand.plan limit 1');
  const named = await ask(all, folder(all), ['run', String(row?.['id']), '--queue']);
  expect([named.code, named.stderr]).toEqual([
    5,
    expect.stringContaining('was changed after it was saved'),
  ]);
});
