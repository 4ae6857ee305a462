/** What a market did in the last 24 hours, summed up hour by hour so that asking again is cheap. */
import { day, hour, type Millis } from '../../base/clock.ts';
import type { PublicTrade } from './tape.ts';

export interface DayStatistics {
  readonly highTicks: number;
  readonly lowTicks: number;
  readonly lots: number;
  /** Sum of price times size, in ticks times lots. */
  readonly turnover: number;
}

type Between = (span: { readonly from: Millis; readonly to: Millis }) => Iterable<PublicTrade>;

/** Keeps whole past hours; trades in them no longer change. */
export function dayStatistics(between: Between): (now: Millis) => DayStatistics | undefined {
  const hours = new Map<number, DayStatistics | undefined>();

  return (now) => {
    const from = now - day + 1;
    const firstWhole = Math.ceil(from / hour);
    const lastWhole = Math.floor(now / hour) - 1;
    const parts = [sum(between({ from, to: firstWhole * hour - 1 }))];
    for (let index = firstWhole; index <= lastWhole; index++) parts.push(wholeHour(index));
    parts.push(sum(between({ from: (lastWhole + 1) * hour, to: now })));
    for (const index of hours.keys()) if (index < firstWhole) hours.delete(index);
    return parts.reduce(joined, undefined);
  };

  function wholeHour(index: number): DayStatistics | undefined {
    if (!hours.has(index)) {
      hours.set(index, sum(between({ from: index * hour, to: (index + 1) * hour - 1 })));
    }
    return hours.get(index);
  }
}

function sum(trades: Iterable<PublicTrade>): DayStatistics | undefined {
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

function joined(
  a: DayStatistics | undefined,
  b: DayStatistics | undefined,
): DayStatistics | undefined {
  if (a === undefined || b === undefined) return a ?? b;
  return {
    highTicks: Math.max(a.highTicks, b.highTicks),
    lowTicks: Math.min(a.lowTicks, b.lowTicks),
    lots: a.lots + b.lots,
    turnover: a.turnover + b.turnover,
  };
}
