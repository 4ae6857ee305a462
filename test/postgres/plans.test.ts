/** How the statements are executed when the tables are large: none reads a table as a whole. */
import { expect, test } from 'vitest';
import { exits } from '../../src/base/error.ts';
import { openQueue } from '../../src/state-store/postgres/queue.ts';
import { openPostgres } from '../../src/state-store/postgres/runs.ts';
import { filledDatabase } from '../../bench/processes/filled-database.ts';
import { batchOf, lease, requestOf, taken } from '../state-store/shared/contract.ts';
import { jobOf, workerOf } from '../state-store/shared/queue-contract.ts';

const accountsOf = (run: string): readonly string[] =>
  requestOf(run).accounts.flatMap(({ id, alias = id }) => [id, alias]);

const never = new AbortController().signal;

test('no statement reads all runs, lines, accounts or jobs', { timeout: 300_000 }, async () => {
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
