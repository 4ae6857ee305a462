/** A database lacks the last lines that it confirmed, and knows that it may: each write is looked up. */
import { expect, test } from 'vitest';
import { minute } from '../../../src/base/clock.ts';
import { booksOf, deathsIn, desks, judge } from '../market.ts';
import { entriesOn, runProcess, type Death } from '../machine-process.ts';
import { machineOn } from './machines.ts';
import type { Defect } from './simulated.ts';
import { ends, lengthOf, stage, toldWithStrangers } from './stage.ts';

interface Case {
  readonly dies: Death;
  /** Lines that are lost then. */
  readonly lost: number;
  /** B dies there as well, and begins again; default: it does not. */
  readonly again?: Death;
}

/** A dies, the database loses lines, and B continues. */
async function lostOf(of: Case, defect?: Defect): Promise<readonly string[]> {
  const all = await stage(defect);
  const { harness, database, a } = all;
  let { b } = all;
  const observedAt = harness.clock.now();
  await ends(runProcess(a, harness, desks, { dies: of.dies, observedAt }));
  database.lose('r-1', of.lost);
  all.pass(minute, false);
  await b.store.sync();
  if ((await entriesOn(b).catch(() => [])).length === 0) return [];
  const resumed = { isResumed: true, observedAt };
  if (of.again !== undefined) {
    await ends(runProcess(b, harness, desks, { ...resumed, dies: of.again }));
    all.pass(minute, false);
    b = machineOn(() => database.connect(), harness.clock);
  }
  const result = await runProcess(b, harness, desks, resumed);
  const broken = [...judge(result, await booksOf(harness), await toldWithStrangers(b), 'ask')];
  const noticed = (await entriesOn(b)).some(
    (entry) => entry.kind === 'taken-over' && entry.forgets === true,
  );
  if (!noticed) broken.push('not noticed');
  return broken.map((what) => `${JSON.stringify(of)}: ${what}`);
}

async function lost(cases: Omit<Case, 'dies'>, defect?: Defect): Promise<readonly string[]> {
  const broken: string[] = [];
  for (const dies of deathsIn({ ...(await lengthOf()), journal: 0 }, { from: 1, oneOf: 3 })) {
    broken.push(...(await lostOf({ ...cases, dies }, defect)));
  }
  return broken;
}

test.each([1, 4])('no order is placed twice when %d lines are lost', async (count) => {
  expect(await lost({ lost: count })).toEqual([]);
});

test.each([1, 3])('nor when the process that continues dies at its question %d', async (nth) => {
  expect(await lost({ lost: 2, again: { at: 'push', nth, when: 'after' } })).toEqual([]);
});

test('the planted defect no-incomplete-mark is noticed', async () => {
  expect((await lost({ lost: 2 }, 'no-incomplete-mark')).join('\n')).toContain('times');
});
