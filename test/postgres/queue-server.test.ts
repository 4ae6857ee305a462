/** The queue and what happens to its server, its connections and its tables. */
import process from 'node:process';
import { afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { hour, second, standingClock, systemClock } from '../../src/base/clock.ts';
import { exits } from '../../src/base/error.ts';
import { openQueue } from '../../src/stores/postgres/queue.ts';
import { jobOf, lease, workerOf, type ClosableQueue } from '../stores/shared/queue-contract.ts';
import { Relay } from './relay.ts';
import { login, type PostgresServer } from './server.ts';
import { preparedServer } from './world.ts';

const worker = workerOf('w');
const done = { exit: exits.done, message: 'done' };
const never = new AbortController().signal;
let server: PostgresServer;
let queue: ClosableQueue;

const sql = (text: string): Promise<readonly Record<string, unknown>[]> =>
  server.sql(text, login.database);

beforeAll(async () => {
  server = await preparedServer();
});
beforeEach(async () => {
  await sql('truncate deskhand.job, deskhand.worker');
  queue = openQueue({ url: server.url(), lease });
});
afterEach(() => queue.close());

/** A column of statistics of the tables of the queue, when the connection that made them has ended. */
async function counted(column: string, atLeast: number): Promise<number> {
  for (;;) {
    const [row] = await sql(`select sum(${column})::int as count from pg_stat_user_tables
      where schemaname = 'deskhand' and relname in ('job', 'worker')`);
    const count = Number(row?.['count']);
    if (count >= atLeast) return count;
    await systemClock.sleep(5);
  }
}

/** Process ids of the connections that listen. */
async function listeners(): Promise<readonly number[]> {
  const rows = await sql(`select pid from pg_stat_activity where query like 'listen %'`);
  return rows.map(({ pid }) => Number(pid));
}

test('a worker whose connection was open when the tables were upgraded takes nothing more, and says why', async () => {
  const clock = standingClock(0);
  const own = openQueue({ url: server.url(), lease }, clock);
  expect(await own.take(worker, lease)).toBe(undefined);
  await queue.put(jobOf('a'));
  const [meta] = await sql('select version from deskhand.meta');
  await sql('update deskhand.meta set version = version + 1');
  try {
    clock.advance(10 * second);
    await expect(own.take(worker, lease)).rejects.toThrow(/are of a newer version/);
    await expect(own.take(worker, lease)).rejects.toMatchObject({
      hint: 'install the version of deskhand that made them, or a later one',
    });
  } finally {
    await sql(`update deskhand.meta set version = ${Number(meta?.['version'])}`);
    await own.close();
  }
});

test('a report updates rows within their page: no index has a column that changes', async () => {
  for (const id of ['a', 'b']) {
    await queue.put(jobOf(id));
    await queue.take(worker, lease);
  }
  for (let beats = 0; beats < 100; beats++) await queue.beat(worker, lease);
  await queue.close();
  const updated = await counted('n_tup_upd', 301);
  expect(await counted('n_tup_hot_upd', 0)).toBe(updated);
});

test('jobs that two processes put at the same time appear in their order', async () => {
  // The first one has its place, and is not committed before the lock is free.
  await sql(`create function public.pause() returns trigger language plpgsql as $$ begin
    if new.id = 'first' then perform pg_advisory_xact_lock(7); end if; return new; end $$`);
  await sql(`create trigger pause before insert on deskhand.job
    for each row execute function public.pause()`);
  const locker = await server.connect(login.database);
  await locker.query('select pg_advisory_lock(7)');
  const waits = async (): Promise<number> =>
    (await sql(`select from pg_stat_activity where wait_event = 'advisory'`)).length;

  const accounts = ['A'];
  const first = queue.put(jobOf('first', { accounts }));
  while ((await waits()) < 1) await systemClock.sleep(5);
  let isPut = false;
  const second_ = queue.put(jobOf('second', { accounts })).finally(() => (isPut = true));
  while (!isPut && (await waits()) < 2) await systemClock.sleep(5);
  expect(await queue.take(worker, lease)).toBeUndefined();
  await locker.end();
  await Promise.all([first, second_]);
  expect((await queue.take(worker, lease))?.id).toBe('first');
  expect(await queue.take(worker, lease)).toBeUndefined();
  await sql('drop trigger pause on deskhand.job');
});

test('a take does not wait for a job that another connection changes', async () => {
  for (const id of ['changed', 'next']) await queue.put(jobOf(id));
  const locker = await server.connect(login.database);
  await locker.query(`begin; select from deskhand.job where id = 'changed' for update`);
  expect((await queue.take(worker, lease))?.id).toBe('next');
  await locker.end();
  expect((await queue.take(worker, lease))?.id).toBe('changed');
});

test('jobs that have ended are not read when one is taken, listed or prolonged', async () => {
  await sql(`insert into deskhand.job (id, kind, playbook, profiles, accounts, format, queued_by,
      body, queued, free, ending, ended)
    select 'old-' || at, 'run', 'p', '{live}', array['account ' || at % 50], 1, 'ann', '{}',
      now(), now(), '{}', now() from generate_series(1, 20000) as at`);
  await sql('analyze deskhand.job');
  for (let at = 0; at < 20; at++) await queue.put(jobOf(`new-${at}`));
  await queue.close();
  await sql('select pg_stat_reset()');
  queue = openQueue({ url: server.url(), lease, connections: 1 });
  for (let at = 0; at < 10; at++) expect(await queue.take(worker, lease)).toBeDefined();
  expect(await queue.list()).toHaveLength(20);
  expect(await queue.beat(worker, lease)).toHaveLength(10);
  await queue.close();
  expect(await counted('seq_tup_read + idx_tup_fetch', 20)).toBeLessThan(2000);
});

test('without a connection to listen on, it waits for the time alone', async () => {
  await sql(`alter role ${login.user} connection limit 1`);
  queue = openQueue({ url: server.url(), lease, connections: 1 });
  await queue.put(jobOf('j'));
  for (let calls = 0; calls < 3; calls++) await queue.wake(20, never);
  expect(await listeners()).toEqual([]);
  await sql(`alter role ${login.user} connection limit -1`);
  while ((await listeners()).length === 0) await queue.wake(20, never);
  const woken = queue.wake(hour, never);
  await queue.stop('j', 'ann');
  await woken;
});

test('it listens again after its connection was lost', async () => {
  await queue.wake(hour, never); // listens now
  const lost = await listeners(); // also one of an earlier test, whose process has not ended
  const woken = queue.wake(100, never);
  for (const pid of lost) await sql(`select pg_terminate_backend(${pid})`);
  await woken;
  const listensAgain = async (): Promise<boolean> =>
    (await listeners()).some((pid) => !lost.includes(pid));
  while (!(await listensAgain())) await queue.wake(20, never);
  await queue.wake(20, never);
  const again = queue.wake(hour, never);
  await queue.put(jobOf('j'));
  await again;
  expect(await queue.take(worker, lease)).toMatchObject({ id: 'j' });
  await queue.close();
  while ((await listeners()).length > 0) await systemClock.sleep(5);
});

test('waiting keeps no process alive', async () => {
  const before = process.getActiveResourcesInfo();
  const other = openQueue({ url: server.url(), lease });
  await other.wake(hour, never);
  const woken = other.wake(hour, never);
  const added = process.getActiveResourcesInfo().filter((resource) => {
    const index = before.indexOf(resource);
    if (index !== -1) before.splice(index, 1);
    return index === -1;
  });
  expect(added).toEqual([]);
  await other.close();
  await woken;
});

test('every method ends when the network swallows packets, and closing does not wait', async () => {
  await queue.put(jobOf('j'));
  const relay = await Relay.to(server.port);
  const cut = openQueue({ url: server.url({ port: relay.port }), lease: second });
  await cut.wake(hour, never);
  const woken = cut.wake(hour, never);
  const closed = openQueue({ url: server.url({ port: relay.port }), lease: second });
  relay.cut();
  for (const each of [cut, closed]) {
    const calls = [
      each.put(jobOf('k')),
      each.take(worker, lease),
      each.beat(worker, lease),
      each.giveBack('w', 'j', 0),
      each.finish('w', 'j', done),
      each.stop('j', 'ann'),
      each.find('j'),
      each.list(),
      each.leave('w'),
      each.workers(),
    ];
    for (const call of await Promise.allSettled(calls)) {
      expect(call).toMatchObject({ status: 'rejected', reason: { code: 'state' } });
    }
    await each.wake(20, never);
  }
  const last = closed.wake(hour, never);
  await Promise.all([cut.close(), closed.close(), woken, last]);
  await relay.close();
  expect(await queue.find('j')).toMatchObject({ state: 'queued' });
});
