/** What people type on other machines than the one that works, over Restate. */
import { expect, test } from 'vitest';
import { type } from '../postgres/desk.ts';
import { logsOver, plansForOthers, plansWaitElsewhere } from '../postgres/elsewhere.ts';
import { brief, restateDesk } from './desk.ts';

test('a person without a key gets the plan of a worker, as if it was made here, and queues it from any machine', async () => {
  await plansForOthers(await restateDesk());
});

test('a log follows a queued run over two workers, and exits with its code', async () => {
  const all = await restateDesk({ lease: brief });
  const { cwd, run } = await logsOver(all);
  await all.servers[0].kill();
  expect((await type(all, cwd, ['runs', 'logs', '-f', run])).code).toBe(5);
});

test('a plan that a worker made for another machine waits under Approvals', async () => {
  await plansWaitElsewhere(await restateDesk());
});
