/** A public order book as a second oracle: the same orders give the same book and fills. */
import fc from 'fast-check';
import { createRequire } from 'node:module';
import type * as peer from 'nodejs-order-book';
import { expect, test } from 'vitest';
import type { EngineEvent } from '../../src/sandbox/engine/event.ts';
import { createEngine } from '../../src/sandbox/engine/create.ts';
import type { Engine } from '../../src/sandbox/engine/engine.ts';
import { btc, placing, start } from '../sandbox/engine/support.ts';

// It has no named exports under Node 20.
const { OrderBook, Side } = createRequire(import.meta.url)('nodejs-order-book') as typeof peer;

const traders = ['1', '2', '3'];

const place = fc.record({
  uid: fc.constantFrom(...traders),
  side: fc.constantFrom('buy', 'sell'),
  kind: fc.constantFrom('gtc', 'gtc', 'gtc', 'gtc', 'ioc', 'fok', 'market'),
  price: fc.integer({ min: 95, max: 105 }),
  size: fc.integer({ min: 1, max: 12 }),
});
const cancel = fc.record({ cancel: fc.integer({ min: 1, max: 120 }) });
const steps = fc.array(
  fc.oneof({ weight: 4, arbitrary: place }, { weight: 1, arbitrary: cancel }),
  { maxLength: 160, size: 'max' },
);

type Place = typeof place extends fc.Arbitrary<infer T> ? T : never;

// The peer has no accounts and uses floats: therefore whole numbers and no self-trade modes.
test('for any orders and cancellations, depth and fills equal those of nodejs-order-book', () => {
  fc.assert(
    fc.property(steps, (history) => {
      const ours = exchange();
      const theirs = new OrderBook();
      let accepted = 0;
      for (const step of history) {
        if ('cancel' in step) {
          ours.apply({ kind: 'cancel', orderId: idOf(step.cancel) }, start);
          theirs.cancel(String(step.cancel));
        } else {
          const { reply, events } = ours.apply(ourOrder(step), start);
          if (reply.kind === 'done') accepted++;
          const id = String(accepted);
          expect(fillLines(events)).toEqual(fillsOf(theirOrder(theirs, step, id), id));
        }
        expect(depthOf(ours)).toEqual(theirs.depth());
      }
    }),
    { numRuns: 300 },
  );
});

/** Whole-number prices and sizes, and accounts with enough money. */
function exchange(): Engine {
  const engine = createEngine();
  const instrument = { ...btc, priceScale: 0, sizeScale: 0, sizeMin: '1', notionalMin: '0' };
  engine.apply({ kind: 'list-instrument', instrument, price: '100' }, start);
  for (const uid of traders) {
    engine.apply({ kind: 'open-account', uid, accountKind: 'main' }, start);
    const money = { uid, walletType: 'USDT-FUTURES', coin: 'USDT', amount: '100000000' } as const;
    engine.apply({ kind: 'credit', ...money }, start);
  }
  return engine;
}

function ourOrder({ uid, side, kind, price, size }: Place) {
  const isMarket = kind === 'market';
  return placing(uid, {
    side,
    size: String(size),
    orderType: isMarket ? 'market' : 'limit',
    ...(!isMarket && { price: String(price), force: kind }),
  });
}

/** The peer also accepts orders that an empty book cannot fill; order numbers are ours. */
function theirOrder(book: peer.OrderBook, { kind, price, size, ...rest }: Place, id: string) {
  const side = rest.side === 'buy' ? Side.BUY : Side.SELL;
  if (kind === 'market') return book.market({ side, size });
  // The enum of these words is declared, and exported neither as a value nor as a type.
  const timeInForce = kind.toUpperCase() as NonNullable<peer.LimitOrderOptions['timeInForce']>;
  return book.limit({ id, side, price, size, timeInForce });
}

/** `3: 5 at 101` for every fill, by the resting order's number. */
function fillLines(events: readonly EngineEvent[]): string[] {
  return events.flatMap((event) =>
    event.kind === 'trade'
      ? [`${Number(event.makerOrderId.slice(2))}: ${event.size} at ${event.price}`]
      : [],
  );
}

/** The peer lists fully used orders, then the partly used one; its own order may be either. */
function fillsOf({ done, partial, partialQuantityProcessed }: peer.IProcessOrder, own: string) {
  const fills = done.flatMap((order) => ('price' in order ? [order] : []));
  if (partial !== null) {
    fills.push({ ...partial, size: partialQuantityProcessed });
  }
  return fills
    .filter(({ id }) => id !== own)
    .map(({ id, size, price }) => `${id}: ${size} at ${price}`);
}

/** Asks from the lowest, bids from the highest, as pairs of price and size. */
function depthOf(engine: Engine): [number, number][][] {
  const { asks, bids } = engine.depth('USDT-FUTURES', 'BTCUSDT', 100);
  return [asks, bids].map((levels) =>
    levels.map(({ price, size }): [number, number] => [Number(price), Number(size)]),
  );
}

function idOf(count: number): string {
  return `13${String(count).padStart(17, '0')}`;
}
