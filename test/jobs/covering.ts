/** A pairwise covering array: every two values of two features occur together in some job. */
import { seededRandom, type Random } from '../../src/base/random.ts';
import { featureNames, features, isExcluded, type Choice, type Feature } from './features.ts';

const candidates = 20; // of each row; the one with the most new pairs is taken

/** A value of a feature, by its place among all values. */
interface Value {
  readonly feature: Feature;
  readonly value: string;
}

const values: readonly Value[] = featureNames.flatMap((feature) =>
  features[feature].map((value) => ({ feature, value })),
);

/** The places of the values of each feature. */
const placesOf: readonly (readonly number[])[] = featureNames.map((name) =>
  values.flatMap(({ feature }, place) => (feature === name ? [place] : [])),
);

/** Whether two values occur together in some job. */
const allowed: readonly (readonly boolean[])[] = values.map((one) =>
  values.map((other) => one.feature !== other.feature && !isExcluded(choiceOf([one, other]))),
);

/** How many pairs of values may occur together. */
export const pairsInAll = allowed.flat().filter(Boolean).length / 2;

/** How many pairs of values occur together in these choices. */
export function pairsIn(choices: readonly Choice[]): number {
  const open = new OpenPairs();
  return choices.reduce((sum, choice) => sum + open.close(placesIn(choice)), 0);
}

/** The same rows for the same seed. */
export function coveringChoices(seed: number): readonly Choice[] {
  const random = seededRandom(seed);
  const open = new OpenPairs();
  const rows: Choice[] = [];
  while (open.count > 0) {
    const made = Array.from({ length: candidates }, () => rowFor(open, random));
    const [best] = made
      .flatMap((row) => (row === undefined ? [] : [{ row, gain: open.gain(row) }]))
      .toSorted((a, b) => b.gain - a.gain);
    if (best === undefined || open.close(best.row) === 0) {
      throw new Error(`no job has ${JSON.stringify(open.first().map((place) => values[place]))}`);
    }
    rows.push(choiceOf(best.row.flatMap((place) => values[place] ?? [])) as Choice);
  }
  return rows;
}

/** Pairs of values that no row has yet. */
class OpenPairs {
  readonly #open = allowed.map((row) => row.map(Number));
  count = pairsInAll;

  has(one: number, other: number): boolean {
    return this.#open[one]?.[other] === 1;
  }

  gain(row: readonly number[]): number {
    return row.reduce((sum, one, at) => sum + this.gainOf(one, row.slice(at + 1)), 0);
  }

  gainOf(one: number, row: readonly number[]): number {
    return row.reduce((sum, other) => sum + (this.#open[one]?.[other] ?? 0), 0);
  }

  /** @returns how many of its pairs were open */
  close(row: readonly number[]): number {
    const gain = this.gain(row);
    for (const one of row) for (const other of row) this.#open[one]?.splice(other, 1, 0);
    this.count -= gain;
    return gain;
  }

  first(): readonly number[] {
    const one = this.#open.findIndex((row) => row.includes(1));
    return [one, this.#open[one]?.indexOf(1) ?? 0];
  }

  /** One of them by chance. */
  any(random: Random): readonly number[] {
    const rows = this.#open.flatMap((row, place) => (row.includes(1) ? [place] : []));
    const one = rows[random.integer(rows.length)] ?? 0;
    const others = values.flatMap((_, place) => (this.has(one, place) ? [place] : []));
    return [one, others[random.integer(others.length)] ?? 0];
  }
}

/** Begins with an open pair, and gives each further feature the value with the most open pairs. */
function rowFor(open: OpenPairs, random: Random): readonly number[] | undefined {
  const row = [...open.any(random)];
  const given = new Set(row.map((place) => values[place]?.feature));
  for (const places of shuffled(placesOf, random)) {
    if (given.has(values[places[0] ?? 0]?.feature)) continue;
    const [best] = shuffled(places, random)
      .filter((place) => row.every((other) => allowed[place]?.[other]))
      .map((place) => ({ place, gain: open.gainOf(place, row) }))
      .toSorted((a, b) => b.gain - a.gain);
    if (best === undefined) return undefined;
    row.push(best.place);
  }
  return row;
}

function choiceOf(row: readonly Value[]): Partial<Choice> {
  const order = new Map(row.map(({ feature, value }) => [feature, value]));
  return Object.fromEntries(
    featureNames.flatMap((name) => (order.has(name) ? [[name, order.get(name)]] : [])),
  );
}

function placesIn(choice: Choice): readonly number[] {
  return values.flatMap(({ feature, value }, place) => (choice[feature] === value ? [place] : []));
}

function shuffled<T>(all: readonly T[], random: Random): readonly T[] {
  const left = [...all];
  return all.flatMap(() => left.splice(random.integer(left.length), 1));
}
