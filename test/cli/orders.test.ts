/** `orders`: the run, plan, state and sums of each order of all runs. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { accountWorld } from './account.ts';

const bids = `playbook: 1
name: bids
account: main
steps:
  - id: bids
    for-each: ["40000.0", "39900.0"]
    key: "{{ each.value }}"
    uses: futures/place-order
    with: { symbol: BTCUSDT, productType: USDT-FUTURES, marginMode: crossed, marginCoin: USDT, side: buy, tradeSide: open, orderType: limit, price: "{{ each.value }}", size: "0.001" }
`;
const hit = `playbook: 1
name: hit
account: main
steps:
  - id: hit
    uses: futures/place-order
    with: { symbol: ETHUSDT, productType: USDT-FUTURES, marginMode: crossed, marginCoin: USDT, side: buy, tradeSide: open, orderType: market, size: "0.1" }
`;
const reads = `playbook: 1
name: reads
account: main
steps:
  - id: read
    uses: market/list-discount-rates
`;

const { parse } = JSON;

async function desk() {
  const world = await accountWorld({ 'bids.yaml': bids, 'hit.yaml': hit, 'reads.yaml': reads });
  for (const file of ['bids.yaml', 'reads.yaml', 'hit.yaml']) {
    expect((await world.at('first', 'run', file)).code).toBe(0);
  }
  const listed = async (...words: string[]) => {
    const ended = await world.at('first', 'orders', '-o', 'json', ...words);
    expect([ended.code, ended.stderr]).toEqual([0, '']);
    return parse(ended.stdout);
  };
  return { world, listed };
}

test('the orders of all runs are those in the books, with run, step, state and sums', async () => {
  const { world, listed } = await desk();
  const { orders, sums } = await listed();
  const books = (await world.orders()).map(({ orderId }) => orderId).toSorted();
  expect(orders.map(({ orderId }: Row) => orderId).toSorted()).toEqual(books);
  expect(addressesOf(orders)).toEqual(['hit', 'bids[39900.0]', 'bids[40000.0]']);
  expect(new Set(orders.map(({ run }: Row) => run)).size).toBe(2);
  expect(sums).toMatchObject([
    { symbol: 'BTCUSDT', orders: 2, notional: '79.9', atMarket: 0 },
    { symbol: 'ETHUSDT', orders: 1, notional: '0', atMarket: 1 },
  ]);
  await world.control('POST', 'orders/cancel', { uid: '7000000002', orderId: orders[2].orderId });
  const now = (await listed('--now')).orders;
  expect(now.map((row: Row) => row['now'])).toEqual(['filled', 'live', 'cancelled']);
  expect(now[2]).toMatchObject({ state: 'placed' });
});

test('they are selected by what is known of them, and are a table as CSV', async () => {
  const { world, listed } = await desk();
  const [first] = (await listed()).orders;
  const at = new Date(first.sentAt).toISOString();
  const selected: readonly (readonly [words: readonly string[], addresses: readonly string[]])[] = [
    [['--playbook', 'hit'], ['hit']],
    [
      ['--symbol', 'btcusdt'],
      ['bids[39900.0]', 'bids[40000.0]'],
    ],
    [['--id', first.clientOid], ['hit']],
    [['--id', first.orderId], ['hit']],
    [['--account', 'other'], []],
    [['--state', 'placed', '--from', at], ['hit']],
    [['--state', 'doubt'], []],
    [
      ['--to', at],
      ['bids[39900.0]', 'bids[40000.0]'],
    ],
  ];
  for (const [words, addresses] of selected) {
    expect([words, addressesOf((await listed(...words)).orders)]).toEqual([words, addresses]);
  }
  const table = await world.at('first', 'orders', '-o', 'csv', '--symbol', 'ETHUSDT');
  const [head = '', row = '', ...rest] = table.stdout.trimEnd().split('\n');
  expect(head.split(',')).toEqual(expect.arrayContaining(['sentAt', 'clientOid', 'approvedBy']));
  expect(row).toContain(',ETHUSDT,open long,0.1,,,USDT,dh');
  expect(rest).toEqual([]);
  const wrong = await world.at('first', 'orders', '--from', '2026-02-01', '--to', '2026-01-01');
  expect([wrong.code, wrong.stderr]).toEqual([2, expect.stringContaining('before --to')]);
});

test('a damaged record is named, and what can be read of it is listed', async () => {
  const { world, listed } = await desk();
  const { run } = (await listed('--playbook', 'bids')).orders[0];
  const journal = join(world.cwd, '.deskhand', 'runs', run, 'journal.ndjson');
  const lines = readFileSync(journal, 'utf8').trimEnd().split('\n');
  writeFileSync(journal, `${lines.with(3, '{"damaged":true}').join('\n')}\n`);
  const ended = await world.at('first', 'orders', '-o', 'json');
  expect([ended.code, ended.stderr]).toEqual([1, expect.stringContaining(run)]);
  expect(parse(ended.stdout).orders).toHaveLength(3);
  expect(parse(ended.stdout).damages).toEqual([expect.stringContaining(run)]);
});

type Row = Readonly<Record<string, string>>;

function addressesOf(orders: readonly Row[]): readonly (string | undefined)[] {
  return orders.map(({ address }) => address);
}
