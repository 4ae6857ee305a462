/** What a person does on the page of `serve` over a real database: its server has no key, workers do. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { deskhand } from '../cli/deskhand.ts';
import { files } from '../cli/ladder.ts';
import { hurried, killed, loseSecondAnswer, underWay } from '../cli/under-way.ts';
import {
  brief,
  desk,
  expectOrders,
  folder,
  isLost,
  planned,
  type,
  worker,
  type Desk,
} from './desk.ts';
import type { AnswerOf, Routes } from '../../src/serve/server/routes/index.ts';
import { plansWaitElsewhere } from './elsewhere.ts';
import { pageOn, type Home, type Offered } from './page.ts';

type Accounts = AnswerOf<Routes['GET /accounts']>;

/** A checkout whose playbooks the page lists. */
function checkout(all: Desk): string {
  const cwd = folder(all);
  mkdirSync(join(cwd, 'playbooks'));
  const nightly = files['ladder.yaml'].replace(
    'steps:',
    'schedule: [{ cron: "0 0 29 2 *", timezone: UTC }]\nsteps:',
  );
  writeFileSync(
    join(cwd, 'playbooks', 'nightly.yaml'),
    nightly.replace(/^name: .*$/m, 'name: nightly'),
  );
  return cwd;
}

const file = 'playbooks/nightly.yaml';

test('a worker plans, runs, stops and continues what a person presses on a page without a key', async () => {
  const all = await desk(brief);
  const page = await pageOn(checkout(all), all.reviewer);
  const { read, press } = page;
  const playbook = (): Promise<{ byWorker: string }> =>
    read(`/playbook?file=${encodeURIComponent(file)}`);
  expect((await playbook()).byWorker).toBe('possible');
  await worker(all, hurried(all.exchange), checkout(all));
  await expect.poll(async () => (await playbook()).byWorker).toBe('served');
  const made = await press('/plans', { file, inputs: {}, isQueued: true });
  expect(made).toMatchObject({ status: 200, answer: { target: 'sandbox' } });

  await loseSecondAnswer(all.exchange);
  const started = await press(`/plans/${String(made.answer['plan'])}/run`, { isQueued: true });
  expect(started).toMatchObject({ status: 200, answer: { state: 'queued' } });
  const run = String(started.answer['run']);
  const actions = (): Promise<Offered> => read(`/runs/${run}/actions`);
  while (!(await isLost(all))) await new Promise((resolve) => setTimeout(resolve, 20));
  await expect
    .poll(async () => (await read<Home>('/home')).running)
    .toMatchObject([{ run, state: 'running' }]);
  expect((await read<Home>('/home')).needs).toEqual([]); // its worker is alive
  expect(await actions()).toMatchObject({
    holder: { isAlive: true },
    stop: { why: expect.stringContaining('responses are awaited') },
  });

  const stopped = await press(`/runs/${run}/stop`);
  expect(stopped).toMatchObject({
    status: 200,
    answer: {
      isStopping: true,
      lines: [
        expect.stringContaining('nothing new is sent'),
        expect.any(String),
        expect.stringContaining('if it had not begun'),
      ],
    },
  });
  await expect.poll(async () => (await actions()).resume).toMatchObject({ byWorker: 'served' });
  const resumed = await press(`/runs/${run}/resume`, { isQueued: true });
  expect(resumed).toMatchObject({ status: 200, answer: { run, state: 'queued' } });
  const rows = async (): Promise<unknown> =>
    (await read<Home>('/home')).runs.map((row) => [row.run, row.state, row.doubts]);
  await expect.poll(rows).toEqual([[run, 'done', 0]]);
  await expectOrders(all, 3);
  await page.end();
});

test('a run that waits for a worker is shown with the reason, and removed from the queue once', async () => {
  const all = await desk();
  const cwd = checkout(all);
  const page = await pageOn(cwd, all.reviewer);
  const { run } = await planned(all, cwd);
  const [, id = ''] =
    /"id": "(p-[0-9a-f]{8})"/.exec(readFileSync(join(cwd, 'plan.json'), 'utf8')) ?? [];
  expect(await page.press(`/plans/${id}/run`, { isQueued: true })).toMatchObject({
    answer: { run, state: 'queued' },
  });
  const unserved = 'no worker is running, and this needs one that serves main';
  const waiting = { job: run, kind: 'run', playbook: 'ladder', profiles: ['main'], unserved };
  expect((await page.read<Home>('/home')).waiting).toMatchObject([waiting]);
  expect(await page.read<Offered>(`/runs/${run}/actions`)).toMatchObject({ waiting, doubts: [] });
  const removed = await page.press(`/jobs/${run}/stop`);
  expect(removed.answer).toEqual({
    lines: [
      `${run} is cancelled; no worker had it`,
      'queue its plan again with: deskhand run PLAN --queue',
    ],
  });
  expect((await page.press(`/jobs/${run}/stop`)).answer).toEqual({
    lines: [`${run} has already ended`],
  });
  expect((await page.press('/jobs/r-unknown/stop')).status).toBe(404);
  expect((await page.read<Home>('/home')).waiting).toEqual([]);
  await worker(all);
  expect((await type(all, cwd, ['workers'])).stdout).not.toContain(run);
  await expectOrders(all, 0);
  await page.end();
});

test('the run of another machine is in progress until its lease is over; only workers are stopped from afar', async () => {
  const all = await desk(brief);
  const page = await pageOn(checkout(all), all.reviewer);
  await loseSecondAnswer(all.exchange);
  const cwd = folder(all);
  const begun = await underWay(all.exchange, { cwd, env: all.keys });
  const { run } = begun;
  await expect
    .poll(async () => (await page.read<Home>('/home')).running.map((row) => row.run))
    .toEqual([run]);
  const pid = String(begun.child.pid);
  expect((await page.read<Offered>(`/runs/${run}/actions`)).holder).toMatchObject({ pid });
  const { accounts } = await page.read<Accounts>('/accounts');
  const locks = accounts.find(({ profile }) => profile === 'main')?.locks;
  expect(locks?.[0]?.text).toMatch(new RegExp(`^${run} \\(process ${pid} on .*is running$`));
  const refused = await page.press(`/runs/${run}/stop`);
  expect(refused).toMatchObject({
    status: 409,
    answer: {
      error: {
        code: 'elsewhere',
        message: expect.stringMatching(new RegExp(`process ${pid} on .*not a worker`)),
        hint: expect.stringContaining(`kill -INT ${pid}`),
      },
    },
  });
  await killed(begun);
  await expect
    .poll(async () => (await page.read<Home>('/home')).needs)
    .toMatchObject([{ kind: 'doubt', run }]);
  await page.end();
});

test('a schedule is paused and resumed for the schedulers of all machines', async () => {
  const all = await desk();
  const page = await pageOn(checkout(all), all.reviewer);
  const other = checkout(all);
  const list = async (): Promise<string> =>
    (await deskhand(['schedule', 'list'], { cwd: other, env: all.keys })).stdout;
  const paused = await page.press('/schedules/pause', {
    name: 'nightly',
    reason: 'key is rotated',
  });
  expect(paused).toMatchObject({ status: 200, answer: { why: 'key is rotated' } });
  expect(await list()).toContain('key is rotated');
  expect((await page.press('/schedules/resume', { name: 'nightly' })).status).toBe(200);
  expect(await list()).not.toContain('key is rotated');
  await page.end();
});

test('no button queues anything on a server that is read-only', async () => {
  const all = await desk();
  const cwd = checkout(all);
  const page = await pageOn(cwd, all.reviewer, ['--read-only']);
  const { run } = await planned(all, cwd);
  for (const path of [
    `/jobs/${run}/stop`,
    `/runs/${run}/stop`,
    '/plans/p-00000000/run',
    '/plans',
  ]) {
    expect([path, (await page.press(path, { isQueued: true })).status]).toEqual([path, 404]);
  }
  await page.end();
});

test('a plan that a worker made for another machine waits under Approvals', async () => {
  await plansWaitElsewhere(await desk());
});
