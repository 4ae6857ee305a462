/** A plan of five thousand orders: one screen for a person, all of it on demand. */
import { expect, test } from 'vitest';
import { themeOf } from '../../src/report/terminal/theme.ts';
import { planText } from '../../src/report/terminal/plan-screen.ts';
import type { Plan } from '../../src/engine/plan/plan.ts';
import { planMarkdown } from '../../src/report/markdown/plan-comment.ts';
import { samplePlan } from '../support/plans.ts';

const look = themeOf({}, {});

/** Orders with alternating symbols, so that no two neighbors are alike. */
function planOf(symbols: number): Plan {
  const plan = samplePlan(5_000);
  const steps = plan.steps.map((step) => ({
    ...step,
    actions: step.actions.map((action, index) =>
      action.operation === 'futures/place-order'
        ? { ...action, input: { ...Object(action.input), symbol: `COIN${index % symbols}USDT` } }
        : action,
    ),
  }));
  return { ...plan, steps };
}

test.each([1, 2, 7])('of %i alternating symbols is grouped', (symbols) => {
  const lines = planText(planOf(symbols), { isFull: false }, look);
  expect(lines.length).toBeLessThan(30 + symbols * 4);
  const rest = lines.filter((line) => line.includes('more like COIN'));
  expect(rest).toHaveLength(symbols);
  const counted = rest.map((line) => Number(/… (\d+) more/.exec(line)?.[1]));
  expect(counted.reduce((a, b) => a + b, 0) + symbols * 3).toBe(5_000);
});

test('of more symbols than fit on a screen counts the rest', () => {
  const lines = planText(planOf(500), { isFull: false }, look);
  expect(lines.length).toBeLessThan(120);
  expect(lines.join('\n')).toMatch(/… 4800 more of 480 other kinds, within 1 % of mark/);
});

test('--full shows every one', () => {
  const lines = planText(planOf(7), { isFull: true }, look);
  expect(lines.filter((line) => line.includes('COIN')).length).toBe(5_000);
});

test('its Markdown has whole rows and counts the omitted ones', () => {
  const text = planMarkdown(planOf(7));
  expect(text.length).toBeLessThanOrEqual(60_000);
  const rows = text.split('\n').filter((line) => line.includes('COIN'));
  for (const row of rows) expect(row).toMatch(/^\| `\+` \| .* \|$/);
  const left = Number(/… (\d+) more rows/.exec(text)?.[1]);
  expect(rows.length + left).toBe(5_000 + 2); // the step of no items, and the read at the end
});
