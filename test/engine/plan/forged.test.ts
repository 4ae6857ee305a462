/** A forged plan with valid seal and digest is refused or changes nothing. */
import { beforeAll, expect, test } from 'vitest';
import { seededRandom } from '../../../src/base/random.ts';
import { plainJson, type Json } from '../../../src/base/json.ts';
import { planSchema } from '../../../src/engine/plan/plan-schema.ts';
import {
  allForgeries,
  booksOf,
  forged,
  forgersScene,
  mayPass,
  outcomeOf,
  placedBy,
  type Scene,
} from '../../support/forged-scene.ts';
import { drawnOf, fieldsOf, pairsOf, type Forgery } from '../../support/forgeries.ts';
import { ordersOf } from '../../support/reviewed.ts';
import { shareOf } from '../../support/share.ts';

const seed = 20_261_122;
const ofEachField = shareOf(3, 1); // bench/forgeries.ts tries all of them, and all pairs of fields
const pairsTried = shareOf(300, 100);
const slow = 120_000;

let scene: Scene;
let all: readonly Forgery[];

beforeAll(async () => {
  scene = await forgersScene(true);
  all = allForgeries(scene);
});

test('the original plan runs with the orders it shows, and a found order is not placed again', async () => {
  expect(await placedBy(plainJson(scene.plan), scene)).toEqual(ordersOf(scene.plan));
  expect(ordersOf(scene.plan)).toHaveLength(3);
});

test('every field of the schema is forged', () => {
  const named = new Set(all.map(({ field }) => field));
  expect(fieldsOf(planSchema.json).filter((field) => !named.has(field))).toEqual([]);
});

test(
  `one forged field is refused or without effect, seed ${seed}`,
  async () => {
    const before = await booksOf(scene.harness);
    const passed = new Map<string, Json>();
    const wrong: string[] = [];
    for (const forgery of drawnOf(all, ofEachField, seededRandom(seed))) {
      const paper = forged(scene.plan, forgery);
      const outcome = await outcomeOf(paper, scene);
      if (outcome === 'without effect') passed.set(forgery.field, paper);
      else if (outcome !== 'refused') wrong.push(`${forgery.what}: ${outcome.slice(0, 300)}`);
    }
    expect(wrong).toEqual([]);
    expect(await booksOf(scene.harness)).toEqual(before);
    expect([...passed.keys()].filter((field) => !mayPass(field))).toEqual([]);
    for (const paper of passed.values()) {
      expect(await placedBy(paper, scene)).toEqual(ordersOf(scene.plan));
    }
  },
  slow,
);

test('a seal may be left out, as the digest decides, and every other seal is refused', async () => {
  const ofSeal = all.filter(({ field }) => /^seal\b/.test(field));
  const passed: string[] = [];
  for (const forgery of ofSeal) {
    const paper = forged(scene.plan, forgery);
    if ((await outcomeOf(paper, scene)) === 'refused') continue;
    passed.push(forgery.what);
    expect(await placedBy(paper, scene)).toEqual(ordersOf(scene.plan));
  }
  expect(passed).toEqual(['seal removed']);
  expect(ofSeal.length).toBeGreaterThan(3);
});

test(
  `two forged fields are refused or without effect, seed ${seed}`,
  async () => {
    const random = seededRandom(seed);
    const pairs = pairsOf(all, random);
    const wrong: string[] = [];
    for (let tried = 0; tried < pairsTried; tried++) {
      const pair = pairs[random.integer(pairs.length)];
      if (pair === undefined) continue;
      const outcome = await outcomeOf(forged(scene.plan, pair), scene);
      if (outcome.startsWith('wrong')) wrong.push(`${pair.what}: ${outcome.slice(0, 300)}`);
    }
    expect(wrong).toEqual([]);
  },
  slow,
);
