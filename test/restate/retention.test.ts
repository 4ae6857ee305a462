/** What is removed from a real server, and what every machine sees of it afterwards. */
import { expect, test } from 'vitest';
import { day, minute } from '../../src/base/clock.ts';
import { partMax } from '../../src/stores/outputs.ts';
import {
  keyOf,
  linesObject,
  outputObject,
  planObject,
  queueObject,
  registryObject,
  runObject,
} from '../../src/stores/restate/objects/names.ts';
import { openRestateOutputs } from '../../src/stores/restate/output.ts';
import { openRestatePlans } from '../../src/stores/restate/plans.ts';
import { openRestateQueue } from '../../src/stores/restate/queue.ts';
import { openRestateRetention } from '../../src/stores/restate/retention.ts';
import { openRestate } from '../../src/stores/restate/runs.ts';
import { prunesOnce } from '../postgres/pruned-runs.ts';
import { batchOf, lease, requestOf, resumeOf, taken } from '../stores/shared/contract.ts';
import { jobOf, workerOf } from '../stores/shared/queue-contract.ts';
import { retentionContract } from '../stores/shared/retention-contract.ts';
import { restateDesk } from './desk.ts';
import { valuesOf } from './forget.ts';
import { optionsOf, preparedServer, restateWorld } from './world.ts';

retentionContract('Restate', restateWorld);

test('what removed runs had is deleted, also after an interruption, and everything else stays', async () => {
  const prepared = await preparedServer();
  const { server } = prepared;
  const at = optionsOf(prepared);
  const [runs, outputs, retention] = [
    openRestate(at),
    openRestateOutputs(at),
    openRestateRetention(at),
  ];
  const line = `${'x'.repeat(20_000)}\n`;
  const batch = batchOf(0, ...Array.from({ length: 8 }, () => line));
  const names = Array.from({ length: 230 }, (_none, at_) => `r-${at_}`); // three pages of the list
  for (const run of names) {
    const { holder } = await taken(runs, requestOf(run));
    const isLarge = run === 'r-0' || run === 'r-1';
    await runs.keep(holder, isLarge ? batch : batchOf(0, 'a\n'));
    const part = { path: 'out/a', sha256: 'x', part: 0, content: new Uint8Array(partMax) };
    if (isLarge) await outputs.keep(holder, part);
    await runs.release(holder);
  }
  const small = { lines: 1, link: batchOf(0, 'a\n').link };
  expect(await retention.prune('r-0', { lines: 8, link: batch.link })).toBe('pruned');
  for (const run of ['r-99', 'r-100', 'r-229']) {
    expect(await retention.prune(run, small)).toBe('pruned');
  }
  const valuesIn = async (object: string): Promise<readonly string[]> => [
    ...(await valuesOf(server, keyOf('desk', 'r-0'), object)).keys(),
  ];
  expect(await valuesIn(linesObject)).not.toEqual([]);
  expect(await valuesIn(outputObject)).not.toEqual([]);
  const left = names.filter((run) => !['r-0', 'r-99', 'r-100', 'r-229'].includes(run));
  const changed = async (): Promise<readonly string[]> =>
    (await runs.changed()).runs.map(({ run }) => run).toSorted();
  const { cursor } = await runs.changed();
  for (let round = 0; round < 2; round++) {
    expect(await changed()).toEqual(left.toSorted());
    expect((await runs.changed(cursor)).runs).toEqual([]);
    await retention.empty();
    expect([await valuesIn(linesObject), await valuesIn(outputObject)]).toEqual([[], []]);
    expect((await valuesIn(runObject)).toSorted()).toEqual(['claim', 'state']);
    // As if it had stopped before it noted that it is done.
    if (round === 0) await retention.prune('r-0', { lines: 8, link: batch.link });
  }
  expect((await runs.lines('r-1', 0))?.count).toBe(8);
  expect((await outputs.list('r-1'))[0]?.bytes).toBe(partMax);
  const log = await valuesOf(server, 'desk', registryObject);
  expect([...log.keys()].filter((name) => name.startsWith('pruned '))).toEqual([
    'pruned 0',
    'pruned from',
  ]);
  await Promise.all([runs.close(), outputs.close(), retention.close()]);
  await prepared.close();
});

test('old plans and the results of old plan jobs are removed; a job is known, and queued once', async () => {
  const prepared = await preparedServer();
  const { server, clock } = prepared;
  const at = optionsOf(prepared);
  const [queue, plans, retention] = [
    openRestateQueue(at),
    openRestatePlans(at),
    openRestateRetention(at),
  ];
  const worker = workerOf('w');
  const ending = { exit: 0, message: 'done', result: { status: 'done' } } as const;
  const finished = async (id: string, kind: 'plan' | 'run'): Promise<void> => {
    await queue.put(jobOf(id, { kind, accounts: [], body: { plan: 'text' } }));
    expect(await queue.take(worker, lease)).toMatchObject({ id });
    await queue.finish('w', id, ending);
  };
  const many = Array.from({ length: 130 }, (_none, number) => `p-old-${number}`);
  for (const id of many) await plans.put(id, 'text');
  await finished('old', 'run');
  await finished('plan', 'plan');
  clock.advance(40 * day);
  await plans.put('p-young', 'text');
  await plans.put('p-old-1', 'text'); // known: it is as old as before
  await finished('young', 'plan');
  const age = 30 * day;
  /** The plans are noted afterwards. */
  const noted = (many: object): Promise<void> =>
    expect.poll(() => retention.count(age), { timeout: minute }).toEqual(many);
  await noted({ plans: 130, jobs: 1 });
  expect(await retention.clean(age)).toEqual({ plans: 130, jobs: 1 });
  expect(await retention.clean(age)).toEqual({ plans: 0, jobs: 0 });
  expect(await retention.count(age)).toEqual({ plans: 0, jobs: 0 });
  expect(await Promise.all(many.map((id) => plans.find(id)))).toEqual(many.map(() => undefined));
  expect(await plans.find('p-young')).toBe('text');
  expect([...(await valuesOf(server, keyOf('desk', 'p-old-1'), planObject)).keys()]).toEqual([]);
  expect(await queue.find('plan')).toBeUndefined();
  expect(await queue.find('young')).toMatchObject({ state: 'ended', ending });
  expect(await queue.put(jobOf('old'))).toBe('known');
  const values = [...(await valuesOf(server, 'desk', queueObject)).keys()];
  expect(values.filter((name) => name.startsWith('body '))).toEqual([]);
  clock.advance(40 * day);
  await noted({ plans: 1, jobs: 1 });
  expect(await retention.clean(age)).toEqual({ plans: 1, jobs: 1 });
  await Promise.all([queue.close(), plans.close(), retention.close()]);
  await prepared.close();
});

test('a run with a queued job is kept', async () => {
  const prepared = await preparedServer();
  const at = optionsOf(prepared);
  const [queue, runs, retention] = [
    openRestateQueue(at),
    openRestate(at),
    openRestateRetention(at),
  ];
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
  await prepared.close();
});

test('runs prune over Restate: one machine removes, the others neither miss nor restore it', async () => {
  const all = await restateDesk();
  await prunesOnce(all, async (run) => {
    const key = keyOf('desk', run);
    const found = await Promise.all(
      [runObject, linesObject].map((object) => valuesOf(all.servers[0], key, object)),
    );
    return found
      .flatMap((values) => [...values.keys()])
      .filter((name) => name !== 'state' && name !== 'claim').length;
  });
});
