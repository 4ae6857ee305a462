/** The public trades of one market, oldest first; only so many are kept. */
import type { Millis } from '../../../base/clock.ts';

export interface Trade {
  readonly count: number;
  /** From 1 on each market. */
  readonly sequence: number;
  readonly ticks: number;
  readonly lots: number;
  /** The taker's side. */
  readonly isBuy: boolean;
  readonly at: Millis;
}

const tradesKept = 20_000; // of one market; twenty full pages

export class Tape {
  private kept: Trade[] = [];
  private made = 0;

  get sequence(): number {
    return this.made;
  }

  print({ count, ticks, lots, isBuy, at }: Omit<Trade, 'sequence'>): void {
    this.made++;
    this.kept.push({ count, sequence: this.made, ticks, lots, isBuy, at });
    if (this.kept.length >= 2 * tradesKept) this.kept = this.kept.slice(-tradesKept);
  }

  /** Newest first, from below a running number. */
  *newest(below = Infinity): Generator<Trade, void, undefined> {
    for (let at = this.kept.length - 1; at >= 0; at--) {
      const trade = this.kept[at];
      if (trade !== undefined && trade.count < below) yield trade;
    }
  }

  all(): readonly Trade[] {
    return this.kept;
  }

  restore(trades: readonly Trade[], sequence: number): void {
    this.kept = [...trades];
    this.made = sequence;
  }
}
