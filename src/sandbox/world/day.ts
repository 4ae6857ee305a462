/** A market's last 24 hours, summed in cached parts so that repeated requests are cheap. */
import { day, minute, type Millis } from '../../base/clock.ts';
import type { TradeSums } from '../engine/view.ts';
import { joined, type SumsOf } from './sums.ts';

const part = 10 * minute; // shorter ones are more to join, longer ones more to sum at both ends

/**
 * Sums of a market's last 24 hours, with cached sums of complete past parts, whose trades no longer
 * change.
 */
export function lastDayOf(sums: SumsOf): (now: Millis) => TradeSums | undefined {
  const parts = new Map<number, TradeSums | undefined>();

  return (now) => {
    const from = now - day + 1;
    const firstWhole = Math.ceil(from / part);
    const lastWhole = Math.floor(now / part) - 1;
    let total = sums({ from, to: firstWhole * part - 1 });
    for (let index = firstWhole; index <= lastWhole; index++)
      total = joined(total, wholePart(index));
    for (const index of parts.keys()) if (index < firstWhole) parts.delete(index);
    return joined(total, sums({ from: (lastWhole + 1) * part, to: now }));
  };

  function wholePart(index: number): TradeSums | undefined {
    if (!parts.has(index)) {
      parts.set(index, sums({ from: index * part, to: (index + 1) * part - 1 }));
    }
    return parts.get(index);
  }
}
