/** What the engine shows: pages that leave nothing out, ids that rise, texts as the wire has them. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseJson } from '../../../src/base/json.ts';
import { restoreEngine } from '../../../src/sandbox/engine/create.ts';
import type { Engine } from '../../../src/sandbox/engine/engine.ts';
import { begun, timed, type Timed } from './commands.ts';
import { btc, testEngine, funded, spot, start } from './support.ts';

function played(history: readonly Timed[]): Engine {
  const engine = begun();
  let now = start;
  for (const { command, after } of history) {
    now += after;
    engine.apply(command, now);
  }
  return engine;
}

/** Reads a list page by page, each page from where the last one ended. */
function paged<T>(
  read: (before?: string) => Iterable<T>,
  { size, idOf }: { readonly size: number; readonly idOf: (row: T) => string },
): T[] {
  const all: T[] = [];
  let before: string | undefined;
  for (;;) {
    const page: T[] = [];
    for (const row of read(before)) {
      if (page.length === size) break;
      page.push(row);
    }
    all.push(...page);
    const last = page.at(-1);
    if (last === undefined) return all;
    before = idOf(last);
  }
}

describe('pages', () => {
  test('of any size cover the whole list, each row once, newest first', () => {
    fc.assert(
      fc.property(
        fc.array(timed, { minLength: 40, maxLength: 100, size: 'max' }),
        fc.integer({ min: 1, max: 9 }),
        (history, size) => {
          const engine = played(history);
          for (const { uid } of engine.accounts()) {
            const orderPage = { size, idOf: (row: { orderId: string }) => row.orderId };
            const open = paged((before) => engine.openOrders(uid, before), orderPage);
            const closed = paged((before) => engine.closedOrders(uid, { before }), orderPage);
            const bills = paged((before) => engine.bills(uid, 'USDT-FUTURES', before), {
              size,
              idOf: (row) => row.billId,
            });
            expect(open).toEqual([...engine.openOrders(uid)]);
            expect(closed).toEqual([...engine.closedOrders(uid)]);
            expect(bills).toEqual([...engine.bills(uid, 'USDT-FUTURES')]);
            const ids = [...open, ...closed].map(({ orderId }) => orderId);
            expect(new Set(ids).size).toBe(ids.length);
            expect(open.every(({ status }) => /live|new|partially_filled/.test(status))).toBe(true);
            expect(closed.every(({ status }) => /^(filled|cancelled)$/.test(status))).toBe(true);
            const counts = engine.openCounts(uid);
            expect(open).toHaveLength(counts.futures + counts.spot);
          }
          const trades = paged((before) => engine.trades('USDT-FUTURES', 'BTCUSDT', before), {
            size,
            idOf: (row) => row.tradeId,
          });
          expect(trades.map(({ sequence }) => sequence)).toEqual(
            trades.map((_, place) => trades.length - place),
          );
        },
      ),
      { numRuns: 40 },
    );
  });

  test('of trades end at a time, and those of a range add up', () => {
    fc.assert(
      fc.property(
        fc.array(timed, { minLength: 40, maxLength: 100, size: 'max' }),
        fc.nat(),
        fc.nat(),
        (history, first, second) => {
          const engine = played(history);
          const market = ['USDT-FUTURES', 'BTCUSDT'] as const;
          const all = [...engine.trades(...market)];
          const timeOf = (nth: number) => all[nth % (all.length || 1)]?.time ?? start;
          const [from, to] = [timeOf(first), timeOf(second)];
          const earlier = all.filter(({ time }) => time <= to);
          expect([...engine.trades(...market, undefined, to)]).toEqual(earlier);
          expect([...engine.trades(...market, undefined, start - 1)]).toEqual([]);
          const lotsOf = (size: string) => Math.round(Number(size) * 10 ** btc.sizeScale);
          const lots = earlier
            .filter(({ time }) => time >= from)
            .reduce((sum, { size }) => sum + lotsOf(size), 0);
          expect(engine.tradeSums(...market, { from, to })?.lots ?? 0).toBe(lots);
        },
      ),
      { numRuns: 40 },
    );
  });

  test('start below any number, however long', () => {
    const d = testEngine();
    funded(d, '1');
    for (let count = 0; count < 3; count++) d.place('1', { size: '1' });
    const ids = d.open('1').map(({ orderId }) => orderId);
    const below = (before: string) => [...d.engine.openOrders('1', before)].length;
    expect([ids[0], ids[1], ids[2]].map((id) => below(id ?? ''))).toEqual([2, 1, 0]);
    expect(['1', '99999999999999999999999', '9007199254740993'].map(below)).toEqual([0, 3, 0]);
  });
});

describe('ids', () => {
  test('are 19 digits, more than a number holds exactly', () => {
    const d = testEngine();
    funded(d, '1');
    const { orderId = '', clientOid } = d.place('1', { size: '1' });
    expect(orderId).toMatch(/^\d{19}$/);
    expect(clientOid).toMatch(/^\d{19}$/);
    expect(Number.isSafeInteger(Number(orderId))).toBe(false);
    expect(d.engine.orderByClientOid('1', clientOid)?.orderId).toBe(orderId);
    expect(d.engine.orderByClientOid('2', clientOid)).toBeUndefined();
  });
});

describe('an order', () => {
  test('is shown with the values of the interface', () => {
    const d = testEngine([btc, spot]);
    funded(d, '1');
    funded(d, '2', { mode: 'hedge_mode' });
    d.place('1', { size: '1.5', clientOid: 'mine', stpMode: 'cancel_maker', reduceOnly: 'NO' });
    d.place('2', { side: 'sell', size: '0.5', tradeSide: 'open', orderType: 'market' });
    expect(d.open('1')).toMatchInlineSnapshot(`
      [
        {
          "amount": "0",
          "avgPrice": "100",
          "category": "USDT-FUTURES",
          "clientOid": "mine",
          "createdTime": 1704889800000,
          "cumExecQty": "0.500",
          "cumExecValue": "50",
          "executionType": "normal",
          "fee": "0.01",
          "feeCoin": "USDT",
          "holdMode": "one_way_mode",
          "orderId": "1300000000000000001",
          "orderType": "limit",
          "posSide": "",
          "price": "100.0",
          "qty": "1.500",
          "reduceOnly": "NO",
          "side": "buy",
          "status": "partially_filled",
          "stpMode": "cancel_maker",
          "symbol": "BTCUSDT",
          "timeInForce": "gtc",
          "uid": "1",
          "updatedTime": 1704889800000,
        },
      ]
    `);
    expect(d.closed('2')).toMatchInlineSnapshot(`
      [
        {
          "amount": "0",
          "avgPrice": "100",
          "category": "USDT-FUTURES",
          "clientOid": "1200000000000000002",
          "closeReason": "filled",
          "createdTime": 1704889800000,
          "cumExecQty": "0.500",
          "cumExecValue": "50",
          "executionType": "normal",
          "fee": "0.03",
          "feeCoin": "USDT",
          "holdMode": "hedge_mode",
          "orderId": "1300000000000000002",
          "orderType": "market",
          "posSide": "short",
          "price": "0",
          "qty": "0.500",
          "reduceOnly": "NO",
          "side": "sell",
          "status": "filled",
          "stpMode": "none",
          "symbol": "BTCUSDT",
          "timeInForce": "ioc",
          "uid": "2",
          "updatedTime": 1704889800000,
        },
      ]
    `);
    d.place('1', { category: 'SPOT', size: '1' });
    expect(d.open('1')[0]).toMatchObject({ amount: '100', holdMode: 'one_way_mode', posSide: '' });
  });
});

describe('a market', () => {
  test('shows its prices, its best quotes and its open interest', () => {
    const d = testEngine();
    funded(d, '1');
    funded(d, '2');
    d.place('1', { size: '1.5' });
    d.place('2', { side: 'sell', size: '0.5' });
    d.place('2', { side: 'sell', size: '2', price: '101.5' });
    const { instrument: _instrument, ...market } = d.engine.market('USDT-FUTURES', 'BTCUSDT') ?? {};
    expect(market).toMatchInlineSnapshot(`
      {
        "ask": {
          "price": "101.5",
          "size": "2.000",
        },
        "bid": {
          "price": "100.0",
          "size": "1.000",
        },
        "deliveryStatus": "",
        "fundingRate": "0",
        "indexPrice": "100.0",
        "lastPrice": "100.0",
        "markPrice": "100.0",
        "nextFundingTime": 1704902400000,
        "openInterest": "0.500",
      }
    `);
    expect(d.engine.market('SPOT', 'BTCUSDT')).toBeUndefined();
    expect(d.engine.depth('USDT-FUTURES', 'BTCUSDT', 5)).toEqual({
      bids: [{ price: '100.0', size: '1.000' }],
      asks: [{ price: '101.5', size: '2.000' }],
    });
  });
});

describe('the ledger', () => {
  test('sums to zero, and shows its latest movements', () => {
    const d = testEngine();
    funded(d, '1');
    funded(d, '2');
    d.place('1', { size: '1' });
    d.place('2', { side: 'sell', size: '1' });
    const usdt = [...d.engine.ledger()].filter(({ coin }) => coin === 'USDT');
    expect(usdt.map(({ name, balance }) => `${name} ${balance}`)).toMatchInlineSnapshot(`
      [
        "clearing:USDT-FUTURES:BTCUSDT 0",
        "fees 0.08",
        "funding 0",
        "wallet:1:USDT-FUTURES 9999.98",
        "outside -40000",
        "wallet:1:SPOT 10000",
        "wallet:2:USDT-FUTURES 9999.94",
        "wallet:2:SPOT 10000",
      ]
    `);
    const [latest] = d.engine.transfers();
    expect(latest).toMatchObject({ to: 'fees', coin: 'USDT', amount: '0.02', because: 'fee' });
  });
});

describe('a snapshot', () => {
  test('is JSON that survives serialization', () => {
    const engine = played(fc.sample(timed, { numRuns: 80, seed: 7 }));
    const text = JSON.stringify(engine.snapshot());
    expect(() => parseJson(text)).not.toThrow();
    const again = restoreEngine(JSON.parse(text));
    expect(JSON.stringify(again.snapshot())).toBe(text);
    for (const { uid } of engine.accounts()) {
      expect(again.wallets(uid)).toEqual(engine.wallets(uid));
      expect(again.positions(uid)).toEqual(engine.positions(uid));
    }
  });
});

describe('an emptied wallet', () => {
  test('is the same in a restored engine as in the original', () => {
    const d = testEngine();
    funded(d, '1');
    d.act({ kind: 'credit', uid: '1', walletType: 'USDT-FUTURES', coin: 'USDT', amount: '-10000' });
    const again = restoreEngine(d.engine.snapshot());
    expect(again.invariants()).toEqual([]);
    expect(again.wallets('1')).toEqual(d.engine.wallets('1'));
  });
});

describe('time', () => {
  test('never goes back', () => {
    const d = testEngine();
    d.wait(1_000);
    d.engine.apply({ kind: 'advance' }, start);
    expect(d.engine.time()).toBe(start + 1_000);
  });
});
