/** The five rules of endpoint 6, case by case. */
import { beforeEach, describe, expect, test } from 'vitest';
import { testEngine, funded, placing, positions, type TestEngine } from './support.ts';

let d: TestEngine;

/** Lets an account open a position of a size against the maker. */
function take(uid: string, side: 'buy' | 'sell', size: string): void {
  const isHedge = d.engine.account(uid)?.positionModes['USDT-FUTURES'] === 'hedge_mode';
  const isLong = side === 'buy';
  d.place('maker', { side: isLong ? 'sell' : 'buy', size });
  d.place(uid, { side, size, orderType: 'market', ...(isHedge && { tradeSide: 'open' }) });
}

/** Open orders as text: `sell 70.000 at 110.0`. */
function resting(uid: string): string[] {
  return d.open(uid).map(({ side, qty, price }) => `${side} ${qty} at ${price}`);
}

beforeEach(() => {
  d = testEngine();
  funded(d, 'maker', { kind: 'maker', amount: '1000000' });
  funded(d, 'oneway', { amount: '1000000' });
  funded(d, 'hedge', { mode: 'hedge_mode', amount: '1000000' });
});

describe('rule 1: directions in hedge mode', () => {
  test.each([
    ['buy', 'open', 'long 10.000', 'buy', 'long'],
    ['sell', 'open', 'short 10.000', 'sell', 'short'],
  ] as const)('%s %s opens %s', (side, tradeSide, position, executed, posSide) => {
    d.place('maker', { side: side === 'buy' ? 'sell' : 'buy', size: '10' });
    const { orderId } = d.place('hedge', { side, tradeSide, size: '10' });
    expect(positions(d, 'hedge')).toEqual([position]);
    expect(d.engine.order(orderId ?? '')).toMatchObject({ side: executed, posSide });
  });

  test.each([
    ['buy', 'close', 'buy', 'sell', 'long'],
    ['sell', 'close', 'sell', 'buy', 'short'],
  ] as const)(
    '%s %s closes and executes as the other side',
    (side, tradeSide, opened, executed, posSide) => {
      take('hedge', opened, '10');
      d.place('maker', { side: executed === 'buy' ? 'sell' : 'buy', size: '10' });
      const { orderId } = d.place('hedge', { side, tradeSide, size: '10' });
      expect(positions(d, 'hedge')).toEqual([]);
      expect(d.engine.order(orderId ?? '')).toMatchObject({
        side: executed,
        posSide,
        status: 'filled',
      });
    },
  );

  test('a long and a short can be open at the same time', () => {
    take('hedge', 'buy', '10');
    take('hedge', 'sell', '4');
    expect(positions(d, 'hedge')).toEqual(['long 10.000', 'short 4.000']);
  });
});

describe('rule 2: reduce-only orders that exceed the position', () => {
  const reduce = { side: 'sell', price: '110', reduceOnly: 'YES' } as const;

  beforeEach(() => take('oneway', 'buy', '100'));

  test('cancel the oldest until all fit, and the response has no orderId', () => {
    d.place('oneway', { ...reduce, size: '60' });
    d.place('oneway', { ...reduce, size: '30', price: '111' });
    const answer = d.place('oneway', { ...reduce, size: '50', price: '112', clientOid: 'newest' });
    expect(answer).toEqual({ clientOid: 'newest' });
    expect(resting('oneway')).toEqual(['sell 50.000 at 112.0', 'sell 30.000 at 111.0']);
    expect(d.engine.orderByClientOid('oneway', 'newest')?.status).toBe('live');
    expect(d.closed('oneway')[0]).toMatchObject({
      qty: '60.000',
      closeReason: 'reduce_only_cancel',
    });
  });

  test('are found by the clientOid that the server created', () => {
    d.place('oneway', { ...reduce, size: '60' });
    const answer = d.place('oneway', { ...reduce, size: '41' });
    expect(answer.orderId).toBeUndefined();
    expect(d.engine.orderByClientOid('oneway', answer.clientOid)?.qty).toBe('41.000');
  });

  test('fit when their sum equals it', () => {
    d.place('oneway', { ...reduce, size: '60' });
    expect(d.place('oneway', { ...reduce, size: '40' }).orderId).toBeDefined();
    expect(resting('oneway')).toHaveLength(2);
  });

  test('are reduced when one alone is larger, without canceling others', () => {
    expect(d.place('oneway', { ...reduce, size: '150' }).orderId).toBeDefined();
    expect(resting('oneway')).toEqual(['sell 100.000 at 110.0']);
  });

  test('are refused without a position to reduce', () => {
    expect(d.refusal(placing('oneway', { side: 'buy', size: '1', reduceOnly: 'YES' }))).toBe(
      '22002',
    );
    expect(d.refusal(placing('maker', { side: 'buy', size: '1', reduceOnly: 'YES' }))).toBe('done');
  });

  test('shrink with the position: the oldest are canceled when another order closes part of it', () => {
    d.place('oneway', { ...reduce, size: '60' });
    d.place('oneway', { ...reduce, size: '40', price: '111' });
    d.place('maker', { side: 'buy', size: '30' });
    d.place('oneway', { side: 'sell', size: '30', orderType: 'market' });
    expect(positions(d, 'oneway')).toEqual(['long 70.000']);
    expect(resting('oneway')).toEqual(['sell 40.000 at 111.0']);
  });

  test('are canceled when an order flips the position', () => {
    d.place('oneway', { ...reduce, size: '60' });
    d.place('maker', { side: 'buy', size: '130' });
    d.place('oneway', { side: 'sell', size: '130', orderType: 'market' });
    expect(positions(d, 'oneway')).toEqual(['short 30.000']);
    expect(resting('oneway')).toEqual([]);
  });

  test('never count against the other direction', () => {
    d.place('oneway', { ...reduce, size: '60' });
    expect(d.place('oneway', { side: 'sell', price: '120', size: '500' }).orderId).toBeDefined();
    expect(resting('oneway')).toHaveLength(2);
  });
});

describe('rule 3: a market close beside a limit close', () => {
  beforeEach(() => take('hedge', 'buy', '100'));

  test('closes only the remainder and keeps the limit order: 100, 70, 50 gives 30', () => {
    d.place('hedge', { tradeSide: 'close', price: '110', size: '70' });
    d.place('maker', { side: 'buy', size: '200', price: '99' });
    const { orderId } = d.place('hedge', { tradeSide: 'close', orderType: 'market', size: '50' });
    expect(d.engine.order(orderId ?? '')).toMatchObject({ qty: '30.000', status: 'filled' });
    expect(positions(d, 'hedge')).toEqual(['long 70.000']);
    expect(resting('hedge')).toEqual(['sell 70.000 at 110.0']);
  });

  test('closes its full size if that is available', () => {
    d.place('hedge', { tradeSide: 'close', price: '110', size: '70' });
    d.place('maker', { side: 'buy', size: '200', price: '99' });
    d.place('hedge', { tradeSide: 'close', orderType: 'market', size: '30' });
    expect(positions(d, 'hedge')).toEqual(['long 70.000']);
  });

  test('is refused for a limit order larger than the available size', () => {
    d.place('hedge', { tradeSide: 'close', price: '110', size: '70' });
    const close = { tradeSide: 'close', price: '111' } as const;
    expect(d.refusal(placing('hedge', { ...close, size: '31' }))).toBe('40757');
    expect(d.refusal(placing('hedge', { ...close, size: '30' }))).toBe('done');
    expect(d.refusal(placing('hedge', { ...close, size: '101' }))).toBe('40757');
  });

  test('is refused without a position', () => {
    expect(d.refusal(placing('hedge', { side: 'sell', tradeSide: 'close', size: '1' }))).toBe(
      '22002',
    );
  });
});

describe('rule 4: a close while the whole position is held by orders', () => {
  beforeEach(() => {
    take('hedge', 'buy', '100');
    d.place('hedge', { tradeSide: 'close', price: '110', size: '100' });
  });

  test('cancels the order that holds it, for a limit close', () => {
    const { orderId } = d.place('hedge', { tradeSide: 'close', price: '105', size: '100' });
    expect(orderId).toBeDefined();
    expect(resting('hedge')).toEqual(['sell 100.000 at 105.0']);
    expect(d.closed('hedge')[0]?.closeReason).toBe('give_way_cancel');
  });

  test('cancels the order that holds it, for a market close', () => {
    d.place('maker', { side: 'buy', size: '200', price: '99' });
    d.place('hedge', { tradeSide: 'close', orderType: 'market', size: '100' });
    expect(positions(d, 'hedge')).toEqual([]);
    expect(resting('hedge')).toEqual([]);
  });

  test('cancels only the oldest if that is enough', () => {
    d.act({ kind: 'cancel-all', uid: 'hedge' });
    d.place('hedge', { tradeSide: 'close', price: '110', size: '50' });
    d.place('hedge', { tradeSide: 'close', price: '111', size: '50' });
    d.place('hedge', { tradeSide: 'close', price: '112', size: '20' });
    expect(resting('hedge')).toEqual(['sell 20.000 at 112.0', 'sell 50.000 at 111.0']);
  });
});

describe('rule 5: a leader', () => {
  test('trades only the symbols it may lead', () => {
    const order = { size: '1', leaderSymbols: ['ETHUSDT'] };
    expect(d.refusal(placing('oneway', order))).toBe('31021');
    expect(d.refusal(placing('oneway', { ...order, leaderSymbols: ['BTCUSDT'] }))).toBe('done');
  });
});
