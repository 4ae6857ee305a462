/** Some seeds of the swarm; `bench/swarm.ts` plays ten thousand, and looks for planted defects. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { faultAndDeath, lengthOf, oneDeath, onLive, playAll } from './cases.ts';
import { mutants } from './mutants.ts';
import { openStage, playSeed, type Stage } from './play.ts';

let stage: Stage;
beforeAll(async () => {
  stage = await openStage();
}, 30_000);
afterAll(() => stage.close());

test('whatever fails or crashes, no promise is violated, and without faults every run ends', async () => {
  for (let seed = 1; seed <= 120; seed++) {
    const { broken } = await playSeed(seed, stage);
    expect(broken, `seed ${seed}`).toEqual([]);
  }
}, 120_000);

test('crashing at every action of disk and network, and every fault at every request', async () => {
  const length = await lengthOf(stage);
  const faults = [...faultAndDeath(length)].filter(({ deaths }) => deaths.length === 0);
  const { played, broken } = await playAll([...oneDeath(length.acts), ...faults], stage);
  expect(broken).toEqual([]);
  expect(played).toBeGreaterThan(200);
}, 120_000);

test('on a live account too, whether or not its lists show orders', async () => {
  const { played, broken } = await playAll(onLive(stage), stage, (place) => place % 4 === 0);
  expect(broken).toEqual([]);
  expect(played).toBeGreaterThan(100);
}, 120_000);

test('a seed gives the same result again', async () => {
  for (const seed of [3, 14, 15, 92, 65]) {
    const first = await playSeed(seed, stage);
    await playSeed(seed + 1, stage);
    expect(await playSeed(seed, stage)).toEqual(first);
  }
}, 60_000);

test.each(mutants)('the source of the defect "$name" exists', ({ file, from }) => {
  const text = readFileSync(join(import.meta.dirname, '..', '..', file), 'utf8');
  expect(text.split(from)).toHaveLength(2);
});
