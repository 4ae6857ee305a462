/** `runs logs` of a run that a worker executes. */
import { expect, test } from 'vitest';
import { ownOrders } from '../cli/ladder.ts';
import { control, hurried } from '../cli/under-way.ts';
import { brief, desk, folder, isLost, planned, type, worker } from './desk.ts';
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

test('a log says once until when an order may still arrive that was lost with its worker', async () => {
  const all = await desk(brief);
  const cwd = folder(all);
  const { file, run } = await planned(all, cwd);
  expect((await type(all, cwd, ['run', file, '--queue'])).code).toBe(0);
  const match = { operation: 'futures/place-order', nth: 2 };
  const lost = { match, when: 'before', times: 1, action: { kind: 'never', ms: 600_000 } };
  await control(all.exchange, 'PUT', 'faults', { rules: [lost] });
  const first = await worker(all);
  while (!(await isLost(all))) expect(first.child.exitCode).toBe(null);
  first.child.kill('SIGKILL');
  await worker(all, hurried(all.exchange));
  const { code, stdout } = await type(all, folder(all), ['runs', 'logs', '-f', run]);
  expect([code, stdout]).toEqual([0, expect.stringContaining('taken over')]);
  expect(stdout.match(/waiting until .*/g)).toEqual([
    expect.stringMatching(/^waiting until [\d:]{8}, because an order of \w+ may still arrive$/),
  ]);
  expect(await ownOrders(cwd, all.keys)).toHaveLength(3);
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
