/** The totals of a plan. */
import { expect, test } from 'vitest';
import { live, openHarness, planOn, playbookFrom } from '../../support/harness.ts';

const ladders = (name: string, prices: readonly string[]): string => `
playbook: 1
name: ${name}
steps:
${[
  { line: 'USDT', symbol: 'BTCUSDT' },
  { line: 'USDC', symbol: 'BTCPERP' },
]
  .map(
    ({ line, symbol }) => `
  - id: ${line.toLowerCase()}
    for-each: [${prices.join()}]
    uses: futures/place-order
    with:
      symbol: ${symbol}
      productType: ${line}-FUTURES
      marginMode: crossed
      marginCoin: ${line}
      side: buy
      tradeSide: open
      orderType: limit
      price: "{{ each.value }}"
      size: "0.001"`,
  )
  .join('\n')}
`;

test('open orders of every product type in the plan are counted', async () => {
  const harness = await openHarness();
  const first = playbookFrom(ladders('first', ['40000', '40500']));
  const { openOrdersAfter = NaN } = (await planOn(harness, first)).totals;
  expect((await live(harness, first)).status).toBe('done');
  const second = playbookFrom(ladders('second', ['41000', '41500', '42000']));
  const { totals } = await planOn(harness, second);
  expect(totals).toMatchObject({ orders: 6, openOrdersAfter: openOrdersAfter + 6 });
});
