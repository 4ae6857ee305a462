/** Random histories of three machines: everything that is said of a run is true, and each ends with its orders once. */
import process from 'node:process';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openStage, type Stage } from '../jobs/stage.ts';
import { shareOf } from '../support/share.ts';
import type { QueueDefect } from '../state-store/shared/simulated-queue.ts';
import { told } from './history.ts';

let stage: Stage;
beforeAll(async () => {
  stage = await openStage();
});
afterAll(() => stage.close());

const first = Number(process.env['TOLD_SEED'] ?? 1);
const count = Number(process.env['TOLD_COUNT'] ?? shareOf(60, 6));

/** What is wrong in histories, with the seed of each, until one is. */
async function wrongIn(many: number, defect?: QueueDefect): Promise<readonly string[]> {
  for (let seed = first; seed < first + many; seed++) {
    const { wrong, typed } = await told(seed, stage, defect);
    if (wrong.length > 0) return [`seed ${seed}`, ...wrong, ...typed];
  }
  return [];
}

test(`what is told in ${count} histories is true`, { timeout: 3_600_000 }, async () => {
  expect(await wrongIn(count)).toEqual([]);
});

test.each(['holder-waits', 'ended-is-known'] as const)(
  'with the defect %s some run never ends, or something is untrue',
  { timeout: 600_000 },
  async (defect) => {
    expect(await wrongIn(30, defect)).not.toEqual([]);
  },
);
