/** One symbol's resting orders, best price first, oldest first within a price. */
import { joinQueue, leaveQueue, type BookOrder, type Level } from './level.ts';
import { Levels } from './levels.ts';

export class Book<T extends BookOrder<T>> {
  private readonly bids = new Levels<T>();
  private readonly asks = new Levels<T>();

  get bestBid(): Level<T> | undefined {
    return this.bids.highest;
  }

  get bestAsk(): Level<T> | undefined {
    return this.asks.lowest;
  }

  /** The best price that an order of a side could trade at. */
  bestAgainst(isBuy: boolean): Level<T> | undefined {
    return isBuy ? this.asks.lowest : this.bids.highest;
  }

  /** Whether an order at this limit would execute immediately. */
  wouldTrade(isBuy: boolean, limit: number): boolean {
    const best = this.bestAgainst(isBuy);
    return best !== undefined && isWithin(isBuy, { limit, ticks: best.ticks });
  }

  /** Adds an order behind the others at its price. */
  rest(order: T): void {
    joinQueue((order.isBuy ? this.bids : this.asks).at(order.ticks), order);
  }

  /** Removes a resting order. */
  remove(order: T): void {
    const { level } = order;
    if (level === undefined) return;
    leaveQueue(level, order);
    if (level.first === undefined) (order.isBuy ? this.bids : this.asks).remove(level);
  }

  /** Executes lots of a resting order; it is removed when nothing remains. */
  execute(order: T, lots: number): void {
    order.remaining -= lots;
    if (order.level !== undefined) order.level.lots -= lots;
    if (order.remaining === 0) this.remove(order);
  }

  /** The next best price after a price that an order of a side could execute at. */
  behind(isBuy: boolean, { ticks }: Level<T>): Level<T> | undefined {
    return isBuy ? this.asks.above(ticks) : this.bids.below(ticks);
  }

  bidLevels(): Generator<Level<T>, void, undefined> {
    return this.bids.downwards();
  }

  askLevels(): Generator<Level<T>, void, undefined> {
    return this.asks.upwards();
  }
}

/** Whether a price is as good as a limit, or better. */
export function isWithin(
  isBuy: boolean,
  { limit, ticks }: { readonly limit: number; readonly ticks: number },
): boolean {
  return isBuy ? ticks <= limit : ticks >= limit;
}
