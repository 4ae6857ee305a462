/** Composed playbooks, played with the command line: a share of them here, all in `.ci/run`. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { isTried, isWhole, shareOf } from '../support/share.ts';
import { coveringChoices, pairsIn, pairsInAll } from './covering.ts';
import { wordsOf, type Finding } from './finding.ts';
import { kindOf, openKinds, plainest, unexplained } from './kinds.ts';
import { brokenRefusal, mistakes } from './mistakes.ts';
import { brokenBy, relations } from './relations.ts';
import { openTheatre, type Theatre } from './scene.ts';

let theatre: Theatre;
beforeAll(async () => {
  theatre = await openTheatre();
});
afterAll(() => theatre.close());

const choices = coveringChoices(Number(process.env['JOBS_SEED'] ?? 1));
const minutes = 60_000;

describe('the generator', () => {
  test('has every two values of two features in some job', () => {
    expect(pairsInAll).toBeGreaterThan(8_000);
    expect(pairsIn(choices)).toBe(pairsInAll);
  });
});

describe.each(relations)('the relation "%s"', (relation) => {
  test(
    'holds for composed jobs',
    async () => {
      const found: Finding[] = [];
      let played = 0;
      const offset = relations.indexOf(relation);
      for (const [place, choice] of choices.entries()) {
        if (!isTried(place + offset, 27)) continue;
        played += 1;
        found.push(...(await theatre.play(choice, brokenBy[relation])));
      }
      expect(unexplained(found).map(wordsOf)).toEqual([]);
      expect(played).toBeGreaterThanOrEqual(shareOf(choices.length, 2));
    },
    isWhole ? 10 * minutes : minutes,
  );
});

describe('a refusal', () => {
  test('names file and line, whichever key is wrong', async () => {
    const found: Finding[] = [];
    let played = 0;
    for (const [place, choice] of choices.entries()) {
      if (!isTried(place, 40)) continue;
      for (const mistake of mistakes) {
        played += 1;
        found.push(...(await theatre.play(choice, (scene) => brokenRefusal(scene, mistake))));
      }
    }
    expect(found.map(wordsOf)).toEqual([]);
    expect(played).toBeGreaterThan(mistakes.length);
  });
});

describe('an open fault that is left out', () => {
  test.each(openKinds)('still shows: $name', async ({ relation, example, name }) => {
    const found = await theatre.play({ ...plainest, ...example }, brokenBy[relation]);
    expect(found.map((finding) => kindOf(finding)?.name)).toContain(name);
  });
});
