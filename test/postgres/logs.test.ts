/** `runs logs` of a run that a worker executes. */
import { text } from 'node:stream/consumers';
import { once } from 'node:events';
import { expect, test } from 'vitest';
import { begin, deskhand } from '../cli/deskhand.ts';
import { hurried, loseSecondAnswer } from '../cli/under-way.ts';
import { brief, desk, expectOrders, folder, isLost, planned, type, worker } from './desk.ts';

test('a log follows a queued run over two workers, and exits with its code', async () => {
  const all = await desk(brief);
  const cwd = folder(all);
  const { file, run } = await planned(all, cwd);
  const env = all.reviewer;
  expect((await deskhand(['run', file, '--queue'], { cwd, env })).code).toBe(0);
  const child = begin(['runs', 'logs', '-f', run], { cwd: folder(all), env });
  const ended = Promise.all([text(child.stdout), once(child, 'close')]);
  const noted = once(child.stderr, 'data');
  expect(String(await noted)).toContain(`${run} waits for a worker`);
  await loseSecondAnswer(all.exchange);
  const first = await worker(all);
  while (!(await isLost(all))) expect(first.child.exitCode).toBe(null);
  first.child.kill('SIGKILL');
  await worker(all, hurried(all.exchange));
  const [stdout, [code]] = await ended;
  expect([code, stdout]).toEqual([0, expect.stringMatching(new RegExp(`run ${run} +done`))]);
  expect(stdout).toMatch(/taken over/);
  const seen = stdout.match(/^\S+ \w+\[.*$/gm) ?? [];
  expect([seen.length, new Set(seen).size]).toEqual([3, 3]);
  const later = await type(all, folder(all), ['runs', 'logs', run]);
  expect([later.code, later.stdout]).toEqual([0, stdout]);
  await all.server.kill();
  const away = await type(all, cwd, ['runs', 'logs', '-f', run]);
  expect(away.code).toBe(5);
  await expectOrders(all, 3);
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
