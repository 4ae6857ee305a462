/** Random histories of three machines over Postgres: everything that is said of a run is true. */
import { expect, test } from 'vitest';
import { shareOf } from '../support/share.ts';
import { countOr, wrongIn } from '../told/histories.ts';
import { postgresFleet } from './fleet-store.ts';

const count = countOr(shareOf(40, 4));

test(`what is told in ${count} histories is true`, { timeout: 3_600_000 }, async () => {
  expect(await wrongIn(count, await postgresFleet())).toEqual([]);
});
