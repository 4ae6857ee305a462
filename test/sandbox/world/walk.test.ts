/** A price follows from its second alone, whatever was asked before. */
import { expect, test } from 'vitest';
import { day, second } from '../../../src/base/clock.ts';
import { seededRandom } from '../../../src/base/random.ts';
import { walk } from '../../../src/sandbox/world/walk.ts';

const start = Date.UTC(2026, 10, 20, 4, 0, 0);
const alone = (moment: number): number => walk(7, 'BTC', 0.03)(moment);

test('a walk gives the same price on every way to a second', () => {
  const random = seededRandom(20_261_123);
  const far = [0, -1, 2 ** 31, 2 ** 32, 2 ** 32 - 1, 2 ** 33 + 5].map((at) => at * second);
  const asked = Array.from({ length: 3_000 }, (_none, turn) => {
    const reach = [5, 300, 5_000, 90 * (day / second)][turn % 4] ?? 1;
    return start + random.integer(reach) * second + random.integer(1_000);
  });
  const follow = walk(7, 'BTC', 0.03);
  for (const moment of [...asked, ...far, start, ...far.toReversed()]) {
    expect([moment, follow(moment)]).toEqual([moment, alone(moment)]);
  }
});

test('its prices are those of earlier versions, digit by digit', () => {
  expect([0, 1, 2, 3_600, 86_400].map((later) => alone(start + later * second))).toEqual([
    1.050495255536781, 1.0504674144161368, 1.0504798665213577, 1.0523376877828328,
    1.0596589615852825,
  ]);
});
