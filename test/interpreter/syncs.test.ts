/** How often a run waits for the disk: once per order, before it is sent. */
import { expect, test } from 'vitest';
import { live, openHarness, playbookFrom } from '../support/harness.ts';
import { limitOrder } from '../support/order.ts';

const orders = (count: number): string => `
  - id: ladder
    for-each: "{{ range 41000 ${41_000 + count - 1} }}"
    uses: futures/place-order
    with:${limitOrder({ price: '{{ each.value }}' })}
`;
const reads = (count: number): string => `
  - id: reads
    for-each: "{{ range 1 ${count} }}"
    uses: market/list-tickers
    with: { category: SPOT }
`;
const subs = (count: number): string => `
  - id: subs
    for-each: [${'abcdefghijkl'.slice(0, count).split('').join(', ')}]
    uses: account/create-sub
    with: { username: "desk{{ each.value }}" }
`;

test.each([
  ['an order', orders, 1],
  ['a read', reads, 0],
  ['a sub-account, whose response must never be lost,', subs, 2],
])('%s costs so many syncs', async (_what, steps, each) => {
  const syncsOf = async (count: number): Promise<number> => {
    const harness = await openHarness();
    const playbook = playbookFrom(`playbook: 1\nname: syncs\naccount: main\nsteps:${steps(count)}`);
    expect((await live(harness, playbook)).status).toBe('done');
    return harness.counts.syncs;
  };
  const few = await syncsOf(2);
  expect((await syncsOf(12)) - few).toBe(10 * each);
  expect(few - 2 * each).toBeLessThanOrEqual(4); // its start and end, its step, what is learned of the lists
});
