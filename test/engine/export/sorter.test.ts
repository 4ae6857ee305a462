import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { realDisk } from '../../../src/engine/export/disk.ts';
import { compareKeys, sortKeyOf } from '../../../src/engine/export/row-sort.ts';
import type { Row } from '../../../src/exchange/api/listing.ts';
import { sorter } from '../../../src/engine/export/sorter.ts';

let folder: string;
let runs = 0;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'deskhand-sorter-'));
});
afterEach(() => rm(folder, { recursive: true }));

async function sortedRows(rows: readonly Row[], columns: string[], heldMax: number) {
  const made = sorter({
    columns,
    bufferMax: heldMax,
    makeRun: () => realDisk.create(join(folder, String(runs++))),
  });
  for (const [index, row] of rows.entries()) await made.add({ row, number: index + 1 });
  const sorted: Row[] = [];
  for await (const { row } of made.sorted()) sorted.push(row);
  await made.close();
  return sorted;
}

const field = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 4 }),
  fc.integer({ min: -20, max: 20 }).map(String),
  fc.constantFrom('0.1', '0.10', '-0.5', '', '\n', '\u2028', '{"a":1}'),
);

test('sorted runs on the disk give the same order as one sort in memory', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.record({ a: field, b: field }), { maxLength: 60 }),
      fc.integer({ min: 1, max: 200 }),
      async (rows, heldMax) => {
        const numbered = rows.map((row, index) => ({ ...row, index }));
        const expected = numbered.toSorted(
          (a, b) =>
            compareKeys(sortKeyOf(a, ['a', 'b']), sortKeyOf(b, ['a', 'b'])) || a.index - b.index,
        );
        expect(await sortedRows(numbered, ['a', 'b'], heldMax)).toEqual(expected);
      },
    ),
    { numRuns: 60 },
  );
});

test('more runs than can be merged at once are merged in stages', async () => {
  const rows = Array.from({ length: 150 }, (_, index) => ({ n: String((index * 37) % 150) }));
  const sorted = await sortedRows(rows, ['n'], 1); // every row is a separate run
  expect(sorted.map(({ n }) => Number(n))).toEqual(Array.from({ length: 150 }, (_, n) => n));
});

test('rows longer than one read buffer are complete', async () => {
  const rowOf = (n: string) => ({ n, text: `${n}–`.repeat(50_000) });
  const sorted = await sortedRows(['c', 'a', 'b'].map(rowOf), ['n'], 1);
  expect(JSON.stringify(sorted) === JSON.stringify(['a', 'b', 'c'].map(rowOf))).toBe(true);
});

test('the order is transitive', () => {
  const triple = fc.tuple(field, field, field);
  fc.assert(
    fc.property(triple, (texts) => {
      const keys = texts.map((a) => sortKeyOf({ a }, ['a'])).toSorted(compareKeys);
      const [first, second, third] = keys;
      if (!first || !second || !third) throw new Error('three keys');
      expect(compareKeys(first, second)).toBeLessThanOrEqual(0);
      expect(compareKeys(second, third)).toBeLessThanOrEqual(0);
      expect(compareKeys(first, third)).toBeLessThanOrEqual(0);
    }),
  );
});
