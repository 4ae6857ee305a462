/** How the statements are executed when the tables are large: none reads a table as a whole. */
import { expect, test } from 'vitest';
import { exits } from '../../src/base/error.ts';
import { openFiles } from '../../src/stores/postgres/files.ts';
import { openOutputs } from '../../src/stores/postgres/output.ts';
import { openPlans } from '../../src/stores/postgres/plans.ts';
import { openQueue } from '../../src/stores/postgres/queue.ts';
import { openRetention } from '../../src/stores/postgres/retention.ts';
import { openPostgres } from '../../src/stores/postgres/runs.ts';
import { filledDatabase } from '../../bench/processes/filled-database.ts';
import { batchOf, lease, requestOf, taken } from '../stores/shared/contract.ts';
import { login } from './server.ts';
import { jobOf, workerOf } from '../stores/shared/queue-contract.ts';

const accountsOf = (run: string): readonly string[] =>
  requestOf(run).accounts.flatMap(({ id, alias = id }) => [id, alias]);

const never = new AbortController().signal;

test('no statement reads all runs, lines, accounts or jobs', async () => {
  const { explained, plans } = await filledDatabase({
    runs: 20_000,
    rows: 3,
    bytes: 128,
    accounts: 5_000,
    running: 20,
  });
  const runs = openPostgres({ url: explained, lease });
  const queue = openQueue({ url: explained, lease });
  const { cursor } = await runs.changed();
  plans(); // of the first sync, which reads every run
  const worker = workerOf('w');
  await queue.put(jobOf('r-new'));
  expect((await queue.take(worker, lease))?.id).toBe('r-new');
  await queue.beat(worker, lease);
  await queue.find('r-new');
  expect(await queue.list()).toHaveLength(21);
  await queue.workers();
  await queue.giveBack('w', 'r-new', 0);
  await queue.take(worker, lease);
  await queue.finish('w', 'r-new', { exit: exits.done, message: 'done' });
  await queue.stop('r-new', 'ann');
  await queue.wake(0, never);
  const { holder } = await taken(runs, requestOf('r-new'));
  expect(await runs.keep(holder, batchOf(0, 'one\n'))).toBe(true);
  await runs.renew(holder);
  expect(await runs.claims()).toHaveLength(21);
  expect((await runs.changed(cursor)).runs).toHaveLength(21);
  const beside = { playbook: 'ladder', accounts: accountsOf('r-new') };
  expect((await runs.changed(cursor, beside)).runs).toHaveLength(1);
  expect((await runs.changed(undefined, beside)).runs).toHaveLength(1);
  const filled = { ...beside, accounts: ['account 7', 'key 7'] };
  expect((await runs.changed(undefined, filled)).runs).toHaveLength(4);
  expect(await runs.isIdentified('ladder')).toBe(true);
  expect(await runs.claims('r-new')).toHaveLength(1);
  expect((await runs.lines('r-7', 1))?.count).toBe(3);
  await runs.release(holder);
  await Promise.all([runs.close(), queue.close()]);
  const all = plans();
  expect(all.length).toBeGreaterThan(15);
  const whole = all.filter(({ plan }) => /Seq Scan on (run|lines|account|job)\b/.test(plan));
  expect(whole).toEqual([]);
});

const readMax = 300; // rows of any step of a plan: of a page of 200 rows, and some

test('small files, plans, copies of files and what is outdated are read one by one', async () => {
  const filling = { runs: 10, rows: 1, bytes: 128, accounts: 10, running: 0 };
  const { explained, plans, server } = await filledDatabase(filling);
  await server.sql(
    `
    insert into deskhand.file (path, id, part, text)
      select 'schedule/s-' || n % 2 || '/taken/2026-' || lpad((n % 12 + 1)::text, 2, '0') || '/' || n || '.json',
        '', 0, '{}' from generate_series(1, 20000) as n;
    insert into deskhand.plan (id, text, made)
      select 'p-' || n, repeat('p', 100), clock_timestamp() - n * interval '1 minute'
      from generate_series(1, 20000) as n;
    insert into deskhand.job (id, kind, playbook, profiles, accounts, format, queued_by, body, queued,
        free, ended)
      select 'j-' || n, case when n % 2 = 0 then 'plan' else 'run' end, 'x', '{}', '{}', 1, 'ann', '{}', at, at, at
      from generate_series(1, 20000) as n, lateral (select clock_timestamp() - n * interval '1 minute' as at) as t;
    insert into deskhand.output (run, path, sha256, part, bytes, data)
      select 'r-' || n, 'out.csv', 'x', 0, 1, 'x' from generate_series(1, 20000) as n;
    insert into deskhand.worker (name, host, version, format, profiles, slots, seen)
      select 'w-' || n, 'h', '1', 1, '{}', 1, clock_timestamp() from generate_series(1, 50) as n;
    analyze deskhand.file, deskhand.plan, deskhand.output, deskhand.job`,
    login.database,
  );
  const [files, stored, outputs, retention] = [
    openFiles({ url: explained, lease }),
    openPlans({ url: explained, lease }),
    openOutputs({ url: explained, lease }),
    openRetention({ url: explained, lease }),
  ];
  const taken = 'schedule/s-0/taken';
  expect(await files.names(taken)).toHaveLength(6);
  expect(await files.create(`${taken}/2026-01/new.json`, '{}')).toBe(true);
  expect(await files.read(`${taken}/2026-01/new.json`)).toBe('{}');
  expect(await files.replace(`${taken}/2026-01/new.json`, '[]', '{}')).toBe(true);
  await files.append('schedule/record.ndjson', 'line', 'id');
  expect(await files.lock('x', 'me', lease)).toBe(true);
  await files.unlock('x', 'me');
  expect(await stored.put('p-new', 'text')).toBe(true);
  expect(await stored.find('p-7')).toHaveLength(100);
  expect(await stored.newest(3)).toEqual(['p-new', 'p-1', 'p-2']);
  expect(await outputs.list('r-7')).toHaveLength(1);
  expect(await outputs.part('r-7', { path: 'out.csv', sha256: 'x' }, 0)).toHaveLength(1);
  const age = 19_900.5 * 60_000; // the oldest hundred
  expect(await retention.count(age)).toEqual({ plans: 100, jobs: 100 });
  expect(await retention.clean(age)).toEqual({ plans: 100, jobs: 100 });
  await retention.empty();
  await Promise.all([files, stored, outputs, retention].map((each) => each.close()));
  const all = plans();
  expect(all.length).toBeGreaterThan(15);
  expect(all.filter(({ rows }) => rows > readMax)).toEqual([]);
});
