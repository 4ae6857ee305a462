/**
 * Another program writes to the database: for every column of every table a row with each hostile
 * value that the column takes, beside intact rows. Every reader refuses or marks that row, and goes
 * on with the others; nothing is sent.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { minute, systemClock } from '../../src/base/clock.ts';
import { openFiles } from '../../src/stores/postgres/files.ts';
import { openOutputs } from '../../src/stores/postgres/output.ts';
import { openPaces } from '../../src/stores/postgres/paces.ts';
import { openPlans } from '../../src/stores/postgres/plans.ts';
import { openQueue } from '../../src/stores/postgres/queue.ts';
import { openPostgres } from '../../src/stores/postgres/runs.ts';
import { tableVersion } from '../../src/stores/postgres/table-versions.ts';
import { afterEachTest } from '../support/cleanup.ts';
import { batchOf, lease, requestOf, taken } from '../stores/shared/contract.ts';
import { jobOf, workerOf } from '../stores/shared/queue-contract.ts';
import { refusedInWords } from '../stores/shared/in-words.ts';
import { isRunId } from '../../src/engine/journal/identity.ts';
import { summaryVersion } from '../../src/engine/journal/run-summary.ts';
import { overviewFact } from '../../src/report/overview/overview.ts';
import { hostileSites, texts, whole, type HostileSite } from './hostile.ts';

const newSite = hostileSites();

/** What is tried with hostile rows of each table. */
const cases: Readonly<Record<string, (site: HostileSite) => Promise<void>>> = {
  account: accounts,
  file: files,
  history,
  job: jobs,
  lines,
  lock: locks,
  meta,
  output: outputs,
  pace: (site) => paces('pace', site),
  pace_place: (site) => paces('pace_place', site),
  plan: plans,
  run: runs,
  summary: summaries,
  worker: workers,
};

test('every table of the schema is tried', async () => {
  const { tables } = await newSite();
  expect(Object.keys(cases)).toEqual((await tables()).toSorted());
});

test.each(Object.entries(cases))(
  'hostile rows of %s hide no intact one, and nothing is sent',
  async (_, tried) => {
    const site = await newSite();
    await tried(site);
    expect(site.sent()).toEqual([]);
  },
);

/** One that is closed after the test. */
function opened<T extends { close(): Promise<void> }>(one: T): T {
  afterEachTest(() => one.close());
  return one;
}

async function runs(site: HostileSite): Promise<void> {
  const { sql, typed } = site;
  const shared = opened(openPostgres({ url: site.url, lease }));
  const { holder } = await taken(shared, requestOf('r-good2345'));
  await shared.keep(holder, batchOf(0, 'one\n'));
  const planted = await site.plant('run', 'id', 'r-good2345');
  expect(planted.length).toBeGreaterThan(80);
  for (const key of planted) {
    await sql(
      `insert into deskhand.lines (run, first, last, text) values ('${key}', 1, 1, $q$${'one\n'}$q$)`,
    );
  }
  const known = (await shared.claims()).map(({ run }) => run);
  expect(known).toContain('r-good2345');
  for (const run of planted) {
    await refusedInWords(`claim of ${run}`, shared.claims(run));
    await refusedInWords(`lines of ${run}`, shared.lines(run, 0));
    await refusedInWords(`lines of ${run} after 1`, shared.lines(run, 1));
  }
  const list = await typed('runs', 'list');
  expect(list).toContain('r-good2345');
  expect(list).toContain('r-run-accounts-1');
  for (const [at, run] of ['r-good2345', ...planted].entries()) {
    await typed('runs', 'show', run);
    if (at % 2 === 0) expect(await typed('resume', run)).toContain('error[');
    else await typed('runs', 'logs', run);
  }
  await typed('runs', 'unlock', 'r-run-owner-0');
}

/** Who has an account is read from a run: each hostile one has an account. */
async function accounts(site: HostileSite): Promise<void> {
  const shared = opened(openPostgres({ url: site.url, lease }));
  const { holder } = await taken(shared, requestOf('r-good2345'));
  await shared.keep(holder, batchOf(0, 'one\n'));
  await site.plant('account', 'name', 'account of r-good2345');
  const planted = await site.plant('run', 'id', 'r-good2345');
  for (const run of planted) {
    await site.sql(
      `insert into deskhand.account (name, run) values ('account of ${run}', '${run}')`,
    );
    const id = `account of ${run}`;
    const request = requestOf(`r-after-${run}`, { accounts: [{ id, profile: 'live' }] });
    const found = await refusedInWords(`take of ${id}`, shared.take(request));
    if (found?.kind === 'taken') {
      // Only after a run that has ended, or that sent nothing.
      const [row] = await site.sql(`
        select ended is not null or lines <= 0 as free from deskhand.run where id = '${run}'`);
      expect([run, row?.['free']]).toEqual([run, true]);
    }
    const beside = { accounts: [id], playbook: 'ladder' };
    await refusedInWords(`runs beside ${id}`, shared.changed(undefined, beside));
  }
  const again = requestOf('r-second2', { accounts: requestOf('r-good2345').accounts });
  expect(await shared.take(again)).toMatchObject({ kind: 'running', claim: { run: 'r-good2345' } });
  await taken(shared, requestOf('r-other234'));
}

async function lines(site: HostileSite): Promise<void> {
  const shared = opened(openPostgres({ url: site.url, lease }));
  const { holder } = await taken(shared, requestOf('r-good2345'));
  await shared.keep(holder, batchOf(0, 'one\n'));
  for (const run of await site.plant('lines', 'run', 'r-good2345')) {
    await site.sql(`
      insert into deskhand.run select (jsonb_populate_record(run, '{"id":"${run}"}')).*
      from deskhand.run where id = 'r-good2345'`);
    await refusedInWords(`lines of ${run}`, shared.lines(run, 0));
    await site.typed('runs', 'show', run);
  }
  expect(await shared.lines('r-good2345', 0)).toMatchObject({ text: 'one\n' });
  await lineNumbers(site);
}

/** Rows that name other lines than they have are read to an end. */
async function lineNumbers({ url, sql }: HostileSite): Promise<void> {
  const shared = opened(openPostgres({ url, lease }));
  const { holder } = await taken(shared, requestOf('r-lines2345'));
  await shared.keep(holder, batchOf(0, 'one\ntwo\nthree\n'));
  for (const first of [...whole, '1', '2', '3']) {
    for (const last of [...whole, '1', '2', '3']) {
      await sql(`
        delete from deskhand.lines where run = 'r-lines2345';
        insert into deskhand.lines (run, first, last, text) values ('r-lines2345', 1, 1, $q$one\n$q$);
        insert into deskhand.lines (run, first, last, text)
          values ('r-lines2345', ${first}, ${last}, $q$two\n$q$) on conflict do nothing`);
      for (const after of [0, 1, 2]) {
        const count = (await shared.lines('r-lines2345', after))?.count;
        expect([first, last, count]).toEqual([first, last, 3]);
      }
    }
  }
}

async function jobs({ url, sql, plant, typed }: HostileSite): Promise<void> {
  const queue = opened(openQueue({ url, lease }));
  const worker = workerOf('w-good');
  await queue.put(jobOf('r-good-job'));
  const planted = await plant('job', 'id', 'r-good-job');
  expect(planted.length).toBeGreaterThan(70);
  expect(await typed('workers')).toContain('r-good-job');
  for (const job of planted) {
    const found = await refusedInWords(`job ${job}`, queue.find(job));
    for (const ms of [found?.age ?? 0]) expect([job, Number.isFinite(ms)]).toEqual([job, true]);
  }
  // Each for its own account, so that none waits for another: also one that never becomes free is taken.
  await sql(`update deskhand.job set accounts = array[id] where cardinality(accounts) = 1`);
  const open = await sql(`
    select id from deskhand.job
    where ended is null and profiles <@ array['${worker.profiles.join(`', '`)}']`);
  const names: string[] = [];
  for (;;) {
    const job = await queue.take({ ...worker, format: 2_147_483_647 }, lease);
    if (job === undefined) break;
    expect([job.id, job.profiles, job.accounts]).toEqual([
      job.id,
      expect.not.arrayContaining([null]),
      expect.not.arrayContaining([null]),
    ]);
    names.push(job.id);
    await queue.finish(worker.name, job.id, { exit: 0, message: 'done' });
  }
  expect(names.toSorted()).toEqual(open.map(({ id }) => String(id)).toSorted());
  expect(names).toEqual(expect.arrayContaining(['r-good-job', 'r-job-free-0', 'r-job-free-3']));
  for (const job of planted) await typed('runs', 'cancel', job);
}

async function workers({ url, plant, typed }: HostileSite): Promise<void> {
  const queue = opened(openQueue({ url, lease }));
  await queue.beat(workerOf('w-good'), lease);
  expect((await plant('worker', 'name', 'w-good')).length).toBeGreaterThan(30);
  expect(await typed('workers')).toContain('w-good');
  for (const { name, silentFor } of await queue.workers()) {
    expect([name, Number.isFinite(silentFor)]).toEqual([name, true]);
  }
  await queue.beat(workerOf('w-good'), lease);
}

async function plans({ url, sql, plant, typed }: HostileSite): Promise<void> {
  const shared = opened(openPlans({ url, lease }));
  await shared.put('p-00000001', 'not a plan');
  for (const id of await plant('plan', 'id', 'p-00000001')) {
    await refusedInWords(`plan ${id}`, shared.find(id));
    await typed('run', id, '--queue');
  }
  for (const text of texts) {
    await sql(`update deskhand.plan set text = $q$${text}$q$ where id = 'p-00000001'`);
    expect(await typed('run', 'p-00000001', '--queue')).toContain('error[');
  }
}

async function outputs({ url, sql, plant, typed }: HostileSite): Promise<void> {
  const shared = opened(openOutputs({ url, lease }));
  await sql(`insert into deskhand.output (run, path, sha256, part, bytes, data)
    values ('r-good2345', 'out.csv', '${'a'.repeat(64)}', 0, 1, 'x')`);
  for (const run of await plant('output', 'run', 'r-good2345')) {
    for (const one of (await refusedInWords(`files of ${run}`, shared.list(run))) ?? []) {
      await refusedInWords(`part of ${run}`, shared.part(run, one, 0));
    }
    await typed('runs', 'files', run);
  }
  expect(await shared.list('r-good2345')).toMatchObject([{ path: 'out.csv', bytes: 1 }]);
}

/** Whatever a summary says, its run is listed by its record. */
async function summaries({ url, plant, typed }: HostileSite): Promise<void> {
  const shared = opened(openPostgres({ url, lease }));
  const version = summaryVersion(overviewFact);
  const { holder: good } = await taken(shared, requestOf('r-good2345'));
  const batch = batchOf(0, 'one\n');
  await shared.keep(good, batch);
  await shared.release(good, { version, lines: 1, link: batch.link, text: 'a summary' });
  const planted = await plant('summary', 'run', 'r-good2345');
  expect(planted.length).toBeGreaterThan(10);
  for (const run of planted.filter(isRunId)) {
    const { holder } = await taken(shared, requestOf(run));
    await shared.keep(holder, batchOf(0, 'one\n'));
    await shared.release(holder);
  }
  const all = ['r-good2345', ...planted];
  expect(await refusedInWords('summaries', shared.summaries(all, version))).not.toHaveLength(0);
  const list = await typed('runs', 'list');
  for (const run of all.filter(isRunId)) expect(list).toContain(run);
  for (const run of planted) {
    const summary = { version, lines: 1, link: '', text: '' };
    await refusedInWords(`summary of ${run}`, shared.summarize(run, summary));
  }
}

async function files({ url, cwd, plant, typed }: HostileSite): Promise<void> {
  const shared = opened(openFiles({ url, lease }));
  const record = { version: 1, at: 1_760_000_000_000, kind: 'forgotten', playbook: 'good-book' };
  await shared.append('schedule/record.ndjson', JSON.stringify(record), 'good');
  for (const path of await plant('file', 'path', 'schedule/record.ndjson')) {
    await refusedInWords(`file ${path}`, shared.read(path));
    await refusedInWords(`names in ${path}`, shared.names(path));
  }
  const appended = [
    ...texts,
    ...['9e15', '"x"', '{}', 'null'].flatMap((value) => hostileRecords(value)),
  ];
  for (const [at, line] of appended.entries()) {
    await shared.append('schedule/record.ndjson', line, `hostile-${at}`);
  }
  const log = await typed('schedule', 'log');
  expect(log).toContain('good-book');
  expect(log).toMatch(/\d+ lines of schedule\/record.ndjson cannot be read/);
  writeFileSync(join(cwd, 'x.yaml'), scheduled);
  expect(await typed('schedule', 'list')).toContain('good-book');
  const pauses = '{"version":1,"pauses":[{"name":"x","at":9e15,"who":"a","why":"b"}]}';
  for (const text of [...texts, pauses]) {
    await shared.replace('schedule/paused.json', text, await shared.read('schedule/paused.json'));
    await typed('schedule', 'list');
    await typed('schedule', 'pause', 'good-book', '--reason', 'x');
  }
}

const scheduled = `playbook: 1
name: good-book
schedule: [{ cron: "0 0 * * *" }]
steps: [{ id: a, uses: market/list-tickers, with: { category: SPOT } }]
`;

/** Every field of every kind of record with a value. */
function hostileRecords(value: string): readonly string[] {
  const at = '"version":1,"at":1760000000000';
  return ['taken', 'ended', 'gone', 'left', 'paused', 'resumed', 'clock', 'unheard'].flatMap(
    (kind) => [
      `{${at},"kind":"${kind}"}`,
      `{"version":1,"at":${value},"kind":"${kind}"}`,
      ...['occurrence', 'name', 'from', 'ms', 'message', 'run', 'schedule', 'playbook', 'host'].map(
        (field) => `{${at},"kind":"${kind}","${field}":${value}}`,
      ),
    ],
  );
}

/** One that never ends holds nothing up. */
async function locks({ url, sql, cwd, plant, typed }: HostileSite): Promise<void> {
  const shared = opened(openFiles({ url, lease: minute }));
  expect(await shared.lock('good', 'other', minute)).toBe(true);
  for (const name of await plant('lock', 'name', 'good')) {
    const isFree = name.includes('-until-');
    expect([name, await shared.lock(name, 'me', minute)]).toEqual([name, isFree]);
    await shared.renew(name, 'me', minute);
    expect([name, await shared.lock(name, 'third', minute)]).toEqual([name, false]);
    await shared.unlock(name, 'me');
    expect([name, await shared.lock(name, 'third', minute)]).toEqual([name, isFree]);
  }
  expect(await shared.lock('good', 'me', minute)).toBe(false);
  writeFileSync(join(cwd, 'x.yaml'), scheduled);
  await sql(`insert into deskhand.lock values ('schedule', 'x', 'infinity')`);
  expect(await typed('schedule', 'run-due')).not.toContain('another process holds');
}

/** No wait is longer than that for a request that was never answered. */
async function paces(table: 'pace' | 'pace_place', { url, plant }: HostileSite): Promise<void> {
  const shared = opened(openPaces({ url, lease }));
  const limit = { permits: 2, per: 1_000, of: 'ip' } as const;
  await shared.take('good', limit, 'first');
  const planted = await plant(table, 'key', 'good');
  expect(planted.length).toBeGreaterThan(4);
  for (const key of ['good', ...planted]) {
    for (const id of ['first', 'second', 'third']) {
      const ms = await shared.take(key, limit, id);
      expect([key, id, ms >= 0 && ms <= minute]).toEqual([key, id, true]);
      await shared.answered(key, id);
      await shared.hold(key, 1);
    }
  }
}

/** There is one row: each hostile value is written into it. */
async function meta({ url, sql, valuesOf, typed }: HostileSite): Promise<void> {
  const before = await sql('select * from deskhand.meta');
  for (const { column, value } of await valuesOf('meta')) {
    const isWritten = await sql(`update deskhand.meta set "${column}" = ${value}`).then(
      () => true,
      () => false, // the database refuses it
    );
    if (!isWritten) continue;
    const shared = openPostgres({ url, lease });
    const what = `${column} ${value}`;
    const found = await refusedInWords(what, shared.take(requestOf(`r-${column}`)));
    if (column === 'version') expect([what, found]).toEqual([what, undefined]);
    await refusedInWords(what, shared.restored(systemClock.now()));
    await shared.close();
    for (const words of [['runs', 'list'], ['workers'], ['store', 'upgrade']])
      await typed(...words);
    await sql(`update deskhand.meta set version = ${tableVersion}, restored = 0`);
  }
  expect(await sql('select * from deskhand.meta')).toEqual(before);
  await taken(opened(openPostgres({ url, lease })), requestOf('r-good2345'));
}

/** A hostile time does not stop a take, or make it forget an infinite time. */
async function history({ url, sql, valuesOf }: HostileSite): Promise<void> {
  const shared = opened(openPostgres({ url, lease }));
  await shared.restored(systemClock.now());
  await sql('create table public.before as select * from deskhand.history');
  for (const [at, { column, value }] of (await valuesOf('history')).entries()) {
    const what = `${column} ${value.slice(0, 40)}`;
    const isWritten = await sql(
      `update deskhand.history set ${column} = ${value} where seq > 1`,
    ).then(
      () => true,
      () => false, // the database refuses it
    );
    if (!isWritten) continue;
    const request = requestOf(`r-history${at}`, { now: systemClock.now() });
    const found = await refusedInWords(what, shared.take(request));
    if (found?.kind !== 'taken') throw new Error(`${what} stops a take`);
    for (const ms of Object.values(found.forgot ?? {})) {
      expect([what, typeof ms === 'boolean' || Number.isSafeInteger(ms)]).toEqual([what, true]);
    }
    await shared.release(found.holder);
    await sql(`
      delete from deskhand.history;
      insert into deskhand.history overriding system value select * from public.before`);
  }
}
