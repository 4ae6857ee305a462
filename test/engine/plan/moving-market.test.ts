/** However the market moves, a plan is run as shown or not at all. */
import { expect, test } from 'vitest';
import { walked } from '../../support/moving-market.ts';

const from = 1;
const seeds = 40; // bench/moving-market.ts runs a thousand

test(`a plan within its move runs with exactly its orders, beyond it is refused: seeds ${from} to ${seeds}`, async () => {
  let within = 0;
  for (let seed = from; seed <= seeds; seed++) {
    const { isWithin, wrong } = await walked(seed);
    expect(wrong, `seed ${seed}`).toEqual([]);
    if (isWithin) within += 1;
  }
  expect(within).toBeGreaterThan(5);
  expect(seeds - within).toBeGreaterThan(5);
});
