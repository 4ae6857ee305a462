/** What is refused at the door, with which code, and in which order. */
import { beforeEach, describe, expect, test } from 'vitest';
import { hour, minute, second } from '../../../src/base/clock.ts';
import type { PlaceFields } from '../../../src/sandbox/engine/command.ts';
import {
  btc,
  coin,
  delivered,
  testEngine,
  funded,
  placing,
  spot,
  type TestEngine,
} from './support.ts';

let d: TestEngine;

function refused(order: Partial<PlaceFields>, uid = '1'): string {
  return d.refusal(placing(uid, { size: '1', ...order }));
}

beforeEach(() => {
  const stepped = {
    ...btc,
    symbol: 'STEP',
    priceStep: 5,
    sizeStep: 10,
    sizeMin: '0.1',
    priceBand: '0.1',
  };
  d = testEngine([btc, coin, spot, delivered, stepped]);
  funded(d, '1');
  funded(d, '2', { mode: 'hedge_mode' });
});

describe('an order', () => {
  test.each<[string, string, Partial<PlaceFields>]>([
    ['of an unknown symbol', '40102', { symbol: 'NOUSDT' }],
    ['of a symbol of another line', '22012', { category: 'COIN-FUTURES' }],
    ['with another margin coin', '40778', { marginCoin: 'USDC' }],
    ['with tradeSide in one-way mode', '40774', { tradeSide: 'open' }],
    ['with too long a clientOid', '40305', { clientOid: 'x'.repeat(65) }],
    ['with an empty clientOid', '40305', { clientOid: '' }],
    ['of no size', '40808', { size: '0' }],
    ['of a negative size', '40808', { size: '-1' }],
    ['of too fine a size', '40808', { size: '0.0001' }],
    ['off the size step', '22038', { symbol: 'STEP', size: '0.011' }],
    ['below the least size', '45111', { symbol: 'STEP', size: '0.09' }],
    ['above the largest size', '45112', { size: '1000.001' }],
    ['above any size', '45112', { size: '99999999999999999999' }],
    ['of too little value', '45110', { size: '0.001' }],
    ['with a price of nothing', '40808', { price: '0' }],
    ['with too fine a price', '40808', { price: '100.01' }],
    ['off the price step', '45115', { symbol: 'STEP', price: '100.1' }],
    ['above the price band', '22006', { symbol: 'STEP', price: '110.5' }],
    ['below the price band', '22007', { symbol: 'STEP', price: '89.5' }],
    ['with the take-profit of a long below it', '45064', { presetStopSurplusPrice: '100' }],
    ['with the stop-loss of a long above it', '45066', { presetStopLossPrice: '100' }],
    [
      'with the take-profit of a short above it',
      '45065',
      { side: 'sell', presetStopSurplusPrice: '101' },
    ],
    [
      'with the stop-loss of a short below it',
      '45067',
      { side: 'sell', presetStopLossPrice: '99' },
    ],
    ['with a malformed trigger price', '40808', { presetStopLossPrice: '99.99' }],
    ['at market when nobody is there', '22045', { orderType: 'market' }],
    ['larger than the account can open', '40762', { size: '999' }],
  ])('%s is refused with %s', (_name, code, order) => {
    expect(refused(order)).toBe(code);
  });

  test('with a limit and no price is refused with 40019', () => {
    const { price: _price, ...unpriced } = placing('1', { size: '1' });
    expect(d.refusal(unpriced)).toBe('40019');
  });

  test('in hedge mode without tradeSide is refused with 400172', () => {
    expect(refused({}, '2')).toBe('400172');
  });

  test('in hedge mode may have reduceOnly, which is ignored there', () => {
    expect(refused({ tradeSide: 'open', reduceOnly: 'YES' }, '2')).toBe('done');
  });

  test('of an unknown account is refused', () => {
    expect(refused({}, '404')).toBe('43011');
  });

  test('is checked for its symbol before its size, and for its size before its price', () => {
    expect(refused({ symbol: 'NOUSDT', size: '0', price: '0' })).toBe('40102');
    expect(refused({ size: '0', price: '0' })).toBe('40808');
    expect(refused({ tradeSide: 'open', clientOid: '' })).toBe('40774');
  });

  test('is checked against its position before liquidity', () => {
    expect(refused({ orderType: 'market', reduceOnly: 'YES' })).toBe('22002');
  });

  test('at the edge of the price band is accepted', () => {
    expect(refused({ symbol: 'STEP', price: '90.0' })).toBe('done');
    expect(refused({ symbol: 'STEP', price: '110.0', side: 'sell' })).toBe('done');
  });

  test('is checked against the price band to the tick', () => {
    d.act({
      kind: 'list-instrument',
      instrument: { ...btc, symbol: 'BAND', priceBand: '0.1' },
      price: '100',
    });
    const prices = ['89.9', '90.0', '110.0', '110.1'];
    expect(prices.map((price) => refused({ symbol: 'BAND', price }))).toEqual([
      '22007',
      'done',
      'done',
      '22006',
    ]);
  });

  test('with empty presets has none', () => {
    expect(refused({ presetStopSurplusPrice: '', presetStopLossPrice: '' })).toBe('done');
  });

  test('with another margin mode is refused while orders or positions of the symbol are open', () => {
    expect(refused({ marginMode: 'isolated' })).toBe('done');
    expect(refused({ marginMode: 'crossed' })).toBe('45117');
    d.act({ kind: 'cancel-all', uid: '1' });
    expect(refused({ marginMode: 'crossed' })).toBe('done');
  });
});

describe('a used clientOid', () => {
  test('is refused permanently by default', () => {
    expect(refused({ clientOid: 'a' })).toBe('done');
    d.act({ kind: 'cancel-all', uid: '1' });
    expect(refused({ clientOid: 'a' })).toBe('45034');
    expect(refused({ clientOid: 'a', tradeSide: 'open' }, '2')).toBe('done');
  });

  test('is accepted with the weaker setting, and then names the latest order', () => {
    d.act({ kind: 'configure', duplicateClientOid: 'accept' });
    d.place('1', { size: '1', clientOid: 'a' });
    d.place('1', { size: '2', clientOid: 'a' });
    expect(d.engine.orderByClientOid('1', 'a')?.qty).toBe('2.000');
  });

  test('is refused for a while with the temporary setting', () => {
    d.act({ kind: 'configure', duplicateClientOid: 10 * second });
    d.place('1', { size: '1', clientOid: 'a' });
    d.wait(10 * second - 1);
    expect(refused({ clientOid: 'a' })).toBe('45034');
    d.wait(1);
    expect(refused({ clientOid: 'a' })).toBe('done');
  });
});

describe('400 open orders', () => {
  test('are the maximum on all futures lines, and separately on spot', () => {
    for (let count = 0; count < 400; count++) d.place('1', { size: '0.1', price: '60' });
    expect(refused({})).toBe('40761');
    expect(refused({ category: 'COIN-FUTURES', symbol: 'BTCUSD' })).toBe('40761');
    expect(refused({ category: 'SPOT' })).toBe('done');
    expect(d.engine.openCounts('1')).toEqual({ futures: 400, spot: 1 });
  });

  test('do not block orders that cannot rest', () => {
    for (let count = 0; count < 400; count++) d.place('1', { size: '0.1', price: '60' });
    expect(refused({ force: 'ioc' })).toBe('done');
    expect(refused({ force: 'fok' })).toBe('done');
    expect(refused({ orderType: 'market' })).toBe('22045');
    expect(refused({ force: 'post_only' })).toBe('40761');
  });
});

describe('a delivery symbol', () => {
  const symbol = 'BTCUSDT_D';

  test('is not traded before its start', () => {
    expect(d.engine.market('USDT-FUTURES', symbol)?.deliveryStatus).toBe('delivery_config_period');
    expect(refused({ symbol })).toBe('43115');
    d.wait(hour);
    expect(d.engine.market('USDT-FUTURES', symbol)?.deliveryStatus).toBe('delivery_normal');
    expect(refused({ symbol })).toBe('done');
  });

  test('only closes in the last ten minutes: opening orders are canceled, new ones refused', () => {
    d.wait(hour);
    funded(d, '3');
    d.place('3', { symbol, size: '2', side: 'sell' });
    d.place('1', { symbol, size: '1' });
    d.wait(50 * minute);
    expect(d.open('3')).toEqual([]);
    expect(refused({ symbol, side: 'buy' })).toBe('22039');
    expect(refused({ symbol, side: 'sell', size: '1.1' })).toBe('22039');
    expect(refused({ symbol, side: 'sell', size: '1' })).toBe('done');
    expect(refused({ symbol, side: 'sell', size: '0.1' })).toBe('22039');
  });

  test('keeps closing orders through the last ten minutes', () => {
    d.wait(hour);
    funded(d, '3');
    d.place('3', { symbol, size: '1', side: 'sell' });
    d.place('1', { symbol, size: '1' });
    d.place('1', { symbol, size: '1', side: 'sell', price: '110', reduceOnly: 'YES' });
    d.wait(50 * minute);
    expect(d.open('1')).toHaveLength(1);
  });

  test('has no order afterwards, not even one waiting to be matched', () => {
    d.wait(hour);
    d.act({ kind: 'configure', matchDelayMs: 10 * hour });
    d.place('1', { symbol, size: '1' });
    d.act({ kind: 'deliver', category: 'USDT-FUTURES', symbol });
    expect(d.closed('1')).toMatchObject([{ closeReason: 'delivery_cancel' }]);
  });

  test('is neither traded nor canceled in delivery, and settles a minute later', () => {
    d.wait(hour);
    funded(d, '3');
    d.place('3', { symbol, size: '1', side: 'sell' });
    d.place('1', { symbol, size: '1' });
    d.wait(55 * minute);
    const { orderId = '' } = d.place('1', { symbol, side: 'sell', size: '1', price: '120' });
    d.act({ kind: 'set-price', category: 'USDT-FUTURES', symbol, mark: '104', index: '105' });
    d.wait(5 * minute);
    expect(refused({ symbol })).toBe('22040');
    expect(d.refusal({ kind: 'cancel', orderId })).toBe('22041');
    expect(d.act({ kind: 'cancel-all', uid: '1' })).toBe(0);
    d.wait(minute);
    expect(d.engine.positions('1')).toEqual([]);
    expect(d.engine.order(orderId)?.closeReason).toBe('delivery_cancel');
    expect(d.closed('1')[0]).toMatchObject({ executionType: 'delivery', avgPrice: '105' });
    const [bill] = d.engine.bills('1', 'USDT-FUTURES');
    expect(bill).toMatchObject({ businessType: 'delivery_long', amount: '5', fee: '0' });
    expect(refused({ symbol })).toBe('22040');
  });
});

describe('a canceled delivery', () => {
  const market = { category: 'USDT-FUTURES', symbol: 'BTCUSDT' } as const;

  beforeEach(() => {
    funded(d, 'maker', { kind: 'maker', amount: '1000000' });
    d.place('maker', { side: 'sell', size: '10' });
    d.place('maker', { size: '100', price: '80' });
  });

  function calledOff(mark: string): void {
    d.act({ kind: 'set-delivery-status', ...market, status: 'delivery_period' });
    d.act({ kind: 'set-price', ...market, mark });
    expect(d.engine.positions('1')).toHaveLength(1);
    d.act({ kind: 'set-delivery-status', ...market, status: 'delivery_normal' });
    expect(d.engine.positions('1')).toEqual([]);
    expect(d.engine.invariants()).toEqual([]);
  }

  test('triggers orders whose price was reached in between', () => {
    d.place('1', { size: '10', presetStopLossPrice: '95' });
    calledOff('94');
    expect(d.closed('1')[0]).toMatchObject({ executionType: 'normal', avgPrice: '80' });
  });

  test('liquidates positions that lost their margin in between', () => {
    d.place('1', { size: '10', marginMode: 'isolated' });
    calledOff('85');
    expect(d.closed('1')[0]).toMatchObject({ executionType: 'liquidation' });
  });
});

describe('canceling', () => {
  test('requires an open order of the account', () => {
    const { orderId = '' } = d.place('1', { size: '1' });
    expect(d.refusal({ kind: 'cancel', orderId, uid: '2' })).toBe('40109');
    expect(d.refusal({ kind: 'cancel', orderId: '1' })).toBe('40109');
    expect(d.refusal({ kind: 'cancel', orderId, uid: '1' })).toBe('done');
    expect(d.refusal({ kind: 'cancel', orderId })).toBe('22001');
  });
});
