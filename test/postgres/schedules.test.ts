/** Schedulers of two machines over a real database: an occurrence runs once, whichever comes first. */
import { expect, test } from 'vitest';
import { systemClock } from '../../src/base/clock.ts';
import { deskhand } from '../cli/deskhand.ts';
import {
  dueNow,
  killedInItsRun,
  logOn,
  scheduled,
  serve,
  suspendedInItsRun,
  type Site,
} from '../cli/scheduling.ts';
import { brief, desk, expectOrders, folder, type, type Desk } from './desk.ts';
import { Relay } from './relay.ts';

const siteOf = (all: Desk): Site => ({ ...all, folder: () => folder(all), isLogShared: true });

test('of two that serve the same schedule at the same time, one runs it, and both show it', async () => {
  const all = await desk();
  const due = dueNow();
  const folders = [scheduled(siteOf(all), due), scheduled(siteOf(all), due)];
  const both = folders.map((cwd) => serve(cwd, all.keys));
  await Promise.all(both.map((one) => one.until(/next ladder/)));
  await Promise.race(both.map((one) => one.until(/done/)));
  for (const cwd of folders) {
    const again = await type(all, cwd, ['schedule', 'run-due', 'ladder.yaml']);
    expect([again.code, again.stderr]).toEqual([0, expect.stringContaining('nothing is due')]);
    expect(await logOn(siteOf(all), cwd)).toMatchObject([
      { kind: 'taken', host: expect.any(String) },
      { kind: 'ended', status: 'done' },
    ]);
    const list = await type(all, cwd, ['schedule', 'list', 'ladder.yaml']);
    expect(list.stdout).toMatch(/last +.*done/);
  }
  await expectOrders(all, 3);
});

test('two that start the same occurrence without asking each other have one run', async () => {
  const all = await desk();
  const due = dueNow();
  const words = ['run', 'ladder.yaml', '--scheduled-for', new Date(due).toISOString()];
  const ends = await Promise.all(
    [1, 2].map(() => deskhand(words, { cwd: scheduled(siteOf(all), due), env: all.keys })),
  );
  expect(new Set(ends.map(({ code }) => code))).toEqual(new Set([0, 5]));
  await expectOrders(all, 3);
});

test('the run of a scheduler that was killed is not started again; any machine resumes it', async () => {
  await killedInItsRun(siteOf(await desk(brief)));
});

test('a scheduler that was suspended in its run says how the run ended on another machine', async () => {
  await suspendedInItsRun(siteOf(await desk(brief)));
});

test('without the key of its account, a scheduler leaves the occurrence to another', async () => {
  const all = await desk();
  const due = dueNow();
  const [one, two] = [scheduled(siteOf(all), due), scheduled(siteOf(all), due)];
  const left = await deskhand(['schedule', 'run-due', 'ladder.yaml'], {
    cwd: one,
    env: all.reviewer,
  });
  expect([left.code, left.stderr]).toEqual([0, expect.stringContaining('is left to schedulers')]);
  const done = await type(all, two, ['schedule', 'run-due', 'ladder.yaml']);
  expect([done.code, done.stderr]).toEqual([0, expect.stringContaining('done')]);
  await expectOrders(all, 3);
});

test('while the database is unreachable nothing runs; when it is back, what is on time does', async () => {
  const all = await desk(brief);
  const relay = await Relay.to(all.server.port);
  const cwd = scheduled(siteOf(all), dueNow());
  const env = { ...all.keys, DESK_DATABASE: all.server.url({ port: relay.port }) };
  relay.cut();
  const serving = serve(cwd, env);
  await serving.until(/watching/);
  while (!relay.hasSwallowed) await systemClock.sleep(5);
  await expectOrders(all, 0);
  relay.renew();
  await serving.until(/done/);
  await relay.close();
  await expectOrders(all, 3);
});
