/** The public trades of one market, oldest first, up to a maximum number. */
import type { Millis } from '../../../base/clock.ts';
import type { TimeRange, TradeSums } from '../view.ts';

export interface Trade {
  readonly count: number;
  /** Sequence number per market, from 1. */
  readonly sequence: number;
  readonly ticks: number;
  readonly lots: number;
  /** Whether the trade's taker bought. */
  readonly isBuy: boolean;
  readonly at: Millis;
}

const tradesKept = 20_000; // per market; twenty full pages

/** The trades of a market, stored in columns of numbers and converted to trades on demand. */
export class Tape {
  private counts: number[] = [];
  private ticks: number[] = [];
  /** Lots of each trade, negative if the taker sold. */
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

  /** Trades newest first, from below a running number, and none after a time. */
  *newest(below = Infinity, until: Millis = Infinity): Generator<Trade, void, undefined> {
    for (let place = this.placeAfter(until) - 1; place >= 0; place--) {
      const trade = this.tradeAt(place);
      if (trade.count < below) yield trade;
    }
  }

  /** The sums of the trades in a range; undefined without trades. */
  sums({ from, to }: TimeRange): TradeSums | undefined {
    let [highTicks, lowTicks, lots, turnover] = [0, Infinity, 0, 0];
    for (let place = this.placeAfter(to) - 1; (this.times[place] ?? -Infinity) >= from; place--) {
      const ticks = this.ticks[place] ?? 0;
      const size = Math.abs(this.lots[place] ?? 0);
      highTicks = Math.max(highTicks, ticks);
      lowTicks = Math.min(lowTicks, ticks);
      lots += size;
      turnover += ticks * size;
    }
    return lots === 0 ? undefined : { highTicks, lowTicks, lots, turnover };
  }

  all(): readonly Trade[] {
    return this.counts.map((_count, place) => this.tradeAt(place));
  }

  restore(trades: readonly Omit<Trade, 'sequence'>[], sequence: number): void {
    for (const trade of trades) this.print(trade);
    this.made = sequence;
  }

  /** The position of the first trade after a time, or one beyond the last trade. */
  private placeAfter(moment: Millis): number {
    let low = 0;
    let high = this.times.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.times[middle] ?? Infinity) <= moment) low = middle + 1;
      else high = middle;
    }
    return low;
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
