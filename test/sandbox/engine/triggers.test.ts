/** Preset take-profit and stop-loss prices. */
import { beforeEach, describe, expect, test } from 'vitest';
import { restoreEngine } from '../../../src/sandbox/engine/create.ts';
import { btc, testEngine, eth, funded, placing, positions, type TestEngine } from './support.ts';

const line = { category: 'USDT-FUTURES', symbol: 'BTCUSDT' } as const;
let d: TestEngine;

function mark(price: string): void {
  d.act({ kind: 'set-price', ...line, mark: price });
}

beforeEach(() => {
  d = testEngine([btc, eth]);
  funded(d, 'maker', { kind: 'maker', amount: '1000000' });
  funded(d, 'a');
  funded(d, 'h', { mode: 'hedge_mode' });
  d.place('maker', { side: 'sell', size: '10' });
});

const guarded = { size: '10', presetStopSurplusPrice: '105', presetStopLossPrice: '95' } as const;

describe('a position with take-profit and stop-loss', () => {
  test('is closed at market when the take-profit is reached', () => {
    d.place('a', guarded);
    d.place('maker', { size: '100', price: '104' });
    mark('104.9');
    expect(positions(d, 'a')).toEqual(['long 10.000']);
    mark('105');
    expect(positions(d, 'a')).toEqual([]);
    expect(d.closed('a')[0]).toMatchObject({ orderType: 'market', side: 'sell', avgPrice: '104' });
  });

  test('is closed at market when the stop-loss is reached, and the other is removed', () => {
    d.place('a', guarded);
    d.place('maker', { size: '100', price: '94' });
    mark('95');
    expect(positions(d, 'a')).toEqual([]);
    const before = d.closed('a').length;
    mark('105');
    expect(d.closed('a')).toHaveLength(before);
  });

  test('is closed with a limit if there is an execution price', () => {
    d.place('a', { ...guarded, presetStopSurplusExecutePrice: '106' });
    mark('105.5');
    expect(d.open('a')).toMatchObject([
      { price: '106.0', qty: '10.000', reduceOnly: 'YES', side: 'sell' },
    ]);
  });

  test('is protected for filled lots, not for waiting ones', () => {
    d.place('a', { ...guarded, size: '15' });
    d.place('maker', { size: '100', price: '104' });
    mark('105');
    expect(positions(d, 'a')).toEqual([]);
    expect(d.open('a')).toMatchObject([{ qty: '15.000', cumExecQty: '10.000' }]);
  });

  test('keeps its trigger without liquidity, and is closed once there is some', () => {
    d.place('a', guarded);
    mark('94');
    expect(positions(d, 'a')).toEqual(['long 10.000']);
    d.place('maker', { size: '100', price: '93' });
    mark('93.9');
    expect(positions(d, 'a')).toEqual([]);
  });

  test('without liquidity does not block others', () => {
    d.place('a', { ...guarded, size: '4' });
    const limit = { presetStopLossExecutePrice: '93' };
    d.place('h', { ...guarded, ...limit, size: '6', tradeSide: 'open' });
    mark('94');
    expect(positions(d, 'a')).toEqual(['long 4.000']);
    expect(d.open('h')).toMatchObject([{ price: '93.0', qty: '6.000', posSide: 'long' }]);
  });

  test('may be closed by hand: nothing triggers later', () => {
    d.place('a', guarded);
    d.place('maker', { size: '10', price: '100' });
    d.place('a', { side: 'sell', size: '10' });
    d.place('maker', { side: 'sell', size: '3' });
    d.place('a', { size: '3' });
    mark('120');
    expect(positions(d, 'a')).toEqual(['long 3.000']);
  });

  test('in hedge mode closes the part that is not held by resting orders', () => {
    d.place('h', { ...guarded, tradeSide: 'open' });
    d.place('h', { tradeSide: 'close', price: '110', size: '4' });
    d.place('maker', { size: '100', price: '104' });
    mark('105');
    expect(positions(d, 'h')).toEqual(['long 4.000']);
    expect(d.open('h')).toHaveLength(1);
  });

  test('of a short reverses the prices', () => {
    d.act({ kind: 'cancel-all', uid: 'maker' });
    d.place('maker', { size: '10' });
    d.place('a', {
      side: 'sell',
      size: '10',
      presetStopSurplusPrice: '90',
      presetStopLossPrice: '110',
    });
    d.place('maker', { side: 'sell', size: '100', price: '111' });
    mark('110');
    expect(positions(d, 'a')).toEqual([]);
  });

  test('is not counted among open orders', () => {
    d.place('a', guarded);
    expect(d.engine.openCounts('a')).toEqual({ futures: 0, spot: 0 });
  });

  test('may have several stop-losses: the nearest trigger first', () => {
    for (const presetStopLossPrice of ['95', '97', '93', '96']) {
      d.place('a', { size: '1', presetStopLossPrice });
    }
    d.place('maker', { size: '100', price: '90' });
    mark('96');
    expect(positions(d, 'a')).toEqual(['long 2.000']);
    mark('94');
    expect(positions(d, 'a')).toEqual(['long 1.000']);
  });

  test('is not protected by presets of a closing order', () => {
    d.place('a', { size: '10' });
    const close = { side: 'sell', price: '110', size: '1', reduceOnly: 'YES' } as const;
    d.place('a', { ...close, presetStopSurplusPrice: '200', presetStopLossPrice: '1' });
    expect(d.open('a')).toHaveLength(1);
  });

  test('is reported to observers', () => {
    d.place('a', guarded);
    d.place('maker', { size: '100', price: '104' });
    const { events } = d.engine.apply({ kind: 'set-price', ...line, mark: '105' }, d.now());
    expect(events.map(({ kind }) => kind)).toContain('trigger');
  });
});

describe('a matching delay', () => {
  test('leaves an order new until it is over, and holds its margin', () => {
    d.act({ kind: 'configure', matchDelayMs: 50 });
    const { orderId = '' } = d.place('a', { size: '10' });
    expect(d.open('a')).toMatchObject([{ orderId, status: 'new' }]);
    expect(
      d.engine.wallets('a').find(({ walletType }) => walletType === 'USDT-FUTURES')?.held,
    ).toBe('100.6');
    d.wait(49);
    expect(d.engine.order(orderId)?.status).toBe('new');
    d.wait(1);
    expect(d.engine.order(orderId)?.status).toBe('filled');
    expect(positions(d, 'a')).toEqual(['long 10.000']);
  });

  test('ends at its time, whenever the next command comes', () => {
    d.act({ kind: 'configure', matchDelayMs: 50 });
    d.place('a', guarded);
    const placed = d.now();
    d.place('maker', { size: '100', price: '99' });
    mark('106');
    d.wait(1_000);
    expect(positions(d, 'a')).toEqual([]);
    expect(d.closed('a').map(({ createdTime }) => createdTime - placed)).toEqual([50, 0]);
  });

  test('keeps the queue order through a snapshot', () => {
    d.act({ kind: 'configure', matchDelayMs: 50 });
    d.place('a', { size: '1', price: '90' });
    d.act({ kind: 'configure', matchDelayMs: 0 });
    d.place('a', { size: '2', price: '90' });
    d.wait(50);
    const again = restoreEngine(d.engine.snapshot());
    const sale = placing('maker', { side: 'sell', price: '90', size: '1' });
    for (const engine of [d.engine, again]) engine.apply(sale, d.now());
    expect(d.open('a').map(({ cumExecQty }) => cumExecQty)).toEqual(['1.000', '0.000']);
    expect(again.hash()).toBe(d.engine.hash());
  });

  test('cancels an order that its account can no longer pay for', () => {
    funded(d, 'poor', { amount: '101' });
    d.act({ kind: 'configure', matchDelayMs: 50 });
    const { orderId = '' } = d.place('poor', { size: '10', orderType: 'market' });
    d.act({ kind: 'cancel-all', uid: 'maker' });
    d.place('maker', { side: 'sell', size: '10', price: '150' });
    d.wait(50);
    expect(d.engine.order(orderId)).toMatchObject({
      cumExecQty: '0.000',
      closeReason: 'unaffordable_cancel',
    });
  });

  test('may end after the order was canceled', () => {
    d.act({ kind: 'configure', matchDelayMs: 50 });
    const { orderId = '' } = d.place('a', { size: '10' });
    d.act({ kind: 'cancel', orderId });
    d.wait(100);
    expect(d.engine.order(orderId)).toMatchObject({ status: 'cancelled', cumExecQty: '0.000' });
  });
});
