/** The fast book against the naive one, through the engine, and its parts on their own. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Levels } from '../../../src/sandbox/engine/book/levels.ts';
import { createEngine } from '../../../src/sandbox/engine/create.ts';
import type { Engine } from '../../../src/sandbox/engine/engine.ts';
import type { EngineEvent } from '../../../src/sandbox/engine/event.ts';
import { NaiveBook } from './naive-book.ts';
import { btc, testEngine, funded, ladder, placing, start } from './support.ts';

const traders = ['1', '2', '3'];

const step = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      uid: fc.constantFrom(...traders),
      side: fc.constantFrom('buy', 'sell'),
      isMarket: fc.integer({ min: 0, max: 7 }).map((chance) => chance === 0),
      ticks: fc.integer({ min: 995, max: 1005 }),
      lots: fc.integer({ min: 1, max: 12 }),
      force: fc.constantFrom('gtc', 'gtc', 'gtc', 'ioc', 'fok', 'post_only'),
      stpMode: fc.constantFrom('none', 'none', 'cancel_taker', 'cancel_maker', 'cancel_both'),
    }),
  },
  { weight: 1, arbitrary: fc.record({ cancel: fc.integer({ min: 1, max: 60 }) }) },
);

test('fills, cancellations and the book equal those of the naive matcher', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 80, size: 'max' }), (steps) => {
      const engine = rich();
      const naive = new NaiveBook();
      for (const next of steps) {
        naive.log.length = 0;
        const events: string[] = [];
        if ('cancel' in next) {
          naive.cancel(next.cancel);
          events.push(
            ...linesOf(engine.apply({ kind: 'cancel', orderId: idOf(next.cancel) }, start)),
          );
        } else {
          const { isMarket, ticks, lots, force, side, ...order } = next;
          const isBuy = side === 'buy';
          const applied = engine.apply(
            placing(order.uid, {
              ...order,
              side,
              force,
              orderType: isMarket ? 'market' : 'limit',
              price: (ticks / 10).toFixed(1),
              size: (lots / 1000).toFixed(3),
            }),
            start,
          );
          if (applied.reply.kind === 'refused') {
            expect(applied.reply.code).toBe('22045');
            continue;
          }
          const id = Number(applied.reply.data.orderId?.slice(2));
          const limit = isMarket ? (isBuy ? Infinity : 0) : ticks;
          naive.place({
            ...order,
            id,
            isBuy,
            limit,
            owner: order.uid,
            force: isMarket ? 'ioc' : force,
            left: lots,
          });
          events.push(...linesOf(applied));
        }
        expect(events).toEqual(naive.log);
        expect(booked(engine)).toEqual(naive.orders());
      }
    }),
    { numRuns: 400 },
  );
});

/** Accounts with more money than they can lose, and prices with no limits. */
function rich(): Engine {
  const engine = createEngine();
  const instrument = { ...btc, notionalMin: '0' };
  engine.apply({ kind: 'list-instrument', instrument, price: '100' }, start);
  for (const uid of traders) {
    engine.apply({ kind: 'open-account', uid, accountKind: 'main' }, start);
    const money = { uid, walletType: 'USDT-FUTURES', coin: 'USDT', amount: '1000000' } as const;
    engine.apply({ kind: 'credit', ...money }, start);
  }
  return engine;
}

function idOf(count: number): string {
  return `13${String(count).padStart(17, '0')}`;
}

/** Fills and ends of orders in the words of the naive book. */
function linesOf({ events }: { readonly events: readonly EngineEvent[] }): string[] {
  const lines: string[] = [];
  for (const event of events) {
    if (event.kind === 'trade') {
      const { takerOrderId, makerOrderId, size, price } = event;
      const lots = Math.round(Number(size) * 1000);
      const ticks = Math.round(Number(price) * 10);
      lines.push(`${countOf(takerOrderId)} takes ${lots} of ${countOf(makerOrderId)} at ${ticks}`);
    } else if (event.kind === 'order-closed' && event.reason !== 'filled') {
      lines.push(`${countOf(event.orderId)} ends`);
    }
  }
  return lines;
}

function countOf(orderId: string): number {
  return Number(orderId.slice(2));
}

/** Every resting order in the order of its turn, as the snapshot has them. */
function booked(engine: Engine): string[] {
  const [market] = engine.snapshot().state.markets;
  return [...(market?.bids ?? []), ...(market?.asks ?? [])].map((count) => {
    const order = engine.order(idOf(count));
    const left = Number(order?.qty) - Number(order?.cumExecQty);
    return `${count}: ${Math.round(left * 1000)} at ${Math.round(Number(order?.price) * 10)}`;
  });
}

describe('the price levels', () => {
  test('stay sorted through any insertions and removals', () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 1, max: 3_000 }), { maxLength: 2_000, size: 'max' }),
        (prices) => {
          const levels = new Levels<object>();
          const expected = new Set<number>();
          for (const ticks of prices) {
            if (expected.delete(ticks)) levels.remove(levels.at(ticks));
            else {
              levels.at(ticks);
              expected.add(ticks);
            }
          }
          const sorted = [...expected].sort((a, b) => a - b);
          expect([...levels.upwards()].map(({ ticks }) => ticks)).toEqual(sorted);
          expect([...levels.downwards()].map(({ ticks }) => ticks)).toEqual(sorted.toReversed());
          expect(levels.lowest?.ticks).toBe(sorted[0]);
          expect(levels.highest?.ticks).toBe(sorted.at(-1));
        },
      ),
      { numRuns: 50 },
    );
  });
});

describe('an order', () => {
  test('rests behind older ones at its price and takes the best price first', () => {
    const d = testEngine();
    for (const uid of ['1', '2', '3']) funded(d, uid);
    d.place('1', { side: 'sell', price: '101', size: '1' });
    d.place('2', { side: 'sell', price: '101', size: '2' });
    d.place('1', { side: 'sell', price: '100.5', size: '1' });
    expect(ladder(d)).toMatchInlineSnapshot(`
      "ask 101.0  3.000
      ask 100.5  1.000
      ---"
    `);
    d.place('3', { price: '101', size: '2.5' });
    expect(d.closed('1').map(({ avgPrice }) => avgPrice)).toEqual(['100.5', '101']);
    expect(d.open('2').map(({ cumExecQty, status }) => [cumExecQty, status])).toEqual([
      ['0.500', 'partially_filled'],
    ]);
    expect(d.closed('3')[0]).toMatchObject({ avgPrice: '100.8', cumExecValue: '252' });
  });

  test('with post_only is accepted, then canceled, when it would take', () => {
    const d = testEngine();
    funded(d, '1');
    funded(d, '2');
    d.place('1', { side: 'sell', size: '1' });
    const { orderId } = d.place('2', { size: '1', force: 'post_only' });
    expect(d.engine.order(orderId ?? '')).toMatchObject({
      status: 'cancelled',
      closeReason: 'post_only_fill_cancel',
      cumExecQty: '0.000',
    });
  });

  test('with fok does not count orders that vanish while it is filled', () => {
    const d = testEngine();
    for (const uid of ['1', '2', '3']) funded(d, uid);
    d.place('1', { size: '10' });
    d.place('2', { side: 'sell', size: '10' });
    d.place('1', { side: 'sell', price: '101', size: '10', reduceOnly: 'YES' });
    d.place('1', { side: 'sell', price: '100.5', size: '5' });
    const before = ladder(d);
    d.place('3', { price: '101', size: '15', force: 'fok' }); // five leave no room for the ten
    expect(ladder(d)).toBe(before);
    d.place('3', { price: '101', size: '5', force: 'fok' });
    expect(ladder(d)).toBe('---');
  });

  test('with fok leaves the book unchanged when it is too large', () => {
    const d = testEngine();
    funded(d, '1');
    funded(d, '2');
    d.place('1', { side: 'sell', size: '1' });
    const before = ladder(d);
    d.place('2', { size: '1.001', force: 'fok' });
    expect(ladder(d)).toBe(before);
    d.place('2', { size: '1', force: 'fok' });
    expect(ladder(d)).toBe('---');
  });
});
