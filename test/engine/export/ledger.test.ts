/** Exports of a world with history, compared row by row with the world's own data. */
import { beforeAll, describe, expect, test } from 'vitest';
import { day } from '../../../src/base/clock.ts';
import { decimal, decimalText } from '../../../src/base/decimal.ts';
import type { OperationName } from '../../../src/exchange/api/operations/index.ts';
import { lastRefresh } from '../../../src/sandbox/engine/model/reporting.ts';
import { discounts } from '../../../src/sandbox/world/rates.ts';
import {
  exported,
  isKeptIn,
  keptRows,
  lived,
  nameOf,
  openLivedHarness,
  since,
  timedLists,
  type Exported,
  type LivedHarness,
} from '../../support/lived.ts';

let harness: LivedHarness;
let books: ReturnType<typeof keptRows>;
beforeAll(async () => {
  harness = await openLivedHarness();
  books = keptRows(harness, lived);
});

const namesOf = (operation: OperationName, rows: readonly Exported[]): string[] =>
  rows.map((row) => nameOf(operation, row)).sort();

describe('the sandbox’s records and the export have the same rows', () => {
  test.each(timedLists)('%s %j', async (operation, fields) => {
    const reach = operation === 'market/list-fills' ? 18 * day : 300 * day;
    const asked = { startTime: String(lived - reach), endTime: String(lived) };
    const { rows } = await exported(harness, operation, { ...fields, ...asked });
    const oldest = Math.max(lived - reach, since(operation, lived));
    const kept = books[operation](fields).filter((row) => isKeptIn(row, oldest, lived));
    expect(kept.length).toBeGreaterThan(operation === 'loan/list-orders' ? 10 : 20);
    expect(namesOf(operation, rows)).toEqual(kept.map(({ name }) => name).sort());
    const found = new Map(rows.map((row) => [nameOf(operation, row), row]));
    for (const { name, says } of kept) expect(found.get(name)).toMatchObject(says);
  });

  test.each(['USDT', 'USDC', 'COIN'])('bills of %s futures add up to the wallet', async (line) => {
    const walletType = `${line}-FUTURES`;
    const { rows } = await exported(harness, 'futures/list-bills', { productType: walletType });
    const balances = new Map<unknown, string>();
    for (const row of [...rows].sort((a, b) =>
      String(a['billId']) < String(b['billId']) ? -1 : 1,
    )) {
      const before = balances.get(row['coin']);
      const moved = decimal(String(row['amount'])).plus(decimal(String(row['fee'])));
      const balance = String(row['balance']);
      if (before !== undefined) {
        expect(decimalText(decimal(before).plus(moved)), String(row['billId'])).toBe(balance);
      }
      balances.set(row['coin'], balance);
    }
    expect(rows.length).toBeGreaterThan(300);
    const wallets: unknown = harness.sandbox.control('GET', 'wallets', { uid: harness.uid });
    for (const [coin, balance] of balances)
      expect(wallets).toContainEqual(expect.objectContaining({ walletType, coin, balance }));
  });

  test('lists without times', async () => {
    const { engine, markets, customers } = harness.books();
    const open = await exported(harness, 'order/list-open', {});
    expect(namesOf('order/list-open', open.rows)).toEqual(
      [...engine.openOrders(harness.uid)].map(({ orderId }) => orderId).sort(),
    );
    expect(open.rows.length).toBeGreaterThan(1);
    // Two positions of one symbol have identical rows: both are exported.
    const ranks = await exported(harness, 'futures/list-adl-ranks', {
      productType: 'USDT-FUTURES',
    });
    expect(ranks.rows).toEqual(
      engine.adlRanks(harness.uid, 'USDT-FUTURES').map(({ holdSide: _side, ...row }) => row),
    );
    expect(ranks.rows.filter(({ symbol }) => symbol === 'BTCUSDT')).toHaveLength(2);
    const assets = await exported(harness, 'agent/list-assets', {});
    expect(namesOf('agent/list-assets', assets.rows)).toEqual(
      (customers.get(harness.uid)?.at(lastRefresh(lived)) ?? []).map(({ uid }) => uid).sort(),
    );
    const tickers = await exported(harness, 'market/list-tickers', { category: 'SPOT' });
    expect(namesOf('market/list-tickers', tickers.rows)).toEqual(
      [...markets.values()]
        .filter(({ instrument }) => instrument.category === 'SPOT')
        .map(({ instrument }) => instrument.symbol)
        .sort(),
    );
    const rates = await exported(harness, 'market/list-discount-rates', {});
    expect(rates.rows).toEqual(discounts);
  });
});
