/** A network that swallows packets: every call ends, and the next one uses another connection. */
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { hour, second, systemClock } from '../../src/base/clock.ts';
import { openPostgres } from '../../src/stores/postgres/runs.ts';
import type { SharedRuns } from '../../src/stores/shared/shared-runs.ts';
import { StoreError } from '../../src/stores/store.ts';
import { batchOf, requestOf, resumeOf, taken } from '../stores/shared/contract.ts';
import { Relay } from './relay.ts';
import { login, type PostgresServer } from './server.ts';
import { preparedServer } from './world.ts';

const lease = 6 * second; // a third of it is the time limit of each call, of those with an answer too
let server: PostgresServer;
let direct: SharedRuns;
let relay: Relay;
let runs: SharedRuns;
let named = 0;

beforeAll(async () => {
  server = await preparedServer();
  direct = openPostgres({ url: server.url(), lease: 60 * second });
});
afterAll(() => direct.close());

beforeEach(async () => {
  relay = await Relay.to(server.port);
  runs = openPostgres({ url: server.url({ port: relay.port }), lease, connections: 1 });
});
afterEach(async () => {
  await runs.close();
  await relay.close();
});

const request = (): ReturnType<typeof requestOf> => requestOf(`run-${++named}`, { lease });

test('a batch without an answer is stored again through another connection', async () => {
  const { holder } = await taken(runs, request());
  expect(await runs.keep(holder, batchOf(0, 'a\n'))).toBe(true);
  relay.cut();
  await expect(runs.keep(holder, batchOf(1, 'b\n'))).rejects.toThrow(StoreError);
  expect(relay.hasSwallowed).toBe(true);
  expect(await direct.lines(holder.run, 0)).toMatchObject({ text: 'a\n' });
  relay.renew();
  expect(await runs.keep(holder, batchOf(1, 'b\n'))).toBe(true);
  relay.deliver(); // the first attempt arrives now
  expect(await runs.keep(holder, batchOf(2, 'c\n'))).toBe(true);
  expect(await direct.lines(holder.run, 0)).toMatchObject({ text: 'a\nb\nc\n' });
});

test('a batch that arrives after another machine took the run is not stored', async () => {
  const { holder } = await taken(runs, request());
  expect(await runs.keep(holder, batchOf(0, 'a\n'))).toBe(true);
  relay.cut();
  await expect(runs.keep(holder, batchOf(1, 'late\n'))).rejects.toThrow(StoreError);
  await direct.unlock(holder.run, `nonce of ${holder.run}`, false);
  const { holder: next } = await taken(direct, resumeOf(holder.run));
  relay.deliver();
  relay.renew();
  expect(await runs.keep(holder, batchOf(1, 'late\n'))).toBe(false);
  expect(await direct.keep(next, batchOf(1, 'b\n'))).toBe(true);
  expect(await direct.lines(holder.run, 0)).toMatchObject({ text: 'a\nb\n' });
});

test('every method ends, also when no connection was open before', async () => {
  const { holder } = await taken(runs, request());
  const closed = openPostgres({ url: server.url({ port: relay.port }), lease });
  relay.cut();
  for (const each of [runs, closed]) {
    const calls = [
      each.take(request()),
      each.keep(holder, batchOf(0, 'a\n')),
      each.renew(holder),
      each.release(holder),
      each.claims(),
      each.changed(),
      each.lines(holder.run, 0),
      each.unlock(holder.run, 'n', false),
      each.restored(0),
    ];
    const ended = await Promise.allSettled(calls);
    for (const call of ended) {
      expect(call).toMatchObject({ status: 'rejected', reason: { code: 'state' } });
      expect(String(call.status === 'rejected' && call.reason)).toContain('no answer');
    }
  }
  await closed.close();
});

test('what a call that ended had begun does not block others', async () => {
  const first = request();
  await taken(runs, first);
  const locker = await server.connect(login.database);
  await locker.query(`begin; select from deskhand.run where id = '${first.run}' for update`);
  // It waits for the lock of the row, with locks of its names.
  await expect(runs.take(resumeOf(first.run))).rejects.toThrow(StoreError);
  const waits = `select from pg_stat_activity where wait_event_type = 'Lock'`;
  while ((await server.sql(waits)).length > 0) await systemClock.sleep(20);
  await locker.query('commit');
  await locker.end();
  await direct.unlock(first.run, first.nonce, false);
  expect(await direct.take(resumeOf(first.run))).toMatchObject({ kind: 'taken' });
});

test('closing does not wait for a server that does not answer', async () => {
  const patient = openPostgres({ url: server.url({ port: relay.port }), lease: hour });
  await patient.claims();
  relay.cut();
  const call = expect(patient.claims()).rejects.toThrow(StoreError);
  await Promise.all([call, patient.close()]);
  await expect(patient.claims()).rejects.toThrow(/was closed/);
});
