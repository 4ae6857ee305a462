/** Every field of an order is shown to reviewers in every output, for all fields of the API. */
import { describe, expect, test } from 'vitest';
import { fieldOf, type Json } from '../../src/base/json.ts';
import { themeOf } from '../../src/report/terminal/theme.ts';
import { planText } from '../../src/report/terminal/plan-screen.ts';
import { placeOrder } from '../../src/exchange/api/operations/place-order.ts';
import type { Plan, PlannedAction } from '../../src/engine/plan/plan.ts';
import { planMarkdown } from '../../src/report/markdown/plan-comment.ts';
import { runMarkdown } from '../../src/report/markdown/run-comment.ts';
import type { Approved } from '../../src/report/plan-changes.ts';
import { runReport } from '../../src/report/page/page.ts';
import { orderInput, started } from '../support/desk-setup.ts';
import { samplePlan } from '../support/plans.ts';
import { done, tape } from '../support/tape.ts';

type Order = Readonly<Record<string, Json>>;

const widths = [80, 110, 160] as const;
const base: Order = orderInput('61500.0');
const fields = Object.entries(placeOrder.input.json['properties'] ?? {});

/** Values of a field, as its schema allows: every allowed word, or one other value. */
function valuesOf(field: string, schema: unknown): readonly Json[] {
  const words = fieldOf(schema, 'enum');
  if (Array.isArray(words)) return words;
  const isDecimal = String(fieldOf(schema, 'format')).startsWith('decimal');
  return [base[field] ?? '', isDecimal ? '60123.4' : 'OTHER1'];
}

const values = new Map(fields.map(([field, schema]) => [field, valuesOf(field, schema)]));

/** Orders that differ from the usual one in a single field. */
const variants = [...values].flatMap(([field, all]) =>
  all
    .filter((value) => value !== (base[field] ?? ''))
    .map((value) => ({ ...base, [field]: value })),
);
const usual: ReadonlySet<Json> = new Set(['', 'none', ...Object.values(base)]);
/** All fields at once, each with an unusual value. */
const everything: Order = Object.fromEntries(
  [...values].map(([field, all]) => [field, all.find((value) => !usual.has(value)) ?? '']),
);

function planOf(orders: readonly Order[]): Plan {
  const plan = samplePlan();
  const actions = orders.map((input, index): PlannedAction => ({
    address: `orders[${index}]`,
    key: String(index),
    operation: 'futures/place-order',
    change: { kind: 'create' },
    confidence: { kind: 'read-just-now' },
    input,
    order: { notional: '615.000', mark: '62014.5', distance: '-0.0083' },
  }));
  const steps = [{ id: 'orders', uses: 'futures/place-order', effect: 'keyed', actions } as const];
  return { ...plan, steps, guards: [] };
}

function screenOf(orders: readonly Order[], columns: number, isFull = true): string[] {
  const look = themeOf({ isTTY: true, columns }, { LANG: 'C.UTF-8', NO_COLOR: '1' });
  return planText(planOf(orders), { isFull }, look);
}

/** How the displayed plan of these orders differs from a plan of usual orders. */
function differenceOf(orders: readonly Order[], columns: number): string[] {
  const look = themeOf({ isTTY: true, columns }, { LANG: 'C.UTF-8', NO_COLOR: '1' });
  const lines = planText(planOf(orders), { isFull: true, since: approved(orders) }, look);
  return lines.slice(lines.findIndex((line) => line.startsWith('Since ')));
}

function approved(orders: readonly Order[]): Approved {
  const plan = planOf(orders.map(() => base));
  return { plan, who: 'ben@desk.example', at: plan.observedAt };
}

function runOf(input: Order): Parameters<typeof runMarkdown>[0] {
  const on = tape().add(started('r-order'));
  on.add({ kind: 'opened', step: 'orders' });
  const outcome = done({ orderId: '1', clientOid: 'x' });
  on.send({ address: 'orders', operation: 'futures/place-order', input, outcome });
  return on.add({ kind: 'closed', step: 'orders', status: 'done' }).entries;
}

const outputs: Readonly<Record<string, (order: Order) => string>> = {
  ...Object.fromEntries(
    widths.flatMap((width) => [
      [`terminal at ${width}`, (order: Order) => screenOf([order], width).join('\n')],
      [
        `terminal at ${width}, grouped`,
        (order: Order) => screenOf([order], width, false).join('\n'),
      ],
      [`difference at ${width}`, (order: Order) => differenceOf([order], width).join('\n')],
    ]),
  ),
  'difference as Markdown': (order) => planMarkdown(planOf([order]), approved([order])),
  'plan as Markdown': (order) => planMarkdown(planOf([order])),
  'run as Markdown': (order) => runMarkdown(runOf(order)),
  // Without the machine-readable form, which always has all fields.
  'report page': (order) =>
    runReport(runOf(order), printing).replace(/<script[^]*?<\/script>/g, ''),
};
const printing = { program: 'deskhand 0.1.0' };

describe.each(Object.keys(outputs))('%s', (name) => {
  const shown = (order: Order): string => (outputs[name] ?? String)(order);

  // One of the words may be the exchange's default, equivalent to an absent field.
  test.each([...values.keys()])('shows every value of %s differently', (field) => {
    const all = values.get(field) ?? [];
    const seen = new Set([base, ...all.map((value) => ({ ...base, [field]: value }))].map(shown));
    expect(seen.size).toBe(all.length);
  });
});

test('a field that is new to deskhand is shown by its name', () => {
  for (const [name, shown] of Object.entries(outputs)) {
    expect([name, /iceberg\s+YES/.test(shown({ ...base, iceberg: 'YES' }))]).toEqual([name, true]);
  }
});

describe.each(widths)('%i columns', (width) => {
  const orders = [base, ...variants, everything];

  test('golden screen', () => {
    expect(screenOf(orders, width).join('\n')).toMatchSnapshot();
  });

  test('golden screen of the difference to the last approved plan', () => {
    expect(differenceOf(orders, width).join('\n')).toMatchSnapshot();
  });

  test.each([screenOf, differenceOf])('no line is longer, and no word is lost', (linesOf) => {
    const narrow = linesOf(orders, width);
    expect(narrow.filter((line) => line.length > width)).toEqual([]);
    const words = (lines: readonly string[]): string[] => lines.join(' ').split(/\s+/).toSorted();
    expect(words(narrow)).toEqual(words(linesOf(orders, 1_000)));
  });
});

test('orders that open, close, and open with a take-profit have different lines', () => {
  const orders = [
    base,
    { ...base, tradeSide: 'close' },
    { ...base, side: 'sell' },
    { ...base, presetStopSurplusPrice: '64000', presetStopSurplusExecutePrice: '64010' },
  ];
  const lines = screenOf(orders, 160, false).filter((line) => line.includes('+ BTCUSDT'));
  expect(lines.map((line) => line.slice(2, 100).split('  ')[0])).toEqual([
    '+ BTCUSDT open long 0.010 @ 61,500.0, post_only, crossed',
    '+ BTCUSDT close long 0.010 @ 61,500.0, post_only, crossed',
    '+ BTCUSDT open short 0.010 @ 61,500.0, post_only, crossed',
    '+ BTCUSDT open long 0.010 @ 61,500.0, post_only, crossed, take-profit 64,000 executed @ 64,010',
  ]);
});

test('grouped rows show the value of the largest one', () => {
  const lines = screenOf(
    Array.from({ length: 9 }, () => base),
    110,
    false,
  );
  expect(lines.join('\n')).toContain(
    '… 6 more like BTCUSDT, within 1 % of mark, worth 615.00 at most',
  );
});

test('JSON contains the request as it is sent', () => {
  const [action] = planOf([everything]).steps.flatMap(({ actions }) => actions);
  expect(Object.keys(Object(action?.input)).toSorted()).toEqual([...values.keys()].toSorted());
});
