/** What is done once for a step or a playbook, and not again for each of thousands of items or steps. */
import { expect, test } from 'vitest';
import { orderLists } from '../../../src/exchange/api/order-lists.ts';
import { restingIn } from '../../../src/engine/plan/found-orders.ts';
import { NamedOrders, orderIn } from '../../../src/engine/plan/order-row.ts';
import { withOwnValues, withStepValue } from '../../../src/engine/plan/scope.ts';
import { Trace } from '../../../src/engine/plan/trace.ts';
import { expressionsOf, expressionsOfItem } from '../../../src/language/expressions.ts';
import { loadPlaybook } from '../../../src/language/load.ts';

const { playbook } = loadPlaybook(
  `playbook: 1
name: many
steps:
  - id: pause
    for-each: "{{ range 1 500 }}"
    if: "{{ ne each.value 7 }}"
    uses: wait
    with: { for: 1ms }
`,
  'many.yaml',
);
const step = playbook?.steps[0];
if (step === undefined) throw new Error('the playbook is not valid');

test('the scopes of one walk share the map of values, except one with its own', () => {
  const first = withStepValue({ steps: {} }, 'a', 1);
  const second = withStepValue(first, 'b', 2);
  expect(second.steps).toBe(first.steps);
  const other = withStepValue(withOwnValues(second), 'c', 3);
  expect(second.steps).toEqual({ a: 1, b: 2 });
  expect(other.steps).toEqual({ a: 1, b: 2, c: 3 });
});

test('the expressions of a step are collected once', () => {
  expect(expressionsOf(step)).toBe(expressionsOf(step));
  expect(expressionsOf(step)).toHaveLength(2);
  expect(expressionsOfItem(step)).toHaveLength(1);
});

test('a trace records an item by its address and its own expressions, without the list of items', () => {
  const trace = new Trace();
  for (const value of [6, 7]) {
    trace.item(step, `pause[${value}]`, { each: { key: String(value), value, index: value } });
  }
  expect(trace.text()).toBe('pause[6]\ntrue\npause[7]\nfalse');
});

test('open orders are counted once for all actions of a plan, and named only in an error', () => {
  const reads: string[] = [];
  const row = (status: unknown): object => {
    const fields = { orderId: '1', clientOid: 'a', orderStatus: status };
    const watched = Object.entries(fields).map(([name, value]) => [
      name,
      { enumerable: true, get: () => (reads.push(name), value) },
    ]);
    return Object.defineProperties({}, Object.fromEntries(watched));
  };
  const orders = new NamedOrders();
  orders.set('a', orderIn(orderLists.open, row('new')));
  orders.set('b', orderIn(orderLists.open, row('filled')));
  for (let action = 0; action < 3; action++) expect(restingIn(orders)).toBe(1);
  expect(reads).toEqual(Array.from({ length: reads.length }, () => 'orderStatus'));
  expect(reads).toHaveLength(4); // of each row, whether it is there, and its value
  const unreadable = orderIn(orderLists.open, row(7));
  expect(() => unreadable.orderStatus).toThrow('orderStatus of order 1 is 7');
});
