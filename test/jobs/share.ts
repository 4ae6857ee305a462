/** Which composed jobs are played for a relation: a share in `npm test`, a part in `.ci/run`, most of them in `npm run test:all`. */
import process from 'node:process';
import { isTried } from '../support/share.ts';
import { coveringChoices } from './covering.ts';
import type { Choice } from './features.ts';
import { wordsOf, type Finding, type Relation } from './finding.ts';
import { brokenBy } from './relations.ts';
import type { Theatre } from './scene.ts';

/** `JOBS_SEED` composes other jobs. */
export const choices = coveringChoices(Number(process.env['JOBS_SEED'] ?? 1));

/** One of so many jobs is played: in `npm run test:all`, and in `npm test`. */
const oneOf: Readonly<Record<Relation, readonly [whole: number, share: number]>> = {
  language: [1, 40],
  plan: [1, 27],
  resume: [2, 40],
  once: [2, 40],
  again: [2, 40],
  changed: [1, 20],
  elsewhere: [12, 79],
  next: [5, 79],
  answers: [2, 40],
};

export interface Played {
  readonly count: number;
  /** In words. */
  readonly wrong: readonly string[];
}

export async function playedFor(relation: Relation, theatre: Theatre): Promise<Played> {
  const [whole, share] = oneOf[relation];
  const mine = choices
    .filter((_, place) => place % whole === 0)
    .filter((_, place) => isTried(place, Math.ceil(share / whole)));
  const found: Finding[] = [];
  for (const choice of mine) found.push(...(await brokenBy[relation](choice, theatre)));
  return { count: mine.length, wrong: found.map(wordsOf) };
}

export const partOf = (oneOfSo: number): readonly Choice[] =>
  choices.filter((_, place) => isTried(place, oneOfSo));

/** Milliseconds of a test that plays many jobs: for a hang, not for a slow machine. */
export const timeFor = 1_200_000;
