/** What is removed from a real database, and what every machine sees of it afterwards. */
import { expect, test } from 'vitest';
import { day } from '../../src/base/clock.ts';
import { openRetention } from '../../src/stores/postgres/retention.ts';
import { databaseOf } from '../../src/stores/postgres/options.ts';
import { openPlans } from '../../src/stores/postgres/plans.ts';
import { openQueue } from '../../src/stores/postgres/queue.ts';
import { lines } from '../../src/stores/postgres/reads.ts';
import { openPostgres } from '../../src/stores/postgres/runs.ts';
import { batchOf, lease, requestOf, resumeOf, taken } from '../stores/shared/contract.ts';
import { jobOf, workerOf } from '../stores/shared/queue-contract.ts';
import { retentionContract } from '../stores/shared/retention-contract.ts';
import { login } from './server.ts';
import { desk } from './desk.ts';
import { prunesOnce } from './pruned-runs.ts';
import { preparedServer, postgresWorld } from './world.ts';

retentionContract('Postgres', postgresWorld);

test('a run with many lines and files is removed in short transactions, also after an interruption', async () => {
  const server = await preparedServer();
  const at = { url: server.url(), lease };
  const [runs, retention] = [openPostgres(at), openRetention(at)];
  const { holder } = await taken(runs, requestOf('r'));
  const many = Array.from({ length: 450 }, (_none, line) => `${line}\n`);
  const batch = batchOf(0, ...many);
  await runs.keep(holder, batch);
  await server.sql(
    `insert into deskhand.output select 'r', 'out/' || n, 'x', 0, 1, 'a' from generate_series(1, 450) n`,
    login.database,
  );
  await runs.release(holder);
  const { database } = databaseOf(at);
  let pages = 0;
  // It is removed between two pages of a reader.
  const between = {
    ...database,
    query: async (...asked: Parameters<typeof database.query>) => {
      pages += 1;
      if (pages === 3) {
        expect(await retention.prune('r', { lines: 450, link: batch.link })).toBe('pruned');
        await retention.empty();
      }
      return database.query(...asked);
    },
  } as typeof database;
  expect(await lines(between, 'r', 0)).toBeUndefined();
  expect(pages).toBeGreaterThan(3);
  const counts = `select (select count(*)::int from deskhand.lines) as lines,
    (select count(*)::int from deskhand.output) as files, header from deskhand.run`;
  const nothing = [{ lines: 0, files: 0, header: null }];
  expect(await server.sql(counts, login.database)).toEqual(nothing);
  // As if it had stopped after the first transaction.
  await server.sql(
    `update deskhand.run set emptied = null; insert into deskhand.lines values ('r', 7, 7, 'x')`,
    login.database,
  );
  await retention.empty();
  expect(await server.sql(counts, login.database)).toEqual(nothing);
  await Promise.all([runs.close(), retention.close(), database.close()]);
});

test('old plans and the contents of old jobs are removed; a job is known, and queued once', async () => {
  const server = await preparedServer();
  const at = { url: server.url(), lease };
  const [queue, plans, retention] = [openQueue(at), openPlans(at), openRetention(at)];
  const worker = workerOf('w');
  const ending = { exit: 0, message: 'done', result: { status: 'done' } } as const;
  for (const id of ['old', 'young', 'plan', 'open']) {
    const kind = id === 'plan' ? 'plan' : 'run';
    await queue.put(jobOf(id, { kind, accounts: [], body: { plan: 'text' } }));
    await plans.put(`p-${id}`, 'text');
    if (id === 'open') continue;
    expect(await queue.take(worker, lease)).toMatchObject({ id });
    await queue.finish('w', id, ending);
  }
  await queue.beat(worker, lease);
  await server.sql(
    `update deskhand.job set queued = queued - interval '40 days', ended = ended - interval '40 days'
      where id <> 'young';
    update deskhand.plan set made = made - interval '40 days' where id <> 'p-young';
    update deskhand.worker set seen = seen - interval '2 days'`,
    login.database,
  );
  const age = 30 * day;
  expect(await retention.count(age)).toEqual({ plans: 3, jobs: 2 });
  expect(await retention.clean(age)).toEqual({ plans: 3, jobs: 2 });
  expect(await retention.clean(age)).toEqual({ plans: 0, jobs: 0 });
  expect(await plans.find('p-old')).toBeUndefined();
  expect(await plans.find('p-young')).toBe('text');
  expect(await queue.workers()).toEqual([]);
  const bodies = await server.sql('select id, body from deskhand.job order by id', login.database);
  expect(bodies).toEqual([
    { id: 'old', body: 'null' },
    { id: 'open', body: '{"plan":"text"}' },
    { id: 'young', body: '{"plan":"text"}' },
  ]);
  expect(await queue.put(jobOf('old'))).toBe('known');
  expect(await queue.find('old')).toMatchObject({ state: 'ended', ending });
  expect(await queue.put(jobOf('old', { kind: 'resume', body: { plan: 'rest' } }))).toBe('queued');
  expect(await retention.clean(age)).toEqual({ plans: 0, jobs: 0 });
  await Promise.all([queue.close(), plans.close(), retention.close()]);
});

test('a run with a queued job is kept', async () => {
  const server = await preparedServer();
  const at = { url: server.url(), lease };
  const [queue, runs, retention] = [openQueue(at), openPostgres(at), openRetention(at)];
  const { holder } = await taken(runs, requestOf('r'));
  const batch = batchOf(0, 'a\n');
  await runs.keep(holder, batch);
  await runs.release(holder);
  await queue.put(jobOf('r', { kind: 'resume' }));
  const end = { lines: 1, link: batch.link };
  expect(await retention.prune('r', end)).toBe('in-use');
  await queue.withdraw('r');
  expect(await retention.prune('r', end)).toBe('pruned');
  expect(await runs.take(resumeOf('r'))).toEqual({ kind: 'pruned', run: 'r' });
  await Promise.all([queue.close(), runs.close(), retention.close()]);
});

test('runs prune over a database: one machine removes, the others neither miss nor restore it', async () => {
  const all = await desk();
  await prunesOnce(all, async (run) => {
    const text = `select count(*)::int as lines from deskhand.lines where run = '${run}'`;
    return Number((await all.server.sql(text, login.database))[0]?.['lines']);
  });
});
