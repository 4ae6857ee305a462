/** What people type on other machines than the one that works, over Restate. */
import { test } from 'vitest';
import { logsOver, plansForOthers, plansWaitElsewhere } from '../postgres/elsewhere.ts';
import { followersOutlast } from '../postgres/outlast.ts';
import { brief, restateDesk } from './desk.ts';

test('a person without a key gets the plan of a worker, as if it was made here, and queues it from any machine', async () => {
  await plansForOthers(await restateDesk());
});

test('a log follows a queued run over two workers, and exits with its code', async () => {
  const all = await restateDesk({ lease: brief });
  await logsOver(all);
});

test('followers and a plan that is awaited outlast a server that is stopped', async () => {
  const all = await restateDesk();
  const [server] = all.servers;
  await followersOutlast(all, { stop: () => server.kill(), start: () => server.begin() });
});

test('a plan that a worker made for another machine waits under Approvals', async () => {
  await plansWaitElsewhere(await restateDesk());
});
