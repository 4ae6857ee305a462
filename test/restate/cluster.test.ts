/** Three nodes, each killed in turn in the middle of a run, with two workers. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { minute, systemClock } from '../../src/base/clock.ts';
import { readRun } from '../../src/engine/journal/runs.ts';
import { ladder } from '../cli/ladder.ts';
import { expectOrders, folder, planned, type, worker } from '../postgres/desk.ts';
import { brief, endOf, restateDesk, type RestateDesk } from './desk.ts';
import { RestateServer } from './server.ts';

const orders = 45;

interface Request {
  readonly operation: string;
  readonly code: string;
}

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
  const all = await restateDesk({ lease: brief, starting: RestateServer.startCluster() });
  const cwd = longFolder(all);
  const { file, run } = await planned(all, cwd);
  // Not by requests of the account: a machine apart from the workers keeps its own rate limit.
  const placed = async (): Promise<number> => {
    const answer = await fetch(`${all.exchange.controlUrl}/requests`);
    const { data } = (await answer.json()) as { readonly data: readonly Request[] };
    return data.filter(
      ({ operation, code }) => operation === 'futures/place-order' && code === '00000',
    ).length;
  };
  const sentAtLeast = async (count: number, longest = Infinity): Promise<void> => {
    const until = systemClock.monotonic() + longest;
    while ((await placed()) < count && systemClock.monotonic() < until) await systemClock.sleep(50);
  };
  await Promise.all([worker(all, {}, longFolder(all)), worker(all, {}, longFolder(all))]);
  expect((await type(all, cwd, ['run', file, '--queue'])).code).toBe(0);
  for (const [at, server] of all.servers.entries()) {
    await sentAtLeast(5 + 13 * at);
    await server.kill();
    // Two of three nodes now and then elect no leader until the third is there again.
    await sentAtLeast(10 + 13 * at, minute);
    await server.begin();
    await server.isMember(3);
  }
  expect(await endOf(all, run)).toMatchObject({ exit: 0 });
  await expectOrders(all, orders);
  expect((await type(all, cwd, ['runs', 'show', run])).code).toBe(0);
  const entries = await readRun(join(cwd, '.deskhand'), run);
  // A worker that reaches no node for a while gives its run back, which ends that part as interrupted.
  const ends = entries.flatMap((entry) => (entry.kind === 'finished' ? [entry.status] : []));
  expect(ends.filter((status) => status !== 'interrupted')).toEqual(['done']);
  expect(ends.at(-1)).toBe('done');
});
