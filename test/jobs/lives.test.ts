/** Composed playbooks that are planned, killed, run again and resumed, counted in the books of the exchange. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { shareOf } from '../support/share.ts';
import { openTheatre, type Theatre } from './scene.ts';
import { playedFor, timeFor } from './share.ts';

let theatre: Theatre;
beforeAll(async () => {
  theatre = await openTheatre(shareOf(2, 1));
});
afterAll(() => theatre.close());

const promises = [
  ['plan', 'a run sends what its plan shows, or names a change of the world'],
  ['resume', 'a killed and resumed run ends as an unbroken one'],
  ['once', 'killed, run again and resumed, no more is placed than one run places'],
  ['again', 'a run from a step executes none of the steps that it reuses'],
  [
    'changed',
    'a run stops, the playbook is changed, and messages are followed: each wanted order is there once',
  ],
  [
    'elsewhere',
    'killed, run again and resumed on another machine, no more is placed than one run places',
  ],
  ['next', 'a command that a message names does what it says'],
  ['answers', 'real answers: the same orders and the same rows in exports'],
] as const;

test.each(promises)('%s: %s', { timeout: timeFor }, async (relation) => {
  const { count, wrong } = await playedFor(relation, theatre);
  expect(wrong).toEqual([]);
  expect(count).toBeGreaterThan(0);
});
