/** The page and the terminal show an entry of a run, and an action of a plan, in the same words. */
import { expect, test } from 'vitest';
import { spoken } from '../../src/base/text.ts';
import { runLines } from '../../src/report/terminal/run-lines.ts';
import { rowOf } from '../../src/report/terminal/plan-rows.ts';
import { themeOf } from '../../src/report/terminal/theme.ts';
import { eventLine } from '../../src/report/event-lines.ts';
import { planLines } from '../../src/report/plan-line.ts';
import { doneRun, doubtRun, interruptedRun, resumedRun, stoppedRun } from '../support/entries.ts';
import { samplePlan } from '../support/plans.ts';

/** Their lines in the terminal have the totals of their step, or the reason of an item. */
const summed = new Set(['settled', 'closed', 'opened']);

test.each([
  ['done', doneRun],
  ['stopped', stoppedRun],
  ['in doubt', doubtRun],
  ['interrupted', interruptedRun],
  ['resumed', resumedRun],
])('the entries of a run that is %s', (_what, entries) => {
  const lines = runLines({ isVerbose: true, hasEnd: true });
  let compared = 0;
  for (const entry of entries()) {
    const shown = lines.add(entry);
    if (summed.has(entry.kind) || shown.length === 0 || shown[0]?.includes('look-up')) continue;
    const { address, word, text, took } = eventLine(entry);
    const all = [address, word, text, took === undefined ? '' : spoken(took)];
    expect(shown).toHaveLength(1);
    for (const part of all) expect(shown[0]).toContain(part);
    compared += 1;
  }
  expect(compared).toBeGreaterThan(3);
});

test('the actions of a plan', () => {
  const plan = samplePlan();
  const theme = themeOf({ isTTY: false }, {});
  const rows = plan.steps.flatMap((step) => step.actions.map((one) => rowOf(one, 0, theme)));
  const lines = planLines(plan);
  expect(lines.length).toBeGreaterThan(3);
  for (const [at, { mark, distance, notional, certainty }] of lines.entries()) {
    expect(rows[at]?.numbers).toEqual(
      notional === undefined ? [] : [mark ?? '', distance ?? '', notional],
    );
    expect(rows[at]?.mark.replace('read just now', 'read with the plan')).toBe(
      certainty === '' ? '' : `[${certainty}]`,
    );
  }
});
