/** Two runs side by side: what differs, in the words that each run has. */
import { expect, test } from 'vitest';
import { TransportError, type Transport } from '../../src/exchange/api/exchange.ts';
import { differenceWords } from '../../src/report/diff-words.ts';
import { runDiff } from '../../src/report/run-diff.ts';
import { plainTheme } from '../../src/agents/mcp/plain-theme.ts';
import { runDiffLines } from '../../src/cli/screens/run-diff.ts';
import { entriesOf, live, openHarness, playbookFrom, type Life } from '../support/harness.ts';
import { limitOrder } from '../support/order.ts';

const ladder = (prices: string, count = 3): string => `playbook: 1
name: ladder
inputs:
  count: { type: integer, default: ${count} }
steps:
  - id: orders
    for-each: ${prices}
    uses: futures/place-order
    outputs: { id: "{{ response.orderId }}" }
    with:${limitOrder({ price: '{{ each.value.price }}' })}
    key: "{{ each.value.at }}"
  - id: leverage
    uses: futures/set-leverage
    with: { symbol: BTCUSDT, productType: USDT-FUTURES, marginCoin: USDT, leverage: "{{ inputs.count }}" }
  - id: prices
    uses: market/list-tickers
    with: { category: USDT-FUTURES, symbol: BTCUSDT }
    write: { file: out/prices.csv, columns: { count: "{{ inputs.count }}" } }
outputs: { first: "{{ steps.orders.outputs }}" }
`;

async function entriesAfter(text: string, life: Life = {}) {
  const harness = await openHarness();
  await live(harness, playbookFrom(text), life);
  return entriesOf(harness);
}

const first = ladder('[{ at: a, price: 41000 }, { at: b, price: 40000 }]');
const second = ladder('[{ at: a, price: 41100 }, { at: c, price: 40000 }]', 5);

test('equal runs differ in nothing', async () => {
  const [a, b] = [await entriesAfter(first), await entriesAfter(first, { runId: 'r-other' })];
  const diff = runDiff(a, b);
  const rest = diff.differences.filter(({ part }) => part !== 'outputs'); // ids of orders
  expect(rest).toEqual([]);
  expect(diff.runs.map(({ run }) => run)).toEqual(['r-test', 'r-other']);
});

test('a run differs in nothing from itself', async () => {
  const entries = await entriesAfter(first);
  expect(runDiff(entries, entries)).toMatchObject({ isSame: true, differences: [] });
});

test('inputs, prices, orders, writes and texts are compared one by one', async () => {
  const diff = runDiff(await entriesAfter(first), await entriesAfter(second));
  const shown = diff.differences.map(({ part, what, was, is }) =>
    [part, what, was ?? '(none)', is ?? '(none)'].join(' | ').replaceAll(/[0-9a-f]{16}…/g, '…'),
  );
  expect(shown.filter((line) => !/of the playbook|^outputs/.test(line))).toMatchInlineSnapshot(`
    [
      "inputs | count | 3 | 5",
      "steps | leverage | done, USDT-FUTURES BTCUSDT 3× | done, USDT-FUTURES BTCUSDT 5×",
      "orders | orders[a] price | 41000 | 41100",
      "orders | orders[b] | BTCUSDT open long 0.001 @ 40000, gtc, crossed, placed | (none)",
      "orders | orders[c] | (none) | BTCUSDT open long 0.001 @ 40000, gtc, crossed, placed",
      "writes | leverage | leverage USDT-FUTURES BTCUSDT 3×, marginCoin USDT, done | leverage USDT-FUTURES BTCUSDT 5×, marginCoin USDT, done",
      "files | out/prices.csv | 1 row, sha256 … | 1 row, sha256 …",
    ]
  `);
});

test('a run that is in doubt or has not ended can be compared, and is said to be', async () => {
  const lost =
    (transport: Transport): Transport =>
    async (request, signal) => {
      if (request.body.includes('40000') || request.operation.startsWith('order/')) {
        throw new TransportError('connection reset', 'maybe');
      }
      return transport(request, signal);
    };
  const [done, doubt] = [
    await entriesAfter(first),
    await entriesAfter(first, { wrap: lost, onDoubt: 'ask' }),
  ];
  const { runs } = runDiff(done, doubt);
  expect(runs[0].notFinal).toBeUndefined();
  expect(runs[1].notFinal).toBe('1 write in doubt');
  const { runs: open } = runDiff(done, done.slice(0, 6));
  expect(open[1].notFinal).toMatch(/^it has not ended/);
});

test('durations that are shown are counted, too', () => {
  const durations = [
    { step: 'a', was: 1_000, is: 3_000 },
    { step: 'b', was: 1_000, is: 1_500 }, // not worth a line
  ];
  expect(differenceWords({ differences: [], durations })).toMatch(
    /^0 differences, and the duration of 1 step; what is not shown/,
  );
});

test('the screen has the parts that differ, and commands that show each run', async () => {
  const diff = runDiff(await entriesAfter(first), await entriesAfter(second));
  const lines = runDiffLines(diff, plainTheme).map((line) =>
    line.replaceAll(/[0-9a-f]{16}…/g, '…').replaceAll(/13000\d+/g, 'ID'),
  );
  expect(lines.join('\n')).toMatchInlineSnapshot(`
    "-  SANDBOX  r-test  ladder  ✔ done  2026-11-20 04:00:00 UTC, took 0 ms, 5 requests
    +  SANDBOX  r-test  ladder  ✔ done  2026-11-20 04:00:00 UTC, took 0 ms, 5 requests

    Run
      ~  text of the playbook  sha256 … → sha256 …

    Inputs
      ~  count  3 → 5

    Steps
      ~  leverage  done, USDT-FUTURES BTCUSDT 3× → done, USDT-FUTURES BTCUSDT 5×

    Orders
      ~  orders[a] price  41000 → 41100
      -  orders[b]        BTCUSDT open long 0.001 @ 40000, gtc, crossed, placed
      +  orders[c]        BTCUSDT open long 0.001 @ 40000, gtc, crossed, placed

    Other writes
      ~  leverage  leverage USDT-FUTURES BTCUSDT 3×, marginCoin USDT, done → leverage USDT-FUTURES
                   BTCUSDT 5×, marginCoin USDT, done

    Files
      ~  out/prices.csv  1 row, sha256 … → 1 row, sha256 …

    Outputs
      ~  first  {"a":{"id":"ID"},"b":{"id":"ID"}} →
                {"a":{"id":"ID"},"c":{"id":"ID"}}

    9 differences; what is not shown is the same in both
    Next  deskhand runs show r-test   deskhand runs show r-test"
  `);
});
