/** A run whose folder is on another machine now, in the same clone: its orders are placed once. */
import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { folderWith } from './deskhand.ts';
import {
  afterLease,
  clone,
  expectOrders,
  fleet,
  journalIn,
  leased,
  resume,
  resumeHurried,
} from './fleet.ts';
import { simulatedPlaces } from './places.ts';
import { killed, underWay } from './under-way.ts';

test.concurrent('a copy of a clone made during the run counts as another machine', async () => {
  const at = await fleet();
  const a = clone(at);
  const begun = await underWay(at.exchange, { cwd: a, env: at.env });
  const copy = join(folderWith(), 'copy');
  cpSync(a, copy, { recursive: true });
  await killed(begun);
  const early = await resume(at, begun, copy);
  expect([early.code, early.stderr]).toEqual([5, expect.stringMatching(leased)]);
  await afterLease(at);
  const late = await resumeHurried(at, begun, copy);
  expect([late.code, late.stderr]).toEqual([0, expect.any(String)]);
  expect(journalIn(copy, begun)).toContain('"taken-over"');
  await expectOrders(at, copy, 3);
  // What remains in the first clone can no longer be used.
  const first = await resume(at, begun, a);
  expect([first.code, first.stderr]).toEqual([0, expect.stringContaining('nothing to resume')]);
});

test.concurrent.each([
  ['a pod on the volume of another', 'pod'],
  ['a machine after a restart, or one made from its image,', 'restarted'],
] as const)('%s waits for the lease and then continues without a person', async (_, place) => {
  const around = simulatedPlaces()[place];
  const at = await fleet();
  const a = clone(at);
  const begun = await underWay(at.exchange, { cwd: a, env: at.env, around });
  const living = await resume(at, begun, a);
  expect([living.code, living.stderr]).toEqual([5, expect.stringMatching(leased)]);
  await killed(begun);
  const early = await resume(at, begun, a);
  expect([early.code, early.stderr]).toEqual([5, expect.stringMatching(leased)]);
  await expectOrders(at, a, 2);
  await afterLease(at);
  const late = await resumeHurried(at, begun, a);
  expect([late.code, late.stderr]).toEqual([0, expect.any(String)]);
  await expectOrders(at, a, 3);
});
