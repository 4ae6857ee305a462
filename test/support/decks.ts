/** Files of tests that take long, dealt into decks: `npm test` runs one deck a day, `.ci/run` a larger one by the commit. */
import durations from './durations.json' with { type: 'json' };

/** The deck of a day. */
export interface Deck {
  /** From 1. */
  readonly number: number;
  readonly of: number;
  /** Files that are in other decks. */
  readonly others: readonly string[];
}

const aim = 40; // seconds of a deck
const day = 24 * 3_600_000;

/** How long files of tests take that need at least a second, in seconds, as last measured. */
export const seconds: ReadonlyMap<string, number> = new Map(Object.entries(durations));

/** @param time any moment of the day, in milliseconds since 1970 */
export function deckOf(time: number, from: ReadonlyMap<string, number> = seconds): Deck {
  const total = [...from.values()].reduce((sum, each) => sum + each, 0);
  const decks = dealt(from, Math.max(1, Math.ceil(total / aim)));
  const place = Math.floor(time / day) % decks.length;
  const others = decks.flatMap((files, at) => (at === place ? [] : files));
  return { number: place + 1, of: decks.length, others };
}

/**
 * The files of one of some decks, such as `2/6`.
 * @throws Error for another text
 */
export function turnOf(
  named: string,
  from: ReadonlyMap<string, number> = seconds,
): readonly string[] {
  const [, number = 0, of = 0] = (/^([1-9]\d*)\/(\d+)$/.exec(named) ?? []).map(Number);
  const files = number > 0 && number <= of ? dealt(from, of)[number - 1] : undefined;
  if (files === undefined) throw new Error(`TEST_TURN must be a turn such as 2/6, not ${named}`);
  return files;
}

/** Decks of about the same length: the longest file first, each into the deck that is shortest then. */
function dealt(from: ReadonlyMap<string, number>, count: number): readonly (readonly string[])[] {
  const decks = Array.from({ length: count }, () => ({
    files: [] as string[],
    length: 0,
  }));
  for (const [file, length] of [...from].toSorted((a, b) => b[1] - a[1])) {
    const shortest = decks.reduce((least, deck) => (deck.length < least.length ? deck : least));
    shortest.files.push(file);
    shortest.length += length;
  }
  return decks.map(({ files }) => files);
}
