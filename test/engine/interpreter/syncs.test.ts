/** How often a run waits for the disk: once per order, before it is sent. */
import { expect, test } from 'vitest';
import { TransportError } from '../../../src/exchange/api/exchange.ts';
import { live, openHarness, playbookFrom, type Life } from '../../support/harness.ts';
import { limitOrder } from '../../support/order.ts';

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

/** More than the account has: the exchange refuses it, and the run continues. */
const refused = (count: number): string =>
  orders(count).replace('0.001', '900').replace('    uses', '    on-error: continue\n    uses');

/** A live account whose lists cannot be read. */
const blind: Life = {
  destination: { profile: 'main', target: 'live', host: 'x', keyFingerprint: '0000' },
  wrap: (transport) => async (request, signal) => {
    if (request.operation.startsWith('order/list')) throw new TransportError('down', 'no');
    return transport(request, signal);
  },
};

test.each<[string, (count: number) => string, number, Life?]>([
  ['an order', orders, 1],
  ['an order that the lists may not show', orders, 2, blind],
  ['an order that is refused, of which a lookup finds nothing,', refused, 2],
  ['a read', reads, 0],
  ['a sub-account, whose response must never be lost,', subs, 2],
])('%s costs so many syncs', async (_what, steps, each, life: Life = {}) => {
  const syncsOf = async (count: number): Promise<number> => {
    const harness = await openHarness();
    const playbook = playbookFrom(`playbook: 1\nname: syncs\naccount: main\nsteps:${steps(count)}`);
    const { status } = await live(harness, playbook, { ...life, hasTerms: false });
    expect(status).toBe(steps === refused ? 'stopped' : 'done');
    return harness.counts.syncs;
  };
  const few = await syncsOf(4); // at most three lookups learn something of the lists
  expect((await syncsOf(12)) - few).toBe(8 * each);
  expect(few - 4 * each).toBeLessThanOrEqual(4); // its start and end, its step, what is learned of the lists
});
