/** The call of an item is made once for an account: what the opening of a step lists is what is sent. */
import { expect, test } from 'vitest';
import { preparedCall } from '../../../src/engine/interpreter/prepared-call.ts';
import { callOf } from '../../../src/engine/plan/call.ts';
import type { Item } from '../../../src/engine/plan/items.ts';
import { Unknown, type Value } from '../../../src/language/expression/value.ts';
import { playbookFrom } from '../../support/harness.ts';
import { limitOrder } from '../../support/order.ts';

const [placing] = playbookFrom(`playbook: 1
name: ladder
steps:
  - id: ladder
    for-each: "{{ range 98 99 }}"
    uses: futures/place-order
    with:${limitOrder({ price: '{{ each.value }}' })}
`).steps;
if (placing === undefined) throw new Error('the playbook has a step');
const step = placing;
const operation = 'futures/place-order';
const account = (profile: string) => ({ profile, target: 'sandbox', host: 'x' }) as const;
const naming = { playbook: 'ladder', destination: account('main'), run: 'r-1' };

const itemWith = (value: Value): Item => ({
  address: 'ladder[98]',
  key: '98',
  scope: { inputs: {}, steps: {}, each: { key: '98', value, index: 0 } },
});

test('a call is made once for a run and an account, and again for another one', () => {
  const item = itemWith('98');
  const call = preparedCall(step, operation, item, naming);
  expect(call).toEqual(callOf(step, operation, item, naming));
  expect(preparedCall(step, operation, item, { ...naming })).toBe(call);
  const other = { ...naming, destination: account('other') };
  expect(preparedCall(step, operation, item, other)).not.toBe(call);
  const later = preparedCall(step, operation, item, { ...naming, run: 'r-2' });
  expect(later.identity).not.toBe(call.identity);
});

test('a call with a field that is known only after a step is made again', () => {
  const item = itemWith(new Unknown('earlier'));
  const call = preparedCall(step, operation, item, naming);
  expect(call.unknown.size).toBe(1);
  expect(preparedCall(step, operation, item, naming)).not.toBe(call);
});
