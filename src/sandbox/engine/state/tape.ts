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

/** Kept in columns of numbers, made into trades only for readers. */
export class Tape {
  private counts: number[] = [];
  private ticks: number[] = [];
  /** Negative where the taker sold. */
  private lots: number[] = [];
  private times: Millis[] = [];
  private made = 0;

  get sequence(): number {
    return this.made;
  }

  print({ count, ticks, lots, isBuy, at }: Omit<Trade, 'sequence'>): void {
    this.made++;
    this.counts.push(count);
    this.ticks.push(ticks);
    this.lots.push(isBuy ? lots : -lots);
    this.times.push(at);
    if (this.counts.length >= 2 * tradesKept) this.forgetOld();
  }

  /** Newest first, from below a running number. */
  *newest(below = Infinity): Generator<Trade, void, undefined> {
    for (let place = this.counts.length - 1; place >= 0; place--) {
      const trade = this.tradeAt(place);
      if (trade.count < below) yield trade;
    }
  }

  all(): readonly Trade[] {
    return this.counts.map((_count, place) => this.tradeAt(place));
  }

  restore(trades: readonly Omit<Trade, 'sequence'>[], sequence: number): void {
    for (const trade of trades) this.print(trade);
    this.made = sequence;
  }

  private tradeAt(place: number): Trade {
    const lots = this.lots[place] ?? 0;
    return {
      count: this.counts[place] ?? 0,
      sequence: this.made - this.counts.length + 1 + place,
      ticks: this.ticks[place] ?? 0,
      lots: Math.abs(lots),
      isBuy: lots > 0,
      at: this.times[place] ?? 0,
    };
  }

  private forgetOld(): void {
    this.counts = this.counts.slice(-tradesKept);
    this.ticks = this.ticks.slice(-tradesKept);
    this.lots = this.lots.slice(-tradesKept);
    this.times = this.times.slice(-tradesKept);
  }
}
