/** The public order book to compare with. */
import { createRequire } from 'node:module';
import type { Rival } from './rival.ts';

interface PeerBook {
  limit(order: object): unknown;
  market(order: object): unknown;
  cancel(id: string): unknown;
  depth(): [asks: [number, number][], bids: [number, number][]];
}

/** @throws when the peers are not installed */
export function peer(): Rival {
  const { OrderBook } = peerPackage();
  return (operations) => {
    const book = new OrderBook();
    let orders = 0;
    const calls = operations.map((operation) => {
      switch (operation.kind) {
        case 'limit': {
          const { side, lots, ticks } = operation;
          const order = { id: String(++orders), side, size: lots, price: ticks };
          return () => book.limit(order);
        }
        case 'market': {
          const order = { side: operation.side, size: operation.lots };
          orders++;
          return () => book.market(order);
        }
        case 'cancel': {
          const id = String(operation.order);
          return () => book.cancel(id);
        }
      }
    });
    return {
      run: () => {
        for (const call of calls) call();
      },
      depth: () => JSON.stringify(book.depth()),
    };
  };
}

function peerPackage(): { OrderBook: new () => PeerBook } {
  try {
    const resolve = createRequire(new URL('../../test/peers/package.json', import.meta.url));
    return resolve('nodejs-order-book');
  } catch (error) {
    throw new Error('nodejs-order-book is not there: run `npm ci --prefix test/peers`', {
      cause: error,
    });
  }
}
