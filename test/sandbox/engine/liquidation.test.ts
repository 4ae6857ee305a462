/** Forced closing: when it comes, at which prices, and who pays for it. */
import { beforeEach, describe, expect, test } from 'vitest';
import type { PlaceFields } from '../../../src/sandbox/engine/command.ts';
import { btc, coin, testEngine, eth, funded, positions, type TestEngine } from './support.ts';

const line = { category: 'USDT-FUTURES', symbol: 'BTCUSDT' } as const;
let d: TestEngine;

function mark(price: string, more = {}): void {
  d.act({ kind: 'set-price', ...line, mark: price, ...more });
}

function bills(uid: string, count: number): string[] {
  return [...d.engine.bills(uid, 'USDT-FUTURES')]
    .slice(0, count)
    .map(
      ({ businessType, amount, fee, balance }) => `${businessType} ${amount} ${fee} = ${balance}`,
    );
}

function trade(
  uid: string,
  side: 'buy' | 'sell',
  size: string,
  { marginMode, tradeSide, ...market }: Partial<PlaceFields> = {},
): void {
  d.place('maker', { ...market, side: side === 'buy' ? 'sell' : 'buy', size });
  const own = { ...(marginMode && { marginMode }), ...(tradeSide && { tradeSide }) };
  d.place(uid, { ...market, ...own, side, size });
}

beforeEach(() => {
  const tiers = [{ from: '0', rate: '0.005' }];
  d = testEngine([
    { ...btc, tiers },
    { ...eth, tiers },
    { ...coin, tiers },
  ]);
  funded(d, 'maker', { kind: 'maker', amount: '1000000' });
  funded(d, 'a');
  funded(d, 'h', { mode: 'hedge_mode' });
});

describe('an isolated position', () => {
  const isolated = { marginMode: 'isolated' } as const;

  test('is kept one tick before its maintenance margin, and closed at it', () => {
    trade('a', 'buy', '10', isolated);
    d.place('maker', { side: 'buy', size: '100', price: '90.1' });
    // Margin 100; at 90.6 it is worth 6, and needs 4.53 + 0.5436; at 90.5, 5 and needs 5.068.
    mark('90.6');
    expect(positions(d, 'a')).toEqual(['long 10.000']);
    mark('90.5');
    expect(positions(d, 'a')).toEqual([]);
  });

  test('loses exactly its margin: better prices benefit the reserve', () => {
    trade('a', 'buy', '10', isolated);
    d.place('maker', { side: 'buy', size: '100', price: '90.4' });
    mark('90.5');
    expect(bills('a', 2)).toEqual([
      'risk_captital_user_transfer -3.4576 0 = 9899.4',
      'burst_sell -96 -0.5424 = 9902.8576',
    ]);
    expect(d.engine.reserve('USDT-FUTURES', 'USDT').balance).toBe('3.4576');
    expect([...d.engine.reserveRecords('USDT-FUTURES', 'USDT')]).toMatchObject([
      { amount: '3.4576' },
    ]);
    expect(d.closed('a')[0]).toMatchObject({ executionType: 'liquidation', status: 'filled' });
  });

  test('with a larger loss is covered by the reserve, as far as possible', () => {
    d.act({ kind: 'fund-reserve', productType: 'USDT-FUTURES', coin: 'USDT', amount: '20' });
    trade('a', 'buy', '10', isolated);
    d.place('maker', { side: 'buy', size: '100', price: '89' });
    mark('90');
    expect(bills('a', 2)).toEqual([
      'risk_captital_user_transfer 10.534 0 = 9899.4',
      'burst_sell -110 -0.534 = 9888.866',
    ]);
    expect(d.engine.reserve('USDT-FUTURES', 'USDT').balance).toBe('9.466');
  });

  test('is taken over by the most profitable opposite position without liquidity', () => {
    funded(d, 'winner');
    funded(d, 'other');
    d.act({ kind: 'set-leverage', uid: 'winner', ...line, leverage: '50' });
    d.place('winner', { side: 'sell', size: '10' });
    d.place('other', { side: 'sell', size: '10' });
    d.place('a', { size: '15', ...isolated });
    d.place('maker', { size: '5' });
    mark('80');
    expect(positions(d, 'a')).toEqual([]);
    expect(positions(d, 'winner')).toEqual([]);
    expect(positions(d, 'other')).toEqual(['short 5.000']);
    expect(d.closed('winner')[0]).toMatchObject({ executionType: 'reduce', fee: '0' });
    expect(bills('winner', 1)[0]).toMatch(/^force_buy 9\d/);
    expect(d.engine.reserve('USDT-FUTURES', 'USDT').balance).not.toBe('0');
    expect(
      d.engine.wallets('a').find(({ walletType }) => walletType === 'USDT-FUTURES')?.balance,
    ).toBe('9849.1');
    expect(d.engine.invariants()).toEqual([]);
  });

  test('cancels its own resting orders and no others', () => {
    trade('a', 'buy', '10', isolated);
    d.place('a', { side: 'buy', price: '80', size: '1', ...isolated });
    d.place('a', { symbol: 'ETHUSDT', price: '80', size: '1' });
    d.place('maker', { side: 'buy', size: '100', price: '90.4' });
    mark('90');
    expect(d.open('a').map(({ symbol }) => symbol)).toEqual(['ETHUSDT']);
  });

  test('above a tier is first reduced to it, and may survive', () => {
    const tiers = [
      { from: '0', rate: '0.005' },
      { from: '500', rate: '0.05' },
    ];
    d.act({
      kind: 'list-instrument',
      instrument: { ...btc, symbol: 'TIERS', tiers },
      price: '100',
    });
    trade('a', 'buy', '10', { ...isolated, symbol: 'TIERS' });
    d.place('maker', { symbol: 'TIERS', side: 'buy', size: '100', price: '94' });
    mark('94', { symbol: 'TIERS' });
    expect(positions(d, 'a')).toEqual(['long 5.319']);
    expect(d.closed('a').map(({ executionType }) => executionType)).toEqual(['reduce', 'normal']);
  });

  test('is billed by its side in hedge mode', () => {
    trade('h', 'sell', '10', { ...isolated, tradeSide: 'open' });
    d.place('maker', { side: 'sell', size: '100', price: '109' });
    mark('110');
    expect(bills('h', 2)[1]).toMatch(/^burst_short_loss_query -90 /);
    expect(d.closed('h')[0]).toMatchObject({ side: 'buy', posSide: 'short' });
  });
});

describe('crossed positions', () => {
  test('are backed by the whole wallet, and the worst is closed first', () => {
    funded(d, 'c', { amount: '30' });
    trade('c', 'buy', '1', { symbol: 'ETHUSDT' });
    trade('c', 'buy', '1');
    d.place('maker', { side: 'buy', size: '100', price: '71' });
    mark('75');
    expect(positions(d, 'c')).toHaveLength(2);
    mark('71');
    expect(d.engine.positions('c').map(({ symbol }) => symbol)).toEqual(['ETHUSDT']);
    expect(bills('c', 1)[0]).toMatch(/^burst_sell -29 /);
  });

  test('are kept one tick before the maintenance margin, and closed at it', () => {
    funded(d, 'c', { amount: '29.4576' });
    trade('c', 'buy', '1');
    d.place('maker', { side: 'buy', size: '100', price: '71' });
    mark('71.1');
    expect(positions(d, 'c')).toEqual(['long 1.000']);
    mark('71'); // 29.3976 less 29 is what 71 needs: 0.355 and a fee of 0.0426
    expect(positions(d, 'c')).toEqual([]);
  });

  test('that owe more than the wallet are covered by the reserve', () => {
    d.act({ kind: 'fund-reserve', productType: 'USDT-FUTURES', coin: 'USDT', amount: '1000' });
    funded(d, 'c', { amount: '30' });
    trade('c', 'buy', '1');
    d.place('maker', { side: 'buy', size: '100', price: '60' });
    mark('60');
    expect(bills('c', 1)).toEqual(['risk_captital_user_transfer 10.096 0 = 0']);
  });

  test('cancel orders before anything is closed', () => {
    funded(d, 'c', { amount: '30' });
    trade('c', 'buy', '1');
    d.place('c', { side: 'buy', price: '80', size: '1' });
    d.place('maker', { side: 'buy', size: '100', price: '71' });
    mark('70');
    expect(d.closed('c').map(({ closeReason }) => closeReason)).toContain('burst_cancel');
    expect(positions(d, 'c')).toEqual([]);
  });

  test('on both sides of a symbol are netted first', () => {
    funded(d, 'c', { mode: 'hedge_mode', amount: '60' });
    d.act({ kind: 'set-leverage', uid: 'c', ...line, leverage: '100' });
    trade('c', 'buy', '12', { tradeSide: 'open' });
    trade('c', 'sell', '8', { tradeSide: 'open' });
    d.place('maker', { side: 'buy', size: '100', price: '87' });
    mark('87.5');
    const closed = d
      .closed('c')
      .map(({ executionType, side, qty }) => `${executionType} ${side} ${qty}`);
    expect(closed).toContain('offset sell 8.000');
    expect(closed).toContain('offset buy 8.000');
    expect(d.engine.invariants()).toEqual([]);
  });

  test('above a tier are reduced to it before they are closed', () => {
    const tiers = [
      { from: '0', rate: '0.005' },
      { from: '500', rate: '0.05' },
    ];
    d.act({
      kind: 'list-instrument',
      instrument: { ...btc, symbol: 'TIERS', tiers },
      price: '100',
    });
    funded(d, 'c', { amount: '110' });
    trade('c', 'buy', '10', { symbol: 'TIERS' });
    d.place('maker', { symbol: 'TIERS', side: 'buy', size: '100', price: '93' });
    mark('93.5', { symbol: 'TIERS' });
    expect(positions(d, 'c')).toEqual(['long 5.347']);
    expect(d.closed('c')[0]).toMatchObject({ executionType: 'reduce', qty: '4.653' });
    expect(bills('c', 1)[0]).toMatch(/^force_sell /);
  });

  test.each([
    ['buy', '80'],
    ['sell', '130'],
  ] as const)('with coin margin lose at most the balance, to the tick: %s', (side, price) => {
    const symbol = { category: 'COIN-FUTURES', symbol: 'BTCUSD' } as const;
    d.act({ kind: 'open-account', uid: 'c', accountKind: 'main' });
    d.act({ kind: 'credit', uid: 'c', walletType: 'COIN-FUTURES', coin: 'BTC', amount: '1' });
    trade('c', side, '5', symbol);
    d.act({ kind: 'set-price', ...symbol, mark: price }); // the book is empty: the maker takes over
    expect(positions(d, 'c')).toEqual([]);
    const balance = Number(d.engine.wallets('c')[0]?.balance ?? '0');
    expect(balance).toBeGreaterThanOrEqual(0);
    expect(balance).toBeLessThan(0.01);
  });

  test('with coin margin are closed, too', () => {
    const symbol = { category: 'COIN-FUTURES', symbol: 'BTCUSD' } as const;
    d.act({ kind: 'open-account', uid: 'c', accountKind: 'main' });
    d.act({ kind: 'credit', uid: 'c', walletType: 'COIN-FUTURES', coin: 'BTC', amount: '1' });
    trade('c', 'buy', '5', symbol);
    d.place('maker', { ...symbol, side: 'buy', size: '100', price: '84' });
    d.act({ kind: 'set-price', ...symbol, mark: '83.6' });
    expect(positions(d, 'c')).toEqual([]);
    expect(d.engine.invariants()).toEqual([]);
  });
});

describe('a closing far from the mark price', () => {
  test('may cost more than the wallet has; the reserve pays the difference', () => {
    d.act({ kind: 'fund-reserve', productType: 'USDT-FUTURES', coin: 'USDT', amount: '1000' });
    funded(d, 'c', { amount: '30' });
    trade('c', 'buy', '1');
    d.place('maker', { side: 'buy', size: '1', price: '50' });
    d.place('c', { side: 'sell', size: '1', orderType: 'market' });
    expect(
      d.engine.wallets('c').find(({ walletType }) => walletType === 'USDT-FUTURES'),
    ).toBeUndefined();
    expect(bills('c', 1)).toEqual(['risk_captital_user_transfer 20.09 0 = 0']);
  });
});

describe('the deleveraging queue', () => {
  test('ranks positions of one side by return times leverage', () => {
    const uids = ['q1', 'q2', 'q3', 'q4'];
    for (const [place, uid] of uids.entries()) {
      funded(d, uid);
      d.act({ kind: 'set-leverage', uid, ...line, leverage: String(5 * (place + 1)) });
      trade(uid, 'buy', '1');
    }
    mark('105');
    const rank = (uid: string) =>
      d.engine.adlRanks(uid, 'USDT-FUTURES').map(({ adlRank }) => adlRank);
    expect(uids.map(rank)).toEqual([['1.0000'], ['0.7500'], ['0.5000'], ['0.2500']]);
    expect(d.engine.adlRanks('maker', 'USDT-FUTURES')).toMatchObject([
      { symbol: 'BTCUSDT', marginCoin: 'USDT', holdSide: 'short', adlRank: '1.0000' },
    ]);
    expect(d.engine.adlRanks('a', 'USDT-FUTURES')).toEqual([]);
  });
});
