/** Orders for the combinations of a matrix: planned, killed, resumed, under guards, as any for-each. */
import { expect, test } from 'vitest';
import {
  entriesOf,
  live,
  liveOn,
  openHarness,
  ordersPlaced,
  planOn,
  playbookFrom,
  type Harness,
} from '../../support/harness.ts';
import { limitOrder } from '../../support/order.ts';

const playbook = playbookFrom(`playbook: 1
name: matrix
steps:
  - id: prices
    uses: market/list-tickers
    with: { category: USDT-FUTURES, symbol: BTCUSDT }
  - id: orders
    for-each:
      matrix: { size: ['0.001', '0.002'], price: ["{{ floorTo (mul steps.prices.response.0.lastPrice 0.5) 0.1 }}", 41000] }
      exclude: [{ size: 0.002, price: 41000.0 }]
    once-per: playbook
    uses: futures/place-order
    outputs: { id: "{{ response.orderId }}" }
    with:${limitOrder({ price: '{{ each.value.price }}', size: '{{ each.value.size }}' })}
`);

const ours = async (harness: Harness): Promise<readonly (readonly [string, number])[]> =>
  [...(await ordersPlaced(harness))]
    .filter(([id]) => id.startsWith('dh'))
    .toSorted(([a], [b]) => (a < b ? -1 : 1));

test('a plan has the items that the run sends, with stable addresses', async () => {
  const harness = await openHarness();
  const plan = await planOn(harness, playbook);
  const addresses = plan.steps.flatMap(({ actions }) => actions.map(({ address }) => address));
  const half = /price=(\d+\.\d)\]$/.exec(addresses[1] ?? '')?.[1];
  expect(addresses).toEqual([
    'prices',
    `orders[size=0.001,price=${half}]`,
    'orders[size=0.001,price=41000]',
    `orders[size=0.002,price=${half}]`,
  ]);
  expect((await live(harness, playbook)).status).toBe('done');
  const sent = entriesOf(harness).flatMap((entry) =>
    entry.kind === 'intended' ? [entry.address] : [],
  );
  expect(sent).toEqual(addresses.slice(1));
});

test('killed at every write and request, it is resumed to the same orders', async () => {
  const unbroken = await openHarness();
  await live(unbroken, playbook);
  const orders = await ours(unbroken);
  expect(orders).toHaveLength(3);
  for (const at of ['journal', 'request'] as const) {
    for (let nth = 2; nth <= unbroken.counts[at]; nth += 1) {
      const harness = await openHarness();
      const death = { at, nth, when: 'after' } as const;
      expect((await liveOn(harness, playbook, { death })).status).toBe('done');
      expect(await ours(harness)).toEqual(orders);
    }
  }
});

test('a guard counts its items', async () => {
  const harness = await openHarness();
  const result = await live(harness, playbook, { guards: { maxWrites: 2 } });
  expect(result).toMatchObject({ status: 'stopped', exit: 5 });
  expect(await ours(harness)).toHaveLength(2);
});
