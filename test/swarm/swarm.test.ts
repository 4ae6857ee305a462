/** Some seeds of the swarm; `.ci/run` plays more, `bench/swarm.ts` ten thousand, with planted defects. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { families } from '../../src/exchange/api/family.ts';
import { isTried, shareOf } from '../support/share.ts';
import { faultAndDeath, inFamily, lengthOf, oneDeath, onLive, playAll } from './cases.ts';
import { mutants } from './mutants.ts';
import { openStage, playSeed, type Stage } from './play.ts';

let stage: Stage;
beforeAll(async () => {
  stage = await openStage();
});
afterAll(() => stage.close());

test('whatever fails or crashes, no promise is violated, and without faults every run ends', async () => {
  for (let seed = 1; seed <= shareOf(120, 50); seed++) {
    const { broken } = await playSeed(seed, stage);
    expect(broken, `seed ${seed}`).toEqual([]);
  }
});

test('crashing at every action of disk and network, and every fault at every request', async () => {
  const length = await lengthOf(stage);
  const faults = [...faultAndDeath(length)].filter(({ deaths }) => deaths.length === 0);
  const cases = [...oneDeath(length.acts), ...faults];
  const { played, broken } = await playAll(cases, stage, (place) => isTried(place, 3));
  expect(broken).toEqual([]);
  expect(played).toBeGreaterThan(shareOf(200, 66));
});

test('on a live account too, whether or not its lists show orders', async () => {
  const { played, broken } = await playAll(onLive(stage), stage, (place) => isTried(place, 9));
  expect(broken).toEqual([]);
  expect(played).toBeGreaterThan(shareOf(400, 44));
});

test.each(families)('with a key that serves %s accounts only', async (family) => {
  const cases = inFamily(family, stage, false);
  const { played, broken } = await playAll(cases, stage, (place) => isTried(place, 40));
  expect(broken).toEqual([]);
  expect(played).toBeGreaterThan(shareOf(200, 5));
});

test('a seed gives the same result again', async () => {
  for (const seed of [3, 14, 15, 92, 65]) {
    const first = await playSeed(seed, stage);
    await playSeed(seed + 1, stage);
    expect(await playSeed(seed, stage)).toEqual(first);
  }
});

test.each(mutants)('the source of the defect "$name" exists', ({ file, from }) => {
  const text = readFileSync(join(import.meta.dirname, '..', '..', file), 'utf8');
  expect(text.split(from)).toHaveLength(2);
});
