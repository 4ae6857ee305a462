/** Who matches for us: our book alone, and the whole engine with accounts and money. */
import { Book } from '../../src/sandbox/engine/book/book.ts';
import type { Level } from '../../src/sandbox/engine/book/level.ts';
import { match, type MatchOrder } from '../../src/sandbox/engine/book/match.ts';
import type { Command } from '../../src/sandbox/engine/command.ts';
import { createEngine } from '../../src/sandbox/engine/create.ts';
import { btc, start } from '../../test/sandbox/engine/support.ts';
import type { Operation } from './mixes.ts';
import type { Rival } from './rival.ts';

/** An order with what the book needs, and nothing else. */
class BareOrder implements MatchOrder<BareOrder> {
  readonly owner = BareOrder;
  readonly stpMode = 'none';
  readonly isBuy: boolean;
  readonly ticks: number;
  remaining: number;
  level: Level<BareOrder> | undefined = undefined;
  ahead: BareOrder | undefined = undefined;
  behind: BareOrder | undefined = undefined;

  constructor(isBuy: boolean, ticks: number, lots: number) {
    this.isBuy = isBuy;
    this.ticks = ticks;
    this.remaining = lots;
  }
}

/** Our book without accounts, money or rules: what the peer is, too. */
export const bookAlone: Rival = (operations) => {
  const book = new Book<BareOrder>();
  const orders = new Map<number, BareOrder>();
  let numbered = 0;
  const rules = { filled: () => undefined, cancelMaker: () => undefined };
  const place = (side: 'buy' | 'sell', lots: number, ticks?: number): void => {
    const order = new BareOrder(side === 'buy', ticks ?? 0, lots);
    const limit = ticks ?? (order.isBuy ? Infinity : 0);
    match(undefined, { book, taker: order, limit }, rules);
    orders.set(++numbered, order);
    if (ticks !== undefined && order.remaining > 0) book.rest(order);
  };
  return {
    run: () => {
      for (const operation of operations) {
        if (operation.kind === 'limit') place(operation.side, operation.lots, operation.ticks);
        else if (operation.kind === 'market') place(operation.side, operation.lots);
        else {
          const order = orders.get(operation.order);
          if (order !== undefined) book.remove(order);
        }
      }
    },
    depth: () => JSON.stringify([book.askLevels(), book.bidLevels()].map(levelsOf)),
  };
};

function levelsOf(levels: Iterable<Level<BareOrder>>): [number, number][] {
  return [...levels].map(({ ticks, lots }) => [ticks, lots]);
}

const perAccount = 380; // below the exchange's limit of open orders

/** Every rule, and every fill in the ledger. */
export const engine: Rival = (operations) => {
  const exchange = createEngine();
  const instrument = { ...btc, priceScale: 0, sizeScale: 0, sizeMin: '1', sizeMax: '1000000' };
  const apply = (command: Command) => exchange.apply(command, start);
  apply({
    kind: 'list-instrument',
    instrument: { ...instrument, notionalMin: '0' },
    price: '5000',
  });
  const orders = operations.filter(({ kind }) => kind !== 'cancel').length;
  const accounts = Math.ceil(orders / perAccount) + 1;
  const uids = Array.from({ length: accounts }, (_, place) => String(place));
  for (const uid of uids) {
    apply({ kind: 'open-account', uid, accountKind: 'main' });
    const money = { walletType: 'USDT-FUTURES', coin: 'USDT', amount: '1000000000000' } as const;
    apply({ kind: 'credit', uid, ...money });
  }
  let at = 0;
  const commands = operations.map((operation): Command => {
    if (operation.kind === 'cancel') {
      return { kind: 'cancel', orderId: whole(`13${String(operation.order).padStart(17, '0')}`) };
    }
    return place(operation, uids[at++ % accounts] ?? '');
  });
  return {
    run: () => {
      for (const command of commands) apply(command);
    },
    depth: () => {
      const { asks, bids } = exchange.depth('USDT-FUTURES', 'BTCUSDT', Infinity);
      const pairs = [asks, bids].map((levels) =>
        levels.map(({ price, size }) => [Number(price), Number(size)]),
      );
      return JSON.stringify(pairs);
    },
  };
};

/** A text in one piece, as it comes from a wire: joined texts stay in parts until they are read. */
function whole(text: string): string {
  return Buffer.from(text).toString();
}

function place(operation: Exclude<Operation, { kind: 'cancel' }>, uid: string): Command {
  const { kind: orderType, side, lots } = operation;
  const size = String(lots);
  const market = { category: 'USDT-FUTURES', symbol: 'BTCUSDT' } as const;
  if (orderType === 'market') return { kind: 'place', ...market, uid, side, orderType, size };
  const price = String(operation.ticks);
  return { kind: 'place', ...market, uid, side, orderType, size, price };
}
