/** Random numbers from a seed: the same on every machine. */
import { seededRandom, type Random } from '../../base/random.ts';

export interface Chance extends Random {
  /** An integer from `low` to `high`, inclusive. */
  between(low: number, high: number): number;
  /** Returns true with the given probability. */
  happens(probability: number): boolean;
  pick<T>(items: readonly T[]): T;
  /** Selects each item with the given probability, in order. */
  some<T>(items: readonly T[], probability: number): T[];
}

export function chanceOf(seed: number): Chance {
  const random = seededRandom(seed * 2_654_435_761);
  const between = (low: number, high: number): number => low + random.integer(high - low + 1);
  return {
    ...random,
    between,
    happens: (probability) => random.next() < probability,
    pick: (items) => {
      const item = items[between(0, items.length - 1)];
      if (item === undefined) throw new RangeError('nothing to pick from');
      return item;
    },
    some: (items, probability) => items.filter(() => random.next() < probability),
  };
}
