/** Tables of what a run placed, and their numbers of rows: the same in each life of a run, and in the next run. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import {
  ledgerOn,
  live,
  liveOn,
  openHarness,
  ordersPlaced,
  planOn,
  playbookFrom,
  type CrashPoint,
} from '../../support/harness.ts';

const playbook = playbookFrom(`playbook: 1
name: placed
steps:
  - id: bids
    for-each: { low: "20000.0", high: "21000.0" }
    once-per: playbook
    uses: futures/place-order
    with:
      symbol: BTCUSDT
      productType: USDT-FUTURES
      marginMode: crossed
      marginCoin: USDT
      side: buy
      tradeSide: open
      orderType: limit
      price: "{{ each.value }}"
      size: "0.010"
  - id: placed
    uses: report/table
    with:
      from: bids
      columns: { bid: "{{ row.key }}", order: "{{ row.orderId }}" }
      sort: [bid]
    write: { file: out/placed.csv, overwrite: true }
  - id: high
    uses: report/table
    with: { from: placed, where: "{{ eq row.bid 'high' }}" }
  - id: each
    for-each: [high, low, none]
    uses: report/table
    with: { from: placed, where: "{{ eq row.bid each.value }}" }
  - id: page
    if: "{{ gt steps.high.rows 0 }}"
    uses: report/page
    with: { file: out/page.md, parts: [{ text: "{{ steps.high.rows }} of {{ steps.placed.rows }}" }] }
outputs:
  orders: "{{ pluck steps.bids.outputs 'orderId' }}"
  counts: "{{ steps.each.rows }}"
`);

const lines = async (workspace: string): Promise<readonly string[]> =>
  (await readFile(join(workspace, 'out/placed.csv'), 'utf8')).trim().split('\r\n');

test('a table has a row for each order, and its rows are counted with and without a file', async () => {
  const harness = await openHarness();
  const plan = await planOn(harness, playbook);
  expect(plan.steps.map(({ id }) => id)).toEqual(['bids', 'placed', 'high', 'each', 'page']);
  const { status, outputs } = await live(harness, playbook);
  expect([status, Object(outputs).counts]).toEqual(['done', { high: 1, low: 1, none: 0 }]);
  expect(await lines(harness.workspace)).toHaveLength(3);
  expect(await readFile(join(harness.workspace, 'out/page.md'), 'utf8')).toContain('1 of 2');
});

test('a run that dies anywhere and is resumed makes the same table, of orders placed once', async () => {
  const unbroken = await openHarness();
  const { outputs } = await live(unbroken, playbook);
  const points = (['journal', 'request'] as const).flatMap((at) =>
    Array.from({ length: unbroken.counts[at] }, (_, index) => index + 1).flatMap((nth) =>
      (['before', 'after'] as const).map((when): CrashPoint => ({ at, nth, when })),
    ),
  );
  for (const death of points) {
    const harness = await openHarness();
    const result = await liveOn(harness, playbook, { death });
    expect([death, result.status, Object(result.outputs).counts]).toEqual([
      death,
      'done',
      Object(outputs).counts,
    ]);
    const { orders } = Object(result.outputs);
    const times = [...(await ordersPlaced(harness))].filter(([id]) => id.startsWith('dh'));
    expect(times.map(([, count]) => count)).toEqual([1, 1]);
    expect(await lines(harness.workspace)).toEqual([
      'bid,order',
      `high,${orders[1]}`,
      `low,${orders[0]}`,
    ]);
  }
});

test('a run that finds its orders placed by an earlier one makes the same table', async () => {
  const harness = await openHarness();
  await live(harness, playbook);
  const first = await lines(harness.workspace);
  const ledger = ledgerOn(harness);
  harness.disk = '';
  const again = await live(harness, playbook, { ledger, runId: 'r-again' });
  expect([again.status, await lines(harness.workspace)]).toEqual(['done', first]);
});
