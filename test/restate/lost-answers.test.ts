/** The ingress loses its answers while a run ends: who is done exits with 0. */
import { expect, test } from 'vitest';
import { second, systemClock, type Millis } from '../../src/base/clock.ts';
import { deskhand } from '../cli/deskhand.ts';
import { expectOrders, folder, follow, planned, type, worker } from '../postgres/desk.ts';
import { brief, endOf, restateDesk, type RestateDesk } from './desk.ts';
import { Loser } from './loser.ts';

/** From the first call of a handler on, its answers are lost for a while; others with `isAll`. */
async function losing(
  all: RestateDesk,
  call: string,
  ms: Millis,
  isAll: boolean,
): Promise<Readonly<Record<string, string>>> {
  const loser = await Loser.before(all.servers[0].url);
  let from = Infinity;
  loser.loses = (asked) => {
    const now = systemClock.monotonic();
    if (asked === call) from = Math.min(from, now);
    return (isAll || asked === call) && now >= from && now < from + ms;
  };
  return { DESK_RESTATE: loser.url };
}

const release = 'deskhand_run release';

test.each([
  ['all answers from its release on, for three leases', release, 9 * second, true],
  ['those of its release, for longer than its process asks for them', release, 36 * second, false],
  ['those of the end of its job', 'deskhand_queue finish', 9 * second, true],
])('a queued run of which the worker does not get %s', async (_what, call, ms, isAll) => {
  const all = await restateDesk({ lease: brief });
  const cwd = folder(all);
  const { file, run } = await planned(all, cwd);
  await worker(all, await losing(all, call, ms, isAll));
  const followed = await follow(all, folder(all), file);
  expect([followed.code, followed.stderr]).toEqual([0, expect.any(String)]);
  expect(await endOf(all, run)).toMatchObject({ exit: 0, result: { status: 'done' } });
  expect((await type(all, cwd, ['runs', 'logs', '-f', run])).code).toBe(0);
  const claims = await type(all, cwd, ['doctor']);
  expect(claims.stdout).toContain('0 runs in progress');
  await expectOrders(all, 3);
});

test('a run on one machine that gets no answers from its release on', async () => {
  const all = await restateDesk({ lease: brief });
  const lost = await losing(all, release, 9 * second, true);
  const ran = await deskhand(['run', 'ladder.yaml'], {
    cwd: folder(all),
    env: { ...all.keys, ...lost },
  });
  expect([ran.code, ran.stderr]).toEqual([0, expect.not.stringContaining('error')]);
  await expectOrders(all, 3);
});
