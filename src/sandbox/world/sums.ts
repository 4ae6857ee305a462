/** Totals of trades: of a range, and joined from several. */
import type { TimeRange, TradeSums } from '../engine/view.ts';

/** Sums of the trades of a range; undefined without trades. */
export type SumsOf = (span: TimeRange) => TradeSums | undefined;

export function joined(a: TradeSums | undefined, b: TradeSums | undefined): TradeSums | undefined {
  if (a === undefined || b === undefined) return a ?? b;
  return {
    highTicks: Math.max(a.highTicks, b.highTicks),
    lowTicks: Math.min(a.lowTicks, b.lowTicks),
    lots: a.lots + b.lots,
    turnover: a.turnover + b.turnover,
  };
}
