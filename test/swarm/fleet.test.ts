/** Some seeds of the fleet, in a process whose Node is ours; `bench/swarm.ts` plays ten thousand. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openBundles, type Bundles } from './bundle.ts';
import { shareSeeds, type Told } from './share.ts';

let bundles: Bundles;
beforeAll(async () => {
  bundles = await openBundles();
}, 30_000);
afterAll(() => bundles.close());

test('several runs, playbooks and machines on one account violate no promise', async () => {
  const worker = await bundles.make();
  const play = (first: number, count: number): Promise<Told> =>
    shareSeeds(worker, { first, count, workers: 1, atOnce: count });
  const told = await play(1, 50);
  expect(told.broken).toEqual([]);
  expect(told.played).toBe(50);
  expect(told.doubts).toBeGreaterThan(1);
  expect(told.lives).toBeGreaterThan(125);

  const { traces } = await play(45, 6);
  expect(traces, 'a seed plays the same, whatever was played before it').toEqual(
    told.traces.slice(-6),
  );
}, 120_000);
