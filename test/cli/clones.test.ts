/** Clones of one repository that look like one machine: the orders of a run are placed once. */
import { copyFileSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
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
import { killed, underWay } from './under-way.ts';

test.concurrent('a clone with the machine file and host name of another waits for its lease, whether that is running or not', async () => {
  const at = await fleet();
  const [a, b] = [clone(at), clone(at)];
  const begun = await underWay(at.exchange, { cwd: a, env: at.env });
  mkdirSync(join(b, '.deskhand'));
  copyFileSync(join(a, '.deskhand', 'machine'), join(b, '.deskhand', 'machine'));

  const living = await resume(at, begun, b);
  expect([living.code, living.stderr]).toEqual([5, expect.stringMatching(leased)]);
  await killed(begun);
  const dead = await resume(at, begun, b);
  expect([dead.code, dead.stderr]).toEqual([5, expect.stringMatching(leased)]);
  await expectOrders(at, b, 2);

  await afterLease(at);
  const late = await resumeHurried(at, begun, b);
  expect([late.code, late.stderr]).toEqual([0, expect.any(String)]);
  expect(journalIn(b, begun)).toContain('"taken-over"');
  await expectOrders(at, b, 3);
});

test.concurrent('the killed clone itself continues immediately with its journal', async () => {
  const at = await fleet();
  const a = clone(at);
  const begun = await underWay(at.exchange, { cwd: a, env: at.env });
  await killed(begun);
  const again = await resume(at, begun, a);
  expect([again.code, again.stderr]).toEqual([0, expect.any(String)]);
  expect(journalIn(a, begun)).not.toContain('"taken-over"');
  await expectOrders(at, a, 3);
});

test.concurrent('of three clones that resume one crashed run at once, exactly one continues', async () => {
  const at = await fleet();
  const begun = await underWay(at.exchange, { cwd: clone(at), env: at.env });
  await killed(begun);
  await afterLease(at);
  const clones = [clone(at), clone(at), clone(at)];
  const ends = await Promise.all(clones.map((cwd) => resumeHurried(at, begun, cwd)));
  expect(ends.map(({ code }) => String(code)).toSorted()).toEqual(['0', '5', '5']);
  await expectOrders(at, clones[0] ?? '', 3);
});
