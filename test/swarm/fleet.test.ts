/** Some seeds of the fleet, in a process whose Node is ours; `.ci/run` plays more, `bench/swarm.ts` ten thousand. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openBundles, type Bundles } from './bundle.ts';
import { shareOf } from '../support/share.ts';
import { shareSeeds, type SwarmReport } from './share.ts';

let bundles: Bundles;
beforeAll(async () => {
  bundles = await openBundles();
});
afterAll(() => bundles.close());

test('several runs, playbooks and machines on one account violate no promise', async () => {
  const worker = await bundles.make();
  const play = (first: number, count: number): Promise<SwarmReport> =>
    shareSeeds(worker, { first, count, workers: 1, atOnce: count });
  const seeds = shareOf(50, 20);
  const report = await play(1, seeds);
  expect(report.broken).toEqual([]);
  expect(report.played).toBe(seeds);
  expect(report.doubts).toBeGreaterThan(0);
  expect(report.lives).toBeGreaterThan(2.5 * seeds);

  const { traces } = await play(seeds - 5, 6);
  expect(traces, 'a seed plays the same, whatever was played before it').toEqual(
    report.traces.slice(-6),
  );
});
