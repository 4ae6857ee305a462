/** The decks of `npm test`: no file of tests is lost in them. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { deckOf, seconds, turnOf } from './support/decks.ts';

const day = 24 * 3_600_000;

test('every file that takes long is in the deck of one day of a round, and in no other', () => {
  const { of } = deckOf(0);
  const times = new Map<string, number>();
  for (let at = 0; at < of; at++) {
    const others = new Set(deckOf(at * day + 5).others);
    for (const file of seconds.keys()) {
      if (!others.has(file)) times.set(file, (times.get(file) ?? 0) + 1);
    }
  }
  expect([...seconds.keys()].filter((file) => times.get(file) !== 1)).toEqual([]);
});

test('decks are about as long as each other, unless a single file is longer', () => {
  const files = new Map(Array.from({ length: 60 }, (_, at) => [`${at}.test.ts`, 1 + (at % 7)]));
  const lengths = Array.from({ length: deckOf(0, files).of }, (_, at) => {
    const others = new Set(deckOf(at * day, files).others);
    return [...files].reduce((sum, [file, length]) => sum + (others.has(file) ? 0 : length), 0);
  });
  expect(Math.max(...lengths) - Math.min(...lengths)).toBeLessThanOrEqual(7);
});

test('every file in the list exists', () => {
  const root = join(import.meta.dirname, '..');
  expect([...seconds.keys()].filter((file) => !existsSync(join(root, file)))).toEqual([]);
});

test('every file that takes long has one turn, and another text than a turn is an error', () => {
  const turns = ['1/6', '2/6', '3/6', '4/6', '5/6', '6/6'].flatMap((turn) => turnOf(turn));
  expect(turns.toSorted()).toEqual([...seconds.keys()].toSorted());
  for (const text of ['7/6', '0/6', '1', 'all', '']) {
    expect(() => turnOf(text)).toThrow(/TEST_TURN must be a turn such as 2\/6/);
  }
});
