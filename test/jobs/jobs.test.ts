/** Composed playbooks, typed with the command line: what `validate` accepts, no other command refuses for the language. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { pairsIn, pairsInAll } from './covering.ts';
import { wordsOf, type Finding } from './finding.ts';
import { brokenRefusal, mistakes } from './mistakes.ts';
import { openTheatre, type Theatre } from './scene.ts';
import { choices, partOf, playedFor, timeFor } from './share.ts';

let theatre: Theatre;
beforeAll(async () => {
  theatre = await openTheatre();
});
afterAll(() => theatre.close());

test('every two values of two features occur together in some job', () => {
  expect(pairsInAll).toBeGreaterThan(8_000);
  expect(pairsIn(choices)).toBe(pairsInAll);
});

test(
  'no command refuses for the language what validate accepts',
  async () => {
    const { count, wrong } = await playedFor('language', theatre);
    expect(wrong).toEqual([]);
    expect(count).toBeGreaterThan(1);
  },
  timeFor,
);

test(
  'a refusal names file and line, whichever key is wrong',
  async () => {
    const found: Finding[] = [];
    let played = 0;
    for (const choice of partOf(79)) {
      for (const mistake of mistakes) {
        played += 1;
        found.push(...(await theatre.play(choice, (scene) => brokenRefusal(scene, mistake))));
      }
    }
    expect(found.map(wordsOf)).toEqual([]);
    expect(played).toBeGreaterThanOrEqual(mistakes.length);
  },
  timeFor,
);
