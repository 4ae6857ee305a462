/** Tables, roles and settings of a real server. */
import { beforeAll, expect, test } from 'vitest';
import { hour } from '../../src/base/clock.ts';
import { exits } from '../../src/base/error.ts';
import { openFiles } from '../../src/stores/postgres/files.ts';
import { inspectPostgres } from '../../src/stores/postgres/inspect.ts';
import { openPaces } from '../../src/stores/postgres/paces.ts';
import { openQueue } from '../../src/stores/postgres/queue.ts';
import { openPostgres } from '../../src/stores/postgres/runs.ts';
import { migrations, tableVersion } from '../../src/stores/postgres/table-versions.ts';
import { upgradePostgres } from '../../src/stores/postgres/upgrade.ts';
import { batchOf, lease, requestOf, resumeOf, taken } from '../stores/shared/contract.ts';
import { jobOf, workerOf } from '../stores/shared/queue-contract.ts';
import { startPostgres, type PostgresServer } from './server.ts';

let server: PostgresServer;
let databases = 0;

beforeAll(async () => {
  server = await startPostgres();
});

/** The URL of a new database, and what executes statements in it as superuser. */
async function newDatabase(
  owner = 'desk',
): Promise<{ readonly url: string; readonly sql: (text: string) => Promise<unknown> }> {
  const name = `db${++databases}`;
  await server.sql(`create database ${name} owner ${owner}`);
  return {
    url: server.url().replace(/\/\w+$/, `/${name}`),
    sql: (text) => server.sql(text, name),
  };
}

test('tables are made once, also by several upgrades at the same time', async () => {
  const { url } = await newDatabase();
  const first = await Promise.all(Array.from({ length: 5 }, () => upgradePostgres(url)));
  expect(first.filter(({ from }) => from === 0)).toHaveLength(1);
  expect(first.filter(({ from }) => from === tableVersion)).toHaveLength(4);
  expect(await upgradePostgres(url)).toEqual({ from: tableVersion, to: tableVersion });
});

test('a database without tables, or with older ones, is refused with the command that helps', async () => {
  const { url, sql } = await newDatabase();
  const runs = openPostgres({ url, lease });
  const refused = {
    message: expect.stringContaining('does not have the tables'),
    hint: 'deskhand store upgrade',
  };
  await expect(runs.claims()).rejects.toMatchObject(refused);
  await upgradePostgres(url);
  expect(await runs.claims()).toEqual([]);
  await sql(`update deskhand.meta set version = ${tableVersion - 1}`);
  await runs.close();
  await expect(openPostgres({ url, lease }).claims()).rejects.toMatchObject(refused);
});

test('tables of version 1 are brought to this version with the runs in them', async () => {
  const { url, sql } = await newDatabase();
  await sql(`set role desk; ${migrations[0]}`);
  const { header, link } = batchOf(0, 'a\n');
  await sql(`insert into deskhand.run (id, playbook, accounts, host, owner, nonce, since_ms, taken_ms,
      taken, taken_in, reported, header, epoch, lines, link, incarnation, lease)
    values ('r', 'ladder', '[]', 'desk-1', '{}', 'n', 0, 0, now(), deskhand.incarnation(), false,
      '${header}', 1, 1, '${link}', deskhand.incarnation(), now());
    insert into deskhand.lines values ('r', 1, 1, 'a' || chr(10))`);
  expect(await upgradePostgres(url)).toEqual({ from: 1, to: tableVersion });
  const runs = openPostgres({ url, lease });
  const { incarnation } = (await taken(runs, requestOf('other'))).holder;
  const holder = { run: 'r', epoch: 1, incarnation, lease };
  expect(await runs.keep(holder, batchOf(1, 'b\n'))).toBe(true);
  expect(await runs.lines('r', 0)).toMatchObject({ text: 'a\nb\n' });
  const queue = openQueue({ url, lease });
  expect(await queue.put(jobOf('r'))).toBe('queued');
  await Promise.all([runs.close(), queue.close()]);
});

test('tables of a newer version are refused, and not changed', async () => {
  const { url, sql } = await newDatabase();
  await upgradePostgres(url);
  await sql('update deskhand.meta set version = 99');
  const runs = openPostgres({ url, lease });
  await expect(runs.claims()).rejects.toThrow(/are of a newer version: 99/);
  await expect(upgradePostgres(url)).rejects.toThrow(/are of a newer version: 99/);
  expect(await sql('select version from deskhand.meta')).toEqual([{ version: 99 }]);
  await runs.close();
});

test('a role that may only use the tables is enough', async () => {
  const { url, sql } = await newDatabase('postgres');
  await sql(`create role maker superuser login password 'maker-p4ss'`);
  await upgradePostgres(url.replace(/desk:[^@]*@/, 'maker:maker-p4ss@'));
  await sql('revoke execute on function pg_control_system() from public');
  const runs = openPostgres({ url, lease });
  await expect(runs.claims()).rejects.toThrow(/refused access/);
  await sql('grant usage on schema deskhand to desk');
  await sql('grant select, insert, update, delete on all tables in schema deskhand to desk');
  expect(await inspectPostgres(url)).toMatchObject({ isTimelineReadable: true });
  const { holder } = await taken(runs, requestOf('r'));
  expect(await runs.keep(holder, batchOf(0, 'a\n'))).toBe(true);
  await runs.restored(requestOf('r').now + hour);
  expect(await runs.unlock('r', 'nonce of r', false)).toBe(true);
  expect((await taken(runs, resumeOf('r'))).forgot).toBeDefined();
  expect((await runs.changed()).runs).toHaveLength(1);
  expect(await runs.claims()).toHaveLength(1);
  await runs.close();

  const files = openFiles({ url, lease });
  expect(await files.create('a/b', 'text')).toBe(true);
  expect(await files.replace('a/b', 'other', 'text')).toBe(true);
  expect(await files.append('a/b', 'line', 'id')).toBeGreaterThan(0);
  expect(await files.names('a')).toEqual(['b']);
  await files.remove('a');
  expect(await files.lock('lock', 'holder', lease)).toBe(true);
  await files.renew('lock', 'holder', lease);
  await files.unlock('lock', 'holder');
  await files.close();
  const paces = openPaces({ url, lease });
  await paces.hold('key', 0);
  expect(await paces.take('key', { permits: 1, per: hour, of: 'ip' }, 'id')).toBe(0);
  await paces.answered('key', 'id');
  await paces.close();

  const queue = openQueue({ url, lease });
  const worker = workerOf('w');
  const job = jobOf('j', { kind: 'resume' });
  const done = { exit: exits.done, message: 'done' };
  for (let times = 0; times < 2; times++) {
    expect(await queue.put(job)).toBe('queued');
    expect(await queue.take(worker, lease)).toEqual(job);
    expect(await queue.beat(worker, lease)).toEqual([{ id: 'j' }]);
    await queue.wake(hour, new AbortController().signal);
    await queue.finish('w', 'j', done);
  }
  await queue.leave('w');
  await queue.close();
});

test('a server that hides its timeline is used, and a person can report lost lines', async () => {
  const { url, sql } = await newDatabase();
  await upgradePostgres(url);
  expect(await inspectPostgres(url)).toMatchObject({ isTimelineReadable: true });
  await sql('revoke execute on function pg_walfile_name(pg_lsn) from public');
  await sql('revoke execute on function pg_control_system() from public');
  expect(await inspectPostgres(url)).toMatchObject({ isTimelineReadable: false });
  const runs = openPostgres({ url, lease });
  const { holder } = await taken(runs, requestOf('r'));
  expect(await runs.keep(holder, batchOf(0, 'a\n'))).toBe(true);
  await runs.restored(requestOf('r').now);
  expect(await runs.keep(holder, batchOf(1, 'b\n'))).toBe(false);
  await runs.close();
});

test('a server is inspected with and without tables', async () => {
  const { url } = await newDatabase();
  const expected = { expected: tableVersion, fsync: true, hasSynchronousStandby: false };
  expect(await inspectPostgres(url)).toMatchObject({
    ...expected,
    tables: 0,
    isTimelineReadable: undefined,
    server: expect.stringMatching(/^\d+/),
  });
  await upgradePostgres(url);
  expect(await inspectPostgres(url)).toMatchObject({ ...expected, tables: tableVersion });
});

test('lines are confirmed when they are on the disk, whatever the database allows by default', async () => {
  const { url, sql } = await newDatabase();
  await upgradePostgres(url);
  const name = new URL(url).pathname.slice(1);
  await sql(`alter database ${name} set synchronous_commit = off`);
  await sql(`alter database ${name} set default_transaction_isolation = serializable`);
  // The settings of the session that stores the lines are written beside them.
  await sql(`create table public.seen (sync text, isolation text)`);
  await sql(`grant all on public.seen to desk`);
  await sql(`create function public.see() returns trigger language plpgsql as $$ begin
    insert into public.seen values
      (current_setting('synchronous_commit'), current_setting('transaction_isolation'));
    return new; end $$`);
  await sql(`create trigger see after insert on deskhand.lines execute function public.see()`);
  const runs = openPostgres({ url, lease });
  const { holder } = await taken(runs, requestOf('r'));
  expect(await runs.keep(holder, batchOf(0, 'a\n'))).toBe(true);
  expect(await sql('select * from public.seen')).toEqual([
    { sync: 'on', isolation: 'read committed' },
  ]);
  await runs.close();
});

test('storing lines updates a row within its page: no index has a column that changes', async () => {
  const { url, sql } = await newDatabase();
  await upgradePostgres(url);
  const runs = openPostgres({ url, lease });
  const holders = [];
  for (let run = 0; run < 40; run++) {
    holders.push((await taken(runs, requestOf(`run-${run}`))).holder);
  }
  for (let count = 0; count < 20; count++) {
    for (const holder of holders) await runs.keep(holder, batchOf(count, 'line\n'));
  }
  await runs.close();
  await sql('select pg_stat_force_next_flush()');
  const [row] = (await sql(`select n_tup_upd::int as updated, n_tup_hot_upd::int as within
    from pg_stat_user_tables where schemaname = 'deskhand' and relname = 'run'`)) as {
    readonly updated: number;
    readonly within: number;
  }[];
  expect(row?.updated).toBeGreaterThanOrEqual(800);
  expect(row?.within).toBe(row?.updated);
});

test('a run that ended long before the cursor is not a change', async () => {
  const { url, sql } = await newDatabase();
  await upgradePostgres(url);
  const runs = openPostgres({ url, lease });
  const { holder } = await taken(runs, requestOf('old'));
  await runs.keep(holder, batchOf(0, 'a\n'));
  await runs.release(holder);
  await sql(`update deskhand.run set ended = ended - interval '1 hour'`);
  const all = await runs.changed();
  expect(all.runs).toHaveLength(1);
  expect((await runs.changed(all.cursor)).runs).toEqual([]);
  await runs.restored(0);
  expect((await runs.changed(all.cursor)).runs).toHaveLength(1);
  await runs.close();
});

test('an incarnation that returns after another one counts as a new one', async () => {
  const { url, sql } = await newDatabase();
  await upgradePostgres(url);
  const runs = openPostgres({ url, lease });
  const { holder, forgot } = await taken(runs, requestOf('r'));
  expect(forgot).toBeUndefined();
  // As when a dump of the server that replaced this one is restored here.
  await sql(`insert into deskhand.history (incarnation, until_ms, since) values ('x', 0, now())`);
  const next = await taken(runs, requestOf('next'));
  expect(next.forgot).toBeDefined();
  expect(next.holder.incarnation).not.toBe(holder.incarnation);
  expect(await runs.keep(holder, batchOf(0, 'a\n'))).toBe(false);
  expect(await runs.keep(next.holder, batchOf(0, 'a\n'))).toBe(true);
  await runs.close();
});
