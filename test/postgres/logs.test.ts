/** `runs logs` of a run that a worker executes. */
import { expect, test } from 'vitest';
import { brief, desk, folder, planned, type } from './desk.ts';
import { logsOver } from './elsewhere.ts';
import { followersOutlast } from './outlast.ts';

test('a log follows a queued run over two workers, and exits with its code', async () => {
  const all = await desk(brief);
  await logsOver(all);
});

test('followers and a plan that is awaited outlast a database that is stopped', async () => {
  const all = await desk();
  const { server } = all;
  await followersOutlast(all, { stop: () => server.kill(), start: () => server.start() });
});

test('the log of a run that was cancelled before it began says so', async () => {
  const all = await desk();
  const cwd = folder(all);
  const { file, run } = await planned(all, cwd);
  expect((await type(all, cwd, ['run', file, '--queue'])).code).toBe(0);
  expect((await type(all, cwd, ['runs', 'cancel', run])).code).toBe(0);
  const { code, stderr } = await type(all, cwd, ['runs', 'logs', '-f', run]);
  expect([code, stderr]).toEqual([130, expect.stringContaining('while no worker had it')]);
});
