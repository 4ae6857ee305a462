/** Take-profits and stop-losses of one market, sorted by their trigger price. */
import type { Position } from './holding.ts';
import type { Presets, TriggerPrice } from './order.ts';

/**
 * A take-profit or stop order that protects the lots one order opened; the first of its prices to
 * be reached fires.
 */
export interface TriggerOrder {
  readonly count: number;
  /** The running number of the order that created the trigger order. */
  readonly orderCount: number;
  readonly position: Position;
  readonly presets: Presets;
  lots: number;
}

/** A trigger order whose price was reached. */
export interface Fired {
  readonly guard: TriggerOrder;
  readonly price: TriggerPrice;
}

interface Waiting extends Fired {
  readonly at: number;
}

export class Triggers {
  /** Trigger orders that fire at or above their price, lowest first. */
  private readonly rising: Waiting[] = [];
  /** Trigger orders that fire at or below their price, highest first. */
  private readonly falling: Waiting[] = [];

  add(guard: TriggerOrder): void {
    for (const [row, price] of this.rowsOf(guard)) {
      const waiting = { guard, price, at: price.at };
      row.splice(this.placeIn(row, price.at), 0, waiting);
    }
    guard.position.addGuard(guard);
  }

  remove(guard: TriggerOrder): void {
    for (const [row, price] of this.rowsOf(guard)) {
      let place = this.placeIn(row, price.at) - 1;
      while (place >= 0 && row[place]?.guard !== guard) place--;
      if (place >= 0) row.splice(place, 1);
    }
    guard.position.removeGuard(guard);
  }

  /**
   * The next trigger order that a mark price fires; it stays until it is removed.
   * @param isReady whether it may fire now: one that may not does not block others
   */
  fired(mark: number, isReady: (fired: Fired) => boolean): Fired | undefined {
    for (const waiting of this.rising) {
      if (waiting.at > mark) break;
      if (isReady(waiting)) return waiting;
    }
    for (const waiting of this.falling) {
      if (waiting.at < mark) break;
      if (isReady(waiting)) return waiting;
    }
    return undefined;
  }

  private rowsOf({ position, presets }: TriggerOrder): [Waiting[], TriggerPrice][] {
    const { takeProfit, stopLoss } = presets;
    const [profitRow, lossRow] = position.isLong
      ? [this.rising, this.falling]
      : [this.falling, this.rising];
    const rows: [Waiting[], TriggerPrice][] = [];
    if (takeProfit !== undefined) rows.push([profitRow, takeProfit]);
    if (stopLoss !== undefined) rows.push([lossRow, stopLoss]);
    return rows;
  }

  /** The position in a row after everything that fires before a price or at it. */
  private placeIn(row: readonly Waiting[], at: number): number {
    const isAfter = (waiting: Waiting): boolean =>
      row === this.rising ? waiting.at > at : waiting.at < at;
    let low = 0;
    let high = row.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      const waiting = row[middle];
      if (waiting !== undefined && !isAfter(waiting)) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
