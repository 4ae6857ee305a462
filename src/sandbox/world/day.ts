/** What a market did in the last 24 hours, summed up hour by hour so that asking again is cheap. */
import { day, hour, type Millis } from '../../base/clock.ts';
import { joined, type SumsOf, type TradeSums } from './sums.ts';

/** Keeps whole past hours; trades in them no longer change. */
export function lastDayOf(sums: SumsOf): (now: Millis) => TradeSums | undefined {
  const hours = new Map<number, TradeSums | undefined>();

  return (now) => {
    const from = now - day + 1;
    const firstWhole = Math.ceil(from / hour);
    const lastWhole = Math.floor(now / hour) - 1;
    let total = sums({ from, to: firstWhole * hour - 1 });
    for (let index = firstWhole; index <= lastWhole; index++)
      total = joined(total, wholeHour(index));
    for (const index of hours.keys()) if (index < firstWhole) hours.delete(index);
    return joined(total, sums({ from: (lastWhole + 1) * hour, to: now }));
  };

  function wholeHour(index: number): TradeSums | undefined {
    if (!hours.has(index)) {
      hours.set(index, sums({ from: index * hour, to: (index + 1) * hour - 1 }));
    }
    return hours.get(index);
  }
}
