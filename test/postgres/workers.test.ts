/** Workers over a real database: queued plans run once, whatever happens to the workers. */
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { deskhand, type Ended } from '../cli/deskhand.ts';
import { files } from '../cli/ladder.ts';
import { hurried, loseSecondAnswer } from '../cli/under-way.ts';
import {
  beginWorker,
  brief,
  desk,
  expectOrders,
  folder,
  follow,
  isLost,
  planned,
  type,
  worker,
} from './desk.ts';

test('a plan that is queued ten times, by two machines at once, runs once, without a key there', async () => {
  const all = await desk();
  const [one, two] = [folder(all), folder(all)];
  const { file, run } = await planned(all, one);
  const env = all.reviewer;
  const queue = (cwd: string): Promise<Ended> => deskhand(['run', file, '--queue'], { cwd, env });
  const answers = await Promise.all(
    Array.from({ length: 10 }, (_none, at) => queue(at % 2 === 0 ? one : two)),
  );
  for (const { code, stdout } of answers) expect([code, stdout]).toEqual([0, `${run}\n`]);
  await Promise.all([worker(all), worker(all)]);
  const followed = await follow(all, two, file);
  expect([followed.code, followed.stderr]).toEqual([0, expect.any(String)]);
  expect(followed.stdout).toContain('3 of 3 orders');
  await expectOrders(all, 3);
  const again = await deskhand(['run', file, '--queue'], { cwd: one, env });
  expect([again.code, again.stderr]).toEqual([5, expect.stringContaining(`already ran as ${run}`)]);
  expect((await type(all, one, ['runs', 'show', run])).stdout).toContain('3 of 3 orders');
});

test.each(['SIGKILL', 'SIGTERM', 'SIGSTOP'] as const)(
  'another worker continues a run whose worker got %s, each order once',
  async (signal) => {
    const all = await desk(brief);
    const cwd = folder(all);
    const { file } = await planned(all, cwd);
    await loseSecondAnswer(all.exchange);
    const first = await worker(all);
    const followed = follow(all, cwd, file);
    while (!(await isLost(all))) expect(first.child.exitCode).toBe(null);
    first.child.kill(signal);
    await worker(all, hurried(all.exchange));
    const { code, stdout, stderr } = await followed;
    expect([code, stderr]).toEqual([0, expect.any(String)]);
    expect(stdout).toContain('3 of 3 orders');
    if (signal === 'SIGTERM') expect(first.said()).toContain('given back');
    if (signal === 'SIGSTOP') {
      first.child.kill('SIGCONT');
      while (!/given back|ended|exit code|error/.test(first.said()))
        await once(first.child.stderr, 'data');
    }
    await expectOrders(all, 3);
  },
);

test('a worker refuses a plan whose playbook is not the one in its checkout', async () => {
  const all = await desk();
  const cwd = folder(all);
  writeFileSync(join(cwd, 'ladder.yaml'), files['ladder.yaml'].replace('0.030', '0.060'));
  const { file } = await planned(all, cwd);
  await worker(all);
  const { code, stderr } = await follow(all, cwd, file);
  expect([code, stderr]).toEqual([5, expect.stringContaining('is not what plan')]);
  await expectOrders(all, 0);
});

test('a queued run is cancelled, and one in progress stops in order and can be queued again', async () => {
  const all = await desk(brief);
  const cwd = folder(all);
  const { file, run } = await planned(all, cwd);
  const env = all.reviewer;
  expect((await deskhand(['run', file, '--queue'], { cwd, env })).code).toBe(0);
  expect((await type(all, cwd, ['workers'])).stdout).toContain(`${run}  queued`);
  const cancelled = await type(all, cwd, ['runs', 'cancel', run]);
  expect([cancelled.code, cancelled.stdout]).toEqual([
    0,
    `${run} is cancelled; no worker had it\nqueue its plan again with: deskhand run PLAN --queue\n`,
  ]);
  const other = await planned(all, cwd);
  await loseSecondAnswer(all.exchange);
  await worker(all, hurried(all.exchange));
  const followed = follow(all, cwd, other.file);
  while (!(await isLost(all))) await new Promise((resolve) => setTimeout(resolve, 50));
  const stops = await type(all, cwd, ['runs', 'cancel', other.run]);
  expect([stops.code, stops.stdout]).toEqual([0, expect.stringContaining('--queue')]);
  expect((await followed).code).not.toBe(0);
  const rest = ['resume', other.run, '--queue', '--follow'];
  const resumed = await deskhand(rest, { cwd, env });
  expect([resumed.code, resumed.stderr]).toEqual([0, expect.any(String)]);
  await expectOrders(all, 3);
});

test('runs of one account are executed one after the other, in the order of queueing', async () => {
  const all = await desk();
  const cwd = folder(all);
  const runs: string[] = [];
  for (const rungs of ['1', '2', '3', '4']) {
    const words = ['plan', `${rungs}.yaml`, '--var', `rungs=${rungs}`, '--out', `${rungs}.json`];
    expect((await type(all, cwd, words)).code).toBe(0);
    const { stdout } = await type(all, cwd, ['run', `${rungs}.json`, '--queue']);
    runs.push(stdout.trim());
  }
  await Promise.all([worker(all), worker(all), worker(all)]);
  const last = await follow(all, cwd, join(cwd, '4.json'));
  expect([last.code, last.stderr]).toEqual([0, expect.any(String)]);
  for (const run of runs) expect((await type(all, cwd, ['runs', 'show', run])).code).toBe(0);
  const times = runs.flatMap((run) => {
    const journal = readFileSync(join(cwd, '.deskhand', 'runs', run, 'journal.ndjson'), 'utf8');
    return [...journal.matchAll(/"at":(\d+),"kind":"(?:started|finished)"/g)].map(([, at]) =>
      Number(at),
    );
  });
  expect(times).toHaveLength(8);
  expect(times).toEqual(times.toSorted((a, b) => a - b));
  await expectOrders(all, 10);
});

test('what cannot be queued is refused with the command that helps', async () => {
  const all = await desk();
  const cwd = folder(all);
  const { file } = await planned(all, cwd);
  for (const [words, hint] of [
    [['run', 'ladder.yaml', '--queue'], 'deskhand plan ladder.yaml --queue --out plan.json'],
    [['run', file, '--queue', '--approve', 'p-00000000'], 'review it first'],
    [['run', file, '--queue', '--report', 'reports'], '--report cannot be queued'],
    [['run', file, '--queue', '-o', 'json'], 'text'],
    [['run', file, '--queue', '--json-into', 'x.json'], 'add --follow'],
    [['run', file, '--follow'], '--follow is for --queue'],
    [['resume', 'r-unknown', '--follow'], '--follow is for --queue'],
    [['resume', 'r-unknown'], 'r-unknown'],
    [['runs', 'cancel', 'r-unknown'], 'deskhand workers'],
    [['worker', '--slots', '0'], 'from 1 to 999'],
    [['worker', '--profiles', 'nobody'], 'known: '],
  ] as const) {
    const { code, stderr } = await type(all, cwd, words);
    expect([words, code, stderr]).toEqual([
      words,
      expect.any(Number),
      expect.stringContaining(hint),
    ]);
    expect(code).not.toBe(0);
  }
  const keyless = await deskhand(['worker'], { cwd, env: all.reviewer });
  expect([keyless.code, keyless.stderr]).toEqual([
    2,
    expect.stringContaining('could execute nothing'),
  ]);
  expect((await type(all, cwd, ['workers'])).stdout).toContain(
    'no worker is running: deskhand worker',
  );
});

test('a database that is away for longer than the lease ends no job: its run continues', async () => {
  const all = await desk(brief);
  const cwd = folder(all);
  const { file } = await planned(all, cwd);
  await loseSecondAnswer(all.exchange);
  await worker(all, hurried(all.exchange));
  expect((await type(all, cwd, ['run', file, '--queue'])).code).toBe(0);
  while (!(await isLost(all))) await sleep(50);
  await all.server.kill();
  await sleep(7_000); // longer than the lease
  await all.server.start();
  const followed = await follow(all, cwd, file);
  expect([followed.code, followed.stderr]).toEqual([0, expect.any(String)]);
  await expectOrders(all, 3);
});

test('a worker that starts while the database is down waits for it, and takes jobs then', async () => {
  const all = await desk();
  const cwd = folder(all);
  const { file } = await planned(all, cwd);
  await all.server.stop();
  const waiting = beginWorker(all);
  while (!waiting.said().includes('waiting for it')) await once(waiting.child.stderr, 'data');
  expect(waiting.said().match(/is not reachable/g)).toHaveLength(1);
  expect(waiting.said()).not.toContain('serves'); // nobody knows it yet
  await all.server.start();
  while (!waiting.said().includes('serves main')) await once(waiting.child.stderr, 'data');
  const { code, stderr } = await follow(all, cwd, file);
  expect([code, stderr]).toEqual([0, expect.any(String)]);
  await expectOrders(all, 3);
});
