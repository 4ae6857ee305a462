/** Orders that a playbook cancels: each is done when it is seen ended. */
import { expect, test } from 'vitest';
import { accountWorld, said, type AccountWorld } from './account.ts';
import { limitOrder } from '../support/order.ts';

const ladder = `playbook: 1
name: ladder
account: main
steps:
  - id: orders
    for-each: ["40000", "39900", "39800"]
    uses: futures/place-order
    with:${limitOrder({ price: '{{ each.value }}', size: '0.010' })}
  - id: undo
    needs: [orders]
    for-each: "{{ steps.orders.outputs }}"
    uses: futures/cancel-order
    with: { symbol: BTCUSDT, productType: USDT-FUTURES, clientOid: "{{ each.value.clientOid }}" }
    outputs: { state: "{{ response.status }}", filled: "{{ response.filled }}" }
`;

async function world(files: Readonly<Record<string, string>>): Promise<AccountWorld> {
  const made = await accountWorld(files);
  made.profile(`    base-url: "http://127.0.0.1:${made.port}"\n`);
  return made;
}

const states = async (made: AccountWorld): Promise<readonly unknown[]> => {
  const { open, closed } = Object(await made.control('GET', 'orders', { uid: '7000000002' }));
  return [...open, ...closed]
    .filter(({ clientOid }) => String(clientOid).startsWith('dh'))
    .map(({ status }) => status);
};

test('orders that a step placed are cancelled by its outputs, and their end is the result', async () => {
  const made = await world({ 'ladder.yaml': ladder });
  const valid = await made.at('first', 'validate', 'ladder.yaml');
  expect(said(valid)).toEqual([0, expect.anything()]);
  const planned = await made.at('first', 'plan', 'ladder.yaml');
  expect(said(planned)).toEqual([0, expect.stringContaining('cancels order')]);
  const done = await made.at('first', 'run', 'ladder.yaml', '-o', 'json');
  expect(done.code).toBe(0);
  expect(await states(made)).toEqual(['cancelled', 'cancelled', 'cancelled']);
});

test('what a playbook cancelled itself is no drift', async () => {
  const made = await world({ 'ladder.yaml': ladder });
  expect((await made.at('first', 'run', 'ladder.yaml')).code).toBe(0);
  const drift = await made.at('first', 'drift', 'ladder.yaml');
  expect(said(drift)).toEqual([0, expect.stringContaining('0 differences, 3 as recorded')]);
});

const undoing = `playbook: 1
name: undoing
account: main
steps:
  - id: orders
    for-each: ["40000", "39900", "39800"]
    uses: futures/place-order
    with:${limitOrder({ price: '{{ each.value }}', size: '0.010' })}
on-failure:
  - id: undo
    for-each: "{{ steps.orders.outputs }}"
    uses: futures/cancel-order
    with: { symbol: BTCUSDT, productType: USDT-FUTURES, clientOid: "{{ each.value.clientOid }}" }
`;

const cancelAll = `playbook: 1
name: cancel-all
account: main
steps:
  - id: open
    uses: futures/list-open-orders
    with: { productType: USDT-FUTURES, symbol: BTCUSDT }
  - id: cancel
    for-each: "{{ steps.open.response.entrustedList }}"
    key: "{{ each.value.orderId }}"
    uses: futures/cancel-order
    with: { symbol: BTCUSDT, productType: USDT-FUTURES, orderId: "{{ each.value.orderId }}" }
`;

test('a failure undoes what was placed, and a plan shows what a cancellation would remove', async () => {
  const made = await world({ 'undoing.yaml': undoing, 'cancel-all.yaml': cancelAll });
  const match = { operation: 'futures/place-order', nth: 3 };
  const rule = { match, action: { kind: 'status', status: 400, code: '40762' } };
  await made.control('PUT', 'faults', { rules: [rule] });
  const failed = await made.at('first', 'run', 'undoing.yaml');
  expect(said(failed)).toEqual([1, expect.stringContaining('2 orders cancelled')]);
  expect(await states(made)).toEqual(['cancelled', 'cancelled']);

  await made.control('PUT', 'faults', { rules: [] });
  expect((await made.at('first', 'run', 'undoing.yaml')).code).toBe(0);
  const planned = await made.at('first', 'plan', 'cancel-all.yaml');
  expect(said(planned)).toEqual([0, expect.stringContaining('buy 0.010 @ 40000')]);
  expect((await made.at('first', 'run', 'cancel-all.yaml')).code).toBe(0);
  expect(new Set(await states(made))).toEqual(new Set(['cancelled']));
});
