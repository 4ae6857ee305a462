/** Three nodes, each killed in turn in the middle of a run, with two workers. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { systemClock } from '../../src/base/clock.ts';
import { ladder, ownOrders } from '../cli/ladder.ts';
import { expectOrders, folder, planned, type, worker } from '../postgres/desk.ts';
import { endOf, restateDesk, type RestateDesk } from './desk.ts';
import { RestateServer } from './server.ts';

const orders = 45;

/** With many orders, of which some ten are sent in a second. */
function longFolder(all: RestateDesk): string {
  const cwd = folder(all);
  const long = ladder
    .replace('default: 3 }', `default: ${orders} }`)
    .replace('max-writes: 10', `max-writes: ${orders}`)
    .replace('total=0.030', `total=0.${orders * 2}`);
  writeFileSync(join(cwd, 'ladder.yaml'), long);
  return cwd;
}

test('each node is killed and started again: every order is placed once', async () => {
  const all = await restateDesk(RestateServer.startCluster());
  const cwd = longFolder(all);
  const { file, run } = await planned(all, cwd);
  const sentAtLeast = async (count: number): Promise<void> => {
    while ((await ownOrders(cwd, all.keys)).length < count) await systemClock.sleep(50);
  };
  await Promise.all([worker(all, {}, longFolder(all)), worker(all, {}, longFolder(all))]);
  expect((await type(all, cwd, ['run', file, '--queue'])).code).toBe(0);
  for (const [at, server] of all.servers.entries()) {
    await sentAtLeast(5 + 13 * at);
    await server.kill();
    await sentAtLeast(10 + 13 * at);
    await server.begin();
    await server.isMember(3);
  }
  expect(await endOf(all, run)).toMatchObject({ exit: 0 });
  await expectOrders(all, orders);
  expect((await type(all, cwd, ['runs', 'list'])).code).toBe(0);
  const journal = readFileSync(join(cwd, '.deskhand', 'runs', run, 'journal.ndjson'), 'utf8');
  expect(journal.match(/"kind":"finished"/g)).toHaveLength(1);
}, 180_000);
