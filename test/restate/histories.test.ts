/** Random histories of three machines over Restate: everything that is said of a run is true. */
import { expect, test } from 'vitest';
import { shareOf } from '../support/share.ts';
import { countOr, wrongIn } from '../told/histories.ts';
import { restateFleet } from './fleet-store.ts';

const count = countOr(shareOf(20, 3));

test(`what is told in ${count} histories is true`, { timeout: 3_600_000 }, async () => {
  const { open, close } = await restateFleet();
  try {
    expect(await wrongIn(count, open)).toEqual([]);
  } finally {
    await close();
  }
});
