/** Counts what happened on each day. Where days begin is asked for: it depends on the zone of the reader. */
import { integer, list, record, text, type Infer } from '../../../exchange/api/schema.ts';
import type { Millis } from '../../../base/clock.ts';
import { moment } from '../shapes.ts';
import type { Happened } from './item.ts';

export const historyDay = record({
  at: moment('Its beginning'),
  states: list(record({ state: text(), n: integer({ minimum: 1 }) })),
});

type HistoryDay = Infer<typeof historyDay>;

/**
 * The days that are not empty.
 * @param bounds the beginning of each day and the end of the last one, in order
 * @param timesIn counts the occurrences of a schedule from a time to another, both included
 */
export function daysOf(
  all: readonly Omit<Happened, 'item'>[],
  bounds: readonly Millis[],
  timesIn: (from: Millis, to: Millis) => number = () => 1,
): readonly HistoryDay[] {
  const days = bounds.slice(0, -1).map((at) => ({ at, counts: new Map<string, number>() }));
  const end = bounds.at(-1) ?? 0;
  for (const { at, until = at, state } of all) {
    if (at >= end) continue;
    for (let day = dayOf(until, bounds); day >= 0; day--) {
      const [from = 0, to = 0] = [bounds[day], bounds[day + 1]];
      const times = until === at ? 1 : timesIn(Math.max(at, from), Math.min(until, to - 1));
      const counts = days[day]?.counts;
      counts?.set(state, (counts.get(state) ?? 0) + Math.max(1, times));
      if (at >= from) break; // it began on this day
    }
  }
  return days.flatMap(({ at, counts }) => {
    const states = [...counts].map(([state, n]) => ({ state, n }));
    return states.length === 0 ? [] : [{ at, states }];
  });
}

/** The number of the day of a time, at most the last one; -1 before the first. */
function dayOf(at: Millis, bounds: readonly Millis[]): number {
  let [low, high] = [-1, bounds.length - 2];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if ((bounds[middle] ?? 0) <= at) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** What happened between two times, of which the second is excluded. */
export function within(all: readonly Happened[], from: Millis, to: Millis): readonly Happened[] {
  return all.filter(({ at, until = at }) => until >= from && at < to);
}
