/** Price-time matching: best price first, oldest order first, and no self-trades. */
import type { SelfTradeMode } from '../instrument.ts';
import { isWithin, type Book } from './book.ts';
import type { BookOrder } from './level.ts';

export interface MatchOrder<T> extends BookOrder<T> {
  readonly owner: object;
  readonly stpMode: SelfTradeMode;
}

export interface Taking<T extends BookOrder<T>> {
  readonly book: Book<T>;
  readonly taker: T;
  /** The order's worst acceptable price; ±Infinity for a market order. */
  readonly limit: number;
}

export interface Filled<T> {
  readonly taker: T;
  readonly maker: T;
  readonly lots: number;
  readonly ticks: number;
}

/** The effects of a match, for any kind of market. */
export interface MatchRules<T, World> {
  /** Applies a fill; called after both orders were reduced. */
  readonly filled: (world: World, fill: Filled<T>) => void;
  /** Removes the taker's own resting order from the book, as its self-trade mode requires. */
  readonly cancelMaker: (world: World, maker: T) => void;
}

/**
 * Executes an order against the book until its limit, its size or its self-trade mode ends it.
 * @returns whether it ended because it met an order of the same account
 */
export function match<T extends MatchOrder<T>, World>(
  world: World,
  { book, taker, limit }: Taking<T>,
  rules: MatchRules<T, World>,
): boolean {
  const { isBuy, owner, stpMode } = taker;
  while (taker.remaining > 0) {
    const level = book.bestAgainst(isBuy);
    const maker = level?.first;
    if (level === undefined || maker === undefined) return false;
    const { ticks } = level;
    if (!isWithin(isBuy, { limit, ticks })) return false;
    if (stpMode !== 'none' && maker.owner === owner) {
      if (stpMode !== 'cancel_taker') rules.cancelMaker(world, maker);
      if (stpMode !== 'cancel_maker') return true;
    } else {
      const lots = Math.min(taker.remaining, maker.remaining);
      taker.remaining -= lots;
      book.execute(maker, lots);
      rules.filled(world, { taker, maker, lots, ticks });
    }
  }
  return false;
}

/**
 * Reads which resting orders an order would execute against now, without effect.
 * @param visit called with each resting order it would meet, until it returns that it is done
 */
export function preview<T extends MatchOrder<T>>(
  { book, taker, limit }: Taking<T>,
  visit: (maker: T, ticks: number) => boolean,
): void {
  const { isBuy, owner, stpMode } = taker;
  let level = book.bestAgainst(isBuy);
  while (level !== undefined && isWithin(isBuy, { limit, ticks: level.ticks })) {
    for (let maker = level.first; maker !== undefined; maker = maker.behind) {
      const isOwn = stpMode !== 'none' && maker.owner === owner;
      if (isOwn && stpMode !== 'cancel_maker') return;
      if (!isOwn && visit(maker, level.ticks)) return;
    }
    level = book.behind(isBuy, level);
  }
}
