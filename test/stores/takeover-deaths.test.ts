/** A machine dies, the one that takes over dies as well, and one more continues. */
import { cpSync } from 'node:fs';
import { basename } from 'node:path';
import { expect, test } from 'vitest';
import type { AnswerForms } from '../../src/sandbox/world/world-settings.ts';
import { answersAt } from '../support/answer-forms.ts';
import { minute } from '../../src/base/clock.ts';
import { lease, machine, type Machine } from './machines.ts';
import {
  booksOf,
  desks,
  judge,
  moveMarket,
  openMarket,
  openPlace,
  toldBy,
  type Place,
  deathsIn,
} from './market.ts';
import { noActs, runProcess, type Death } from './machine-process.ts';

/** The machine that takes over dies as well; it comes back, or a third one continues. */
async function secondCaseOf(
  dies: Death,
  place: Place,
  answers: AnswerForms,
  counts = noActs(),
): Promise<readonly string[]> {
  const { bare, clones } = place;
  const ref = `refs/deskhand/second-${dies.at}-${dies.nth}-${dies.when}`;
  const on = (folder: string): Machine => machine(bare, { folder, settings: { ref } });
  const [a, b] = [on(clones[0]), on(clones[1])];
  const harness = await openMarket(answers);
  const first = { at: 'request', path: 'place-order', nth: 3, when: 'after' } as const;
  await expect(runProcess(a, harness, desks, { dies: first })).rejects.toThrow();
  harness.clock.advance(lease + minute);
  moveMarket(harness);
  const second = await runProcess(b, harness, desks, { isResumed: true, dies, counts }).then(
    (result) => result,
    () => undefined,
  );
  harness.clock.advance(lease + minute);
  const isBack = dies.nth % 2 === 0;
  const c = on(clones[isBack ? 1 : 0]);
  if (isBack) {
    const isKept = (path: string): boolean => basename(path) !== 'locks';
    cpSync(b.stateDir, c.stateDir, { recursive: true, filter: isKept });
  }
  const result = second ?? (await runProcess(c, harness, desks, { isResumed: true }));
  const told = await toldBy(second === undefined ? c : b);
  const broken = judge(result, await booksOf(harness), told, 'resend');
  return broken.map((what) => `${JSON.stringify(dies)} of the second, ${answers}: ${what}`);
}

test('the machine that takes over crashes at each journal line and each push', async () => {
  const place = openPlace();
  const counts = noActs();
  const never = { at: 'push', nth: 99, when: 'after' } as const;
  expect(await secondCaseOf(never, place, 'interface', counts)).toEqual([]);
  const broken: string[] = [];
  for (const [at, death] of [...deathsIn(counts, { from: 1, oneOf: 6 })].entries()) {
    if (death.at === 'request' || death.when === 'before') continue; // looking up changes nothing
    broken.push(...(await secondCaseOf(death, place, answersAt(at))));
  }
  expect(broken).toEqual([]);
}, 600_000);
