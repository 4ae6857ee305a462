/** What some trades add up to. */
import type { Millis } from '../../base/clock.ts';

export interface TradeSums {
  readonly highTicks: number;
  readonly lowTicks: number;
  readonly lots: number;
  /** Sum of price times size, in ticks times lots. */
  readonly turnover: number;
}

/** Sums of the trades of a span, both ends in it; undefined when there were none. */
export type SumsOf = (span: {
  readonly from: Millis;
  readonly to: Millis;
}) => TradeSums | undefined;

export function sumUp(
  trades: Iterable<{ readonly ticks: number; readonly lots: number }>,
): TradeSums | undefined {
  let highTicks = 0;
  let lowTicks = Infinity;
  let lots = 0;
  let turnover = 0;
  for (const trade of trades) {
    highTicks = Math.max(highTicks, trade.ticks);
    lowTicks = Math.min(lowTicks, trade.ticks);
    lots += trade.lots;
    turnover += trade.ticks * trade.lots;
  }
  return lots === 0 ? undefined : { highTicks, lowTicks, lots, turnover };
}

export function joined(a: TradeSums | undefined, b: TradeSums | undefined): TradeSums | undefined {
  if (a === undefined || b === undefined) return a ?? b;
  return {
    highTicks: Math.max(a.highTicks, b.highTicks),
    lowTicks: Math.min(a.lowTicks, b.lowTicks),
    lots: a.lots + b.lots,
    turnover: a.turnover + b.turnover,
  };
}
