/** Positions, margin and money of futures and spot accounts, to the last digit. */
import { beforeEach, describe, expect, test } from 'vitest';
import { hour } from '../../../src/base/clock.ts';
import {
  btc,
  coin,
  testEngine,
  eth,
  funded,
  placing,
  positions,
  spot,
  start,
  type TestEngine,
} from './support.ts';

let d: TestEngine;

beforeEach(() => {
  d = testEngine([btc, eth, coin, spot]);
  for (const uid of ['a', 'b']) funded(d, uid);
  funded(d, 'h', { mode: 'hedge_mode' });
  funded(d, 'maker', { kind: 'maker', amount: '1000000' });
});

/** The latest bills as text: `sell 1 -0.06 = 10000.94`. */
function bills(uid: string, count: number): string[] {
  return [...d.engine.bills(uid, 'USDT-FUTURES')]
    .slice(0, count)
    .map(
      ({ businessType, amount, fee, balance }) => `${businessType} ${amount} ${fee} = ${balance}`,
    );
}

function wallet(uid: string, walletType = 'USDT-FUTURES', name = 'USDT') {
  const found = d.engine
    .wallets(uid)
    .find((one) => one.walletType === walletType && one.coin === name);
  return { balance: found?.balance, held: found?.held, available: found?.available };
}

/** Trades between an account and the maker at a price. */
function trade(uid: string, side: 'buy' | 'sell', size: string, price: string, more = {}): void {
  d.place('maker', { side: side === 'buy' ? 'sell' : 'buy', size, price });
  d.place(uid, { side, size, price, ...more });
}

describe('a position', () => {
  test('has margin and a fee, a profit or loss at the close, and a bill for each', () => {
    trade('a', 'buy', '2', '100');
    expect(wallet('a')).toEqual({ balance: '9999.88', held: '20', available: '9979.88' });
    trade('a', 'sell', '1', '110');
    expect(bills('a', 2)).toEqual(['sell 10 -0.066 = 10009.814', 'buy 0 -0.12 = 9999.88']);
    expect(wallet('a')).toEqual({ balance: '10009.814', held: '10', available: '9999.814' });
    expect(d.engine.positions('a')[0]).toMatchObject({
      holdSide: 'long',
      size: '1.000',
      entryPrice: '100',
      margin: '10',
      leverage: 10,
    });
  });

  test('flips in one-way mode: the remainder opens the other side', () => {
    trade('a', 'buy', '1', '100');
    trade('a', 'sell', '3', '98');
    expect(positions(d, 'a')).toEqual(['short 2.000']);
    expect(bills('a', 1)).toEqual(['sell -2 -0.1764 = 9997.7636']);
    expect(d.engine.positions('a')[0]?.entryPrice).toBe('98');
  });

  test('is billed by its side in hedge mode', () => {
    trade('h', 'buy', '1', '100', { tradeSide: 'open' });
    trade('h', 'sell', '1', '100', { tradeSide: 'open' });
    d.place('maker', { side: 'sell', size: '1', price: '101' });
    d.place('h', { side: 'sell', tradeSide: 'close', size: '1', price: '101' });
    d.place('maker', { side: 'buy', size: '1', price: '101' });
    d.place('h', { side: 'buy', tradeSide: 'close', size: '1', price: '101' });
    expect(bills('h', 4).map((bill) => bill.split(' ').slice(0, 2).join(' '))).toEqual([
      'close_long 1',
      'close_short -1',
      'open_short 0',
      'open_long 0',
    ]);
  });

  test('divides its cost exactly: the last part gets the rounding remainder', () => {
    trade('a', 'buy', '0.3', '100.1');
    trade('a', 'buy', '0.4', '100.3');
    for (const size of ['0.1', '0.5', '0.1']) trade('a', 'sell', size, '100.2');
    expect(positions(d, 'a')).toEqual([]);
    const profits = bills('a', 3).map((bill) => bill.split(' ')[1]);
    // Bought for 70.15, a seventh of which does not end; sold for 70.14.
    expect(profits).toEqual(['-0.001428571429', '-0.007142857143', '-0.001428571428']);
    expect(d.engine.invariants()).toEqual([]);
  });

  test('smaller than the minimum order may be closed completely', () => {
    trade('a', 'buy', '0.1', '100');
    trade('a', 'sell', '0.08', '100');
    d.place('maker', { side: 'buy', size: '1' });
    expect(d.refusal(placing('a', { side: 'sell', size: '0.02' }))).toBe('45110');
    expect(d.refusal(placing('a', { side: 'sell', size: '0.02', reduceOnly: 'YES' }))).toBe('done');
    expect(positions(d, 'a')).toEqual([]);
  });

  test('with coin margin has profit in the coin, and the conversion account keeps the rest', () => {
    const line = { category: 'COIN-FUTURES', symbol: 'BTCUSD' } as const;
    trade('a', 'buy', '3', '100', line);
    d.act({ kind: 'credit', uid: 'a', walletType: 'COIN-FUTURES', coin: 'BTC', amount: '1' });
    d.place('maker', { ...line, side: 'sell', size: '3', price: '100' });
    d.act({ kind: 'cancel-all', uid: 'maker' });
    d.place('maker', { ...line, side: 'buy', size: '3', price: '110' });
    d.place('a', { ...line, side: 'sell', size: '3', price: '110' });
    const [bill] = d.engine.bills('a', 'COIN-FUTURES');
    // 3 - 300 / 110, cut after twelve places; fee of 3 BTC × 0.0006.
    expect(bill).toMatchObject({ amount: '0.272727272727', fee: '-0.0018', coin: 'BTC' });
    expect(d.engine.invariants()).toEqual([]);
  });
});

describe('margin', () => {
  test('for open orders is held with the opening fee, and released', () => {
    const { orderId = '' } = d.place('a', { size: '10' });
    expect(wallet('a').held).toBe('100.6');
    d.act({ kind: 'cancel', orderId });
    expect(wallet('a').held).toBe('0');
  });

  test('is not required for the closing part of a one-way order', () => {
    trade('a', 'buy', '10', '100');
    const before = Number(wallet('a').held);
    d.place('a', { side: 'sell', size: '4', price: '110' });
    d.place('a', { side: 'sell', size: '6', price: '110' });
    expect(Number(wallet('a').held)).toBe(before);
    d.place('a', { side: 'sell', size: '10', price: '110' });
    expect(Number(wallet('a').held)).toBeCloseTo(before + 110 + 0.66, 9);
  });

  test('is required in hedge mode whatever the other side is', () => {
    trade('h', 'sell', '10', '100', { tradeSide: 'open' });
    const before = Number(wallet('h').held);
    d.place('h', { tradeSide: 'open', price: '90', size: '10' });
    expect(Number(wallet('h').held)).toBeCloseTo(before + 90 + 0.54, 9);
  });

  test('may be missing for an order that only closes', () => {
    d.act({ kind: 'open-account', uid: 'c', accountKind: 'main' });
    d.act({ kind: 'credit', uid: 'c', walletType: 'USDT-FUTURES', coin: 'USDT', amount: '10.06' });
    trade('c', 'buy', '1', '100');
    d.act({ kind: 'set-price', category: 'USDT-FUTURES', symbol: 'BTCUSDT', mark: '95' });
    expect(d.refusal(placing('c', { side: 'buy', price: '90', size: '0.1' }))).toBe('40762');
    expect(d.refusal(placing('c', { side: 'sell', price: '101', size: '1' }))).toBe('done');
  });

  test('of a market order uses an average rounded up', () => {
    d.act({ kind: 'open-account', uid: 'c', accountKind: 'main' });
    const money = { kind: 'credit', uid: 'c', walletType: 'USDT-FUTURES', coin: 'USDT' } as const;
    d.act({ ...money, amount: '20.12' }); // enough for 200, not for 200.1
    d.place('maker', { side: 'sell', size: '1', price: '100' });
    d.place('maker', { side: 'sell', size: '1', price: '100.1' });
    expect(d.refusal(placing('c', { orderType: 'market', size: '2' }))).toBe('40762');
  });

  test('decides to the last unit whether an order is accepted', () => {
    d.act({ kind: 'open-account', uid: 'c', accountKind: 'main' });
    const money = { kind: 'credit', uid: 'c', walletType: 'USDT-FUTURES', coin: 'USDT' } as const;
    d.act({ ...money, amount: '10.059999999999' });
    expect(d.refusal(placing('c', { size: '1' }))).toBe('40762');
    d.act({ ...money, amount: '0.000000000001' });
    expect(d.refusal(placing('c', { size: '1' }))).toBe('done');
    expect(wallet('c').available).toBe('0');
  });

  test('of a market order uses the prices it would execute at', () => {
    d.act({ kind: 'open-account', uid: 'c', accountKind: 'main' });
    d.act({ kind: 'credit', uid: 'c', walletType: 'USDT-FUTURES', coin: 'USDT', amount: '15' });
    d.place('maker', { side: 'sell', size: '1', price: '100' });
    d.place('maker', { side: 'sell', size: '1', price: '300' });
    expect(d.refusal(placing('c', { orderType: 'market', size: '2' }))).toBe('40762');
    expect(d.refusal(placing('c', { orderType: 'market', size: '1' }))).toBe('done');
  });

  test('of a sale with better prices uses them, and its limit for the rest', () => {
    d.act({ kind: 'open-account', uid: 'c', accountKind: 'main' });
    d.act({ kind: 'credit', uid: 'c', walletType: 'USDT-FUTURES', coin: 'USDT', amount: '21' });
    d.place('maker', { side: 'buy', size: '1', price: '200' });
    expect(d.refusal(placing('c', { side: 'sell', size: '2' }))).toBe('40762');
    d.act({ kind: 'credit', uid: 'c', walletType: 'USDT-FUTURES', coin: 'USDT', amount: '79' });
    d.place('c', { side: 'sell', size: '2' });
    expect(wallet('c').held).toBe('30.06');
  });

  test('of crossed positions includes losses at the mark price, and no gains', () => {
    trade('a', 'buy', '10', '100');
    const { available } = wallet('a');
    const at = (mark: string) => {
      d.act({ kind: 'set-price', category: 'USDT-FUTURES', symbol: 'BTCUSDT', mark });
      return Number(wallet('a').available) - Number(available);
    };
    expect(at('90')).toBeCloseTo(-100, 9);
    expect(at('110')).toBe(0);
  });

  test('of an isolated position can be added and removed, down to the minimum for its leverage', () => {
    trade('a', 'buy', '10', '100', { marginMode: 'isolated' });
    const adjust = {
      kind: 'adjust-margin',
      uid: 'a',
      category: 'USDT-FUTURES',
      symbol: 'BTCUSDT',
    } as const;
    d.act({ ...adjust, amount: '50' });
    expect(d.engine.positions('a')[0]?.margin).toBe('150');
    expect(d.refusal({ ...adjust, amount: '-51' })).toBe('40754');
    d.act({ ...adjust, amount: '-20' });
    expect(bills('a', 2)).toEqual(['reduce_margin -20 0 = 9999.4', 'append_margin 50 0 = 9999.4']);
    expect(d.refusal({ ...adjust, amount: '999999' })).toBe('40754');
  });
});

describe('the leverage of a product line', () => {
  const all = { kind: 'set-all-leverage', uid: 'a', productType: 'USDT-FUTURES' } as const;

  test('changes only symbols with a position', () => {
    trade('a', 'buy', '1', '100');
    d.place('a', { symbol: 'ETHUSDT', size: '1' });
    expect(d.act({ ...all, leverage: '20' })).toEqual({ changed: 1 });
    expect(d.engine.positions('a')[0]).toMatchObject({ leverage: 20, margin: '5' });
    d.act({ kind: 'cancel-all', uid: 'a' });
    trade('a', 'buy', '1', '100', { symbol: 'ETHUSDT' });
  });

  test('does nothing, and succeeds, without a position', () => {
    expect(d.act({ ...all, leverage: '20' })).toEqual({ changed: 0 });
  });

  test('is refused for all if one symbol does not allow it', () => {
    const small = { ...btc, symbol: 'LOW', leverageMax: 15 };
    d.act({ kind: 'list-instrument', instrument: small, price: '100' });
    trade('a', 'buy', '1', '100');
    d.place('maker', { symbol: 'LOW', side: 'sell', size: '1' });
    d.place('a', { symbol: 'LOW', size: '1' });
    expect(d.refusal({ ...all, leverage: '16' })).toBe('40797');
    expect(d.engine.positions('a').map(({ leverage }) => leverage)).toEqual([10, 10]);
  });

  test('is refused for all if margin is missing, and no position changes', () => {
    trade('a', 'buy', '500', '100', { marginMode: 'isolated' });
    const before = d.engine.hash();
    expect(d.refusal({ ...all, leverage: '1' })).toBe('40762');
    expect(d.engine.hash()).toBe(before);
  });

  test('is refused if an isolated position would be liquidated', () => {
    trade('a', 'buy', '10', '100', { marginMode: 'isolated' });
    d.act({ kind: 'set-price', category: 'USDT-FUTURES', symbol: 'BTCUSDT', mark: '95' });
    expect(d.refusal({ ...all, leverage: '50' })).toBe('40762');
    expect(d.refusal({ ...all, leverage: '12' })).toBe('done');
  });

  test('moves the margin of isolated positions, with bills that keep the balance', () => {
    trade('a', 'buy', '10', '100', { marginMode: 'isolated' });
    d.act({ ...all, leverage: '5' });
    d.act({ ...all, leverage: '20' });
    expect(bills('a', 2)).toEqual([
      'reduce_margin -150 0 = 9999.4',
      'adjust_down_lever_append_margin 100 0 = 9999.4',
    ]);
  });

  test('changes nothing if it is equal: margin added by hand stays', () => {
    trade('a', 'buy', '10', '100', { marginMode: 'isolated' });
    const market = { category: 'USDT-FUTURES', symbol: 'BTCUSDT' } as const;
    d.act({ kind: 'adjust-margin', uid: 'a', ...market, amount: '30' });
    const before = d.engine.hash();
    expect(d.act({ ...all, leverage: '10' })).toEqual({ changed: 1 });
    expect(d.engine.hash()).toBe(before);
  });

  test.each(['0', '1.5', '-2', '', '1000', 'x'])('is refused when it is %j', (leverage) => {
    expect(d.refusal({ ...all, leverage })).toBe('40020');
  });

  test('can be set for one symbol without a position', () => {
    d.act({
      kind: 'set-leverage',
      uid: 'a',
      category: 'USDT-FUTURES',
      symbol: 'BTCUSDT',
      leverage: '50',
    });
    d.place('a', { size: '10' });
    expect(wallet('a').held).toBe('20.6');
  });
});

describe('position modes', () => {
  test('change only without orders and positions, for all product lines or none', () => {
    const change = {
      kind: 'set-position-mode',
      uid: 'a',
      productTypes: ['COIN-FUTURES', 'USDT-FUTURES'],
      positionMode: 'hedge_mode',
    } as const;
    const modes = (): object | undefined => d.engine.account('a')?.positionModes;
    const before = modes();
    const { orderId = '' } = d.place('a', { size: '1' });
    expect(d.refusal(change)).toBe('45117');
    expect(modes()).toEqual(before);
    d.act({ kind: 'cancel', orderId });
    expect(d.refusal(change)).toBe('done');
    expect(modes()).toEqual({
      'USDT-FUTURES': 'hedge_mode',
      'COIN-FUTURES': 'hedge_mode',
      'USDC-FUTURES': 'one_way_mode',
    });
    expect(d.refusal(placing('a', { size: '1' }))).toBe('400172');
  });
});

describe('money', () => {
  test('moves between wallets with a bill on each futures side', () => {
    d.act({
      kind: 'transfer',
      uid: 'a',
      from: 'SPOT',
      to: 'USDT-FUTURES',
      coin: 'USDT',
      amount: '5',
    });
    d.act({
      kind: 'transfer',
      uid: 'a',
      from: 'USDT-FUTURES',
      to: 'USDC-FUTURES',
      coin: 'USDT',
      amount: '7',
    });
    d.act({
      kind: 'transfer',
      uid: 'a',
      from: 'USDT-FUTURES',
      to: 'SPOT',
      coin: 'USDT',
      amount: '1',
    });
    d.act({
      kind: 'transfer',
      uid: 'a',
      toUid: 'b',
      from: 'USDT-FUTURES',
      to: 'MARGIN',
      coin: 'USDT',
      amount: '1',
    });
    expect(bills('a', 4)).toEqual([
      'trans_to_cross -1 0 = 9996',
      'trans_to_exchange -1 0 = 9997',
      'trans_to_contract -7 0 = 9998',
      'trans_from_exchange 5 0 = 10005',
    ]);
    expect([...d.engine.bills('a', 'USDC-FUTURES')][0]).toMatchObject({
      businessType: 'trans_from_contract',
      balance: '7',
      symbol: '',
    });
    expect(wallet('b', 'MARGIN').balance).toBe('1');
  });

  test('cannot leave a wallet with too little available', () => {
    d.place('a', { size: '990' });
    const out = {
      kind: 'transfer',
      uid: 'a',
      from: 'USDT-FUTURES',
      to: 'SPOT',
      coin: 'USDT',
    } as const;
    expect(d.refusal({ ...out, amount: '50' })).toBe('43012');
    expect(d.refusal({ ...out, amount: '0' })).toBe('43011');
    expect(d.refusal({ ...out, to: 'USDT-FUTURES', amount: '1' })).toBe('43011');
    const credit = { kind: 'credit', uid: 'a', walletType: 'USDT-FUTURES', coin: 'USDT' } as const;
    expect(d.refusal({ ...credit, amount: '-9999' })).toBe('43012');
  });

  test('of a maker moves without bills', () => {
    expect([...d.engine.bills('maker', 'USDT-FUTURES')]).toEqual([]);
    expect(wallet('maker').balance).toBe('1000000');
  });

  test('is deposited under any bill type, into demo wallets, too', () => {
    const gift = { kind: 'credit', uid: 'a', coin: 'SUSDT', amount: '3' } as const;
    d.act({ ...gift, walletType: 'SUSDT-FUTURES', businessType: 'cash_gift_issue' });
    expect([...d.engine.bills('a', 'SUSDT-FUTURES')]).toHaveLength(1);
    expect([...d.engine.bills('a', 'SUSDT-FUTURES')][0]?.businessType).toBe('cash_gift_issue');
  });
});

describe('spot', () => {
  const pair = { category: 'SPOT' } as const;

  test('exchanges coins, and each side pays its fee in the coin it receives', () => {
    d.place('a', { ...pair, side: 'sell', size: '2' });
    expect(wallet('a', 'SPOT', 'BTC').held).toBe('2');
    d.place('b', { ...pair, size: '1', price: '101' });
    expect(wallet('a', 'SPOT', 'BTC')).toEqual({ balance: '9999', held: '1', available: '9998' });
    expect(wallet('a', 'SPOT', 'USDT').balance).toBe('10099.95');
    expect(wallet('b', 'SPOT', 'BTC').balance).toBe('10000.999');
    expect(wallet('b', 'SPOT', 'USDT')).toEqual({ balance: '9900', held: '0', available: '9900' });
    expect(d.closed('b')[0]).toMatchObject({
      category: 'SPOT',
      feeCoin: 'BTC',
      fee: '0.001',
      amount: '101',
    });
  });

  test('is refused without the coins', () => {
    expect(d.refusal(placing('a', { ...pair, size: '101' }))).toBe('43012');
    expect(d.refusal(placing('a', { ...pair, side: 'sell', size: '10001' }))).toBe('45112');
    d.act({
      kind: 'transfer',
      uid: 'a',
      toUid: 'b',
      from: 'SPOT',
      to: 'SPOT',
      coin: 'BTC',
      amount: '9999.5',
    });
    expect(d.refusal(placing('a', { ...pair, side: 'sell', size: '1' }))).toBe('43012');
  });

  test('and margin orders match in one book, paid from their own wallets', () => {
    d.act({ kind: 'transfer', uid: 'a', from: 'SPOT', to: 'MARGIN', coin: 'BTC', amount: '1' });
    d.place('a', { category: 'MARGIN', side: 'sell', size: '1' });
    d.place('b', { ...pair, size: '1' });
    expect(wallet('a', 'MARGIN', 'USDT').balance).toBe('99.95');
    expect(d.closed('a')[0]?.category).toBe('MARGIN');
  });
});

describe('funding', () => {
  test('is paid by longs to shorts at 00:00, 08:00 and 16:00 UTC, at the mark price', () => {
    trade('a', 'buy', '2', '100');
    trade('b', 'sell', '2', '100');
    const line = { category: 'USDT-FUTURES', symbol: 'BTCUSDT' } as const;
    d.act({ kind: 'set-funding-rate', ...line, rate: '0.0003' });
    d.act({ kind: 'set-price', ...line, mark: '110' });
    expect(d.engine.market('USDT-FUTURES', 'BTCUSDT')?.nextFundingTime).toBe(
      Date.UTC(2024, 0, 10, 16),
    );
    d.wait(Date.UTC(2024, 0, 10, 16) - start);
    expect(bills('a', 1)).toEqual(['contract_settle_fee -0.066 0 = 9999.814']);
    expect(bills('b', 1)).toEqual(['contract_settle_fee 0.066 0 = 9999.946']);
    d.wait(24 * hour);
    expect(bills('a', 4).filter((bill) => bill.startsWith('contract_settle_fee'))).toHaveLength(4);
  });

  test('is paid from the margin of an isolated position', () => {
    trade('a', 'buy', '2', '100', { marginMode: 'isolated' });
    const line = { category: 'USDT-FUTURES', symbol: 'BTCUSDT' } as const;
    d.act({ kind: 'set-funding-rate', ...line, rate: '0.01' });
    const { available } = wallet('a');
    d.wait(4 * hour);
    expect(d.engine.positions('a')[0]?.margin).toBe('18');
    expect(wallet('a').available).toBe(available);
  });

  test('leaves the rounding remainder to the reserve', () => {
    trade('a', 'buy', '0.1', '100.1');
    trade('b', 'sell', '0.1', '100.1');
    const line = { category: 'USDT-FUTURES', symbol: 'BTCUSDT' } as const;
    d.act({ kind: 'set-price', ...line, mark: '100.3' });
    d.act({ kind: 'set-funding-rate', ...line, rate: '0.000000000333' });
    d.wait(4 * hour);
    expect(d.engine.reserve('USDT-FUTURES', 'USDT').balance).toBe('0.000000000001');
    expect(d.engine.invariants()).toEqual([]);
  });
});
