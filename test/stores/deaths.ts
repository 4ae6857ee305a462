/** A machine dies at every act of a run, and another one continues with it: by the exchange's own books. */
import process from 'node:process';
import { expect } from 'vitest';
import { minute } from '../../src/base/clock.ts';
import type { OnDoubt } from '../../src/engine/effects/effect-context.ts';
import type { AnswerForms } from '../../src/sandbox/world/world-settings.ts';
import { answersAt } from '../support/answer-forms.ts';
import { lease, machine } from './machines.ts';
import {
  booksOf,
  deathsIn,
  desks,
  judge,
  moveMarket,
  openMarket,
  openPlace,
  ordersIn,
  toldBy,
  type Place,
} from './market.ts';
import { entriesOn, noActs, runProcess, type Act, type Death } from './machine-process.ts';

async function caseOf(
  dies: Death,
  onDoubt: OnDoubt,
  place: Place,
  answers: AnswerForms,
): Promise<readonly string[]> {
  const { bare, clones } = place;
  const ref = `refs/deskhand/${onDoubt}-${dies.at}-${dies.nth}-${dies.when}`;
  const [a, b] = clones.map((folder) => machine(bare, { folder, settings: { ref } }));
  if (a === undefined || b === undefined) throw new Error('two clones');
  const harness = await openMarket(answers);
  const isDead = await runProcess(a, harness, desks, { dies, onDoubt }).then(
    () => false,
    () => true,
  );
  // With real responses a run may have fewer acts: one that nobody understands ends it in doubt.
  const broken = isDead || answers === 'real' ? [] : ['it did not die'];
  const left = await booksOf(harness);
  harness.clock.advance(lease + minute);
  moveMarket(harness);
  await b.store.sync();
  const isKnown = (await entriesOn(b).catch(() => [])).length > 0;
  if (isKnown) {
    const result = await runProcess(b, harness, desks, { isResumed: true, onDoubt });
    broken.push(...judge(result, await booksOf(harness), await toldBy(b), onDoubt));
  } else if (left.total > 0) broken.push('orders stand, and no one was notified of the run');
  return broken.map((what) => `${JSON.stringify(dies)} ${onDoubt} ${answers}: ${what}`);
}

async function lengthOf({ bare, clones }: Place): Promise<Record<Act, number>> {
  const counts = noActs();
  const harness = await openMarket();
  const one = machine(bare, { folder: clones[0], settings: { ref: 'refs/deskhand/whole' } });
  const result = await runProcess(one, harness, desks, { counts });
  expect(result.status).toBe('done');
  expect((await booksOf(harness)).total).toBe(ordersIn);
  return counts;
}

/** @param from the first line and request that is tried, of one in eight */
export async function crashEverywhere(onDoubt: OnDoubt, from: number): Promise<void> {
  const place = openPlace();
  const length = await lengthOf(place);
  const broken: string[] = [];
  for (const [at, death] of [...deathsIn(length, { from, oneOf: 8 })].entries())
    broken.push(...(await ended(caseOf(death, onDoubt, place, answersAt(at)), death)));
  expect(length.push).toBeGreaterThan(3);
  expect(broken).toEqual([]);
}

const hangsAfter = 200_000; // real ms; a case takes one or two seconds

/** What was broken, or what a case that does not end still waits for. */
async function ended(work: Promise<readonly string[]>, death: Death): Promise<readonly string[]> {
  let timer: NodeJS.Timeout | undefined;
  const hangs = new Promise<readonly string[]>((resolve) => {
    timer = setTimeout(() => {
      const open = process.getActiveResourcesInfo().toSorted().join(' ');
      resolve([`${JSON.stringify(death)}: it hangs, with ${open}`]);
    }, hangsAfter);
  });
  try {
    return await Promise.race([work, hangs]);
  } finally {
    clearTimeout(timer);
  }
}
