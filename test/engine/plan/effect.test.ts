/** What a plan shows for writes that are not fully known, and for those at the end of a run. */
import { expect, test } from 'vitest';
import { replay } from '../../../src/engine/journal/replay.ts';
import { mayWrite } from '../../../src/engine/plan/effect.ts';
import { mayStillWrite } from '../../../src/engine/plan/left.ts';
import type { Plan } from '../../../src/engine/plan/plan.ts';
import { openHarness, planOn, playbookFrom } from '../../support/harness.ts';
import { limitOrder } from '../../support/order.ts';

const order = (id: string): string => `
  - id: ${id}
    uses: futures/place-order
    with:${limitOrder({ price: '40000.0' })}`;
const readTo = (file: string): string => `
  - id: first
    uses: market/list-tickers
    with: { category: SPOT }
    write: { file: ${file}.csv }`;
const read = readTo('first');
const parts = {
  'part.yaml': `playbook: 1\nname: part\nsteps:${order('bid')}\n`,
  'closing.yaml': `playbook: 1\nname: closing\nsteps:${readTo('within')}\nfinally:${order('bid')}\n`,
  'tight.yaml': `playbook: 1\nname: tight\nguards: { max-writes: 1 }\nsteps:${order('bid')}\nfinally:${order('last')}\n`,
  'reading.yaml': `playbook: 1\nname: reading\nsteps:${readTo('within')}\n`,
};

const planOf = async (text: string): Promise<Plan> =>
  planOn(await openHarness(), playbookFrom(`playbook: 1\nname: outer\n${text}\n`, parts));

const using = (part: string, known: string): string =>
  `inputs: { none: { type: list, default: [] } }
steps:${read}
  - { id: part, needs: [first], uses: ./${part}.yaml, with: {}, ${known} }`;

const later = 'if: "{{ gt steps.first.rows 0 }}"';
const nobody = 'for-each: "{{ inputs.none }}"';

test.each([
  ['part', later, 1],
  ['closing', later, 1],
  ['part', nobody, undefined],
])('a step that uses %s may write, %s', async (part, known, count) => {
  const plan = await planOf(using(part, known));
  expect([mayWrite(plan), plan.totals.create, plan.totals.later]).toEqual([true, 0, count]);
});

test('a step that uses a playbook without writes does not write', async () => {
  const plan = await planOf(using('reading', later));
  expect([mayWrite(plan), plan.totals.later]).toEqual([false, undefined]);
});

test('writes of finally are planned and limited', async () => {
  const plan = await planOf('steps:\n  - { id: part, uses: ./tight.yaml, with: {} }');
  expect(plan.steps.map(({ id }) => id)).toEqual(['part', 'part/bid', 'part/last']);
  expect(plan.totals).toMatchObject({ create: 2, orders: 2, notional: '80' });
  expect(plan.guards).toMatchObject([{ used: '2', isKept: false }]);
});

test('writes of on-failure are reported and not counted', async () => {
  const plan = await planOf(`steps:${read}\non-failure:${order('undo')}`);
  expect(plan.steps.map(({ id, effect }) => [id, effect])).toEqual([
    ['first', 'read'],
    ['undo', 'keyed'],
  ]);
  expect([mayWrite(plan), plan.totals.create, plan.totals.later]).toEqual([true, 0, undefined]);
});

const none = 'inputs: { none: { type: list, default: [] } }';
const unless = 'if: "{{ gt (length inputs.none) 0 }}"';

test.each([
  ['is sent only when it stops', `steps:${read}\non-failure:${order('undo')}`],
  ['has no items now', using('part', nobody)],
  ['is skipped as things are now', `${none}\nsteps:${read}${order('bid')}\n    ${unless}`],
])('in a resumed run, a write that %s may still be sent', async (_how, text) => {
  expect(mayStillWrite(await planOf(text), replay([]))).toBe(true);
});
