/** The names of runs that came and went are found beside a table of which few blocks are read. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { blocksOf, lineOf } from '../../../src/engine/journal/catalogue-blocks.ts';
import { nameHash } from '../../../src/engine/journal/block-summary.ts';
import { besideTable } from '../../../src/report/overview/beside-table.ts';
import { listedKind } from '../../../src/report/overview/listed.ts';
import { factOf, tableOf } from '../../support/listed-facts.ts';
import { startOfRuns } from '../../support/tape.ts';

/** Two names with one hash. */
const twins = ['plumless', 'buckeroo'] as const;

function lines(blocks: readonly (readonly string[])[]): readonly string[] {
  return blocks.map((runs) => {
    const facts = runs.map((run, at) => factOf(run, { startedAt: startOfRuns + at }));
    return blocksOf(listedKind, facts).join('');
  });
}

const many = Array.from({ length: 100 }, (_none, block) =>
  Array.from({ length: 50 }, (_each, at) => `r-${block * 50 + at}`),
);

test('beside a hundred blocks those of runs that went are read, and none for runs that came', () => {
  const table = tableOf(lines(many));
  const present = new Set([...many.flat(), 'r-new', 'r-newer']);
  expect(besideTable(table, present)).toEqual({ others: ['r-new', 'r-newer'], gone: [] });
  expect(table.blocksRead).toBe(0);
  for (const run of ['r-7', 'r-8', 'r-120']) present.delete(run);
  const { others, gone } = besideTable(table, present);
  expect([others, gone]).toEqual([
    ['r-new', 'r-newer'],
    ['r-7', 'r-8', 'r-120'],
  ]);
  expect(table.blocksRead).toBe(2);
});

test('names with one hash are told apart by their block', () => {
  expect(nameHash(twins[0])).toBe(nameHash(twins[1]));
  for (const own of twins) {
    const table = tableOf(
      lines([
        ['r-1', own],
        ['r-2', 'r-3'],
      ]),
    );
    const other = twins.filter((run) => run !== own);
    expect(besideTable(table, new Set(['r-1', 'r-2', 'r-3', ...twins]))).toEqual({
      others: other,
      gone: [],
    });
    expect(table.blocksRead).toBe(1);
  }
  const table = tableOf(
    lines([
      ['r-1', twins[0]],
      ['r-2', twins[1]],
    ]),
  );
  expect(besideTable(table, new Set(['r-1', 'r-2', twins[0]]))).toEqual({
    others: [],
    gone: [twins[1]],
  });
});

test('what came and went is that of a table that was read as a whole', () => {
  const name = fc.oneof(
    fc.nat({ max: 30 }).map((number) => `r-${number}`),
    fc.constantFrom(...twins),
  );
  const names = fc.uniqueArray(name, { maxLength: 12 });
  fc.assert(
    fc.property(fc.array(names, { maxLength: 4 }), names, names, (some, alone, here) => {
      const blocks = some.filter((runs) => runs.length > 0); // a run may be in several
      const text = [...lines(blocks), ...alone.map((run) => lineOf(factOf(run, {})))];
      const [table, whole] = [tableOf(text), tableOf(text)];
      const present = new Set(here);
      const { others, gone } = besideTable(table, present);
      const listed = new Set(whole.runs());
      const isSwapped = twins.some(
        (run, at) => listed.has(run) && !present.has(run) && present.has(twins[1 - at] ?? ''),
      );
      if (isSwapped) return; // found when all blocks were read
      expect(others).toEqual(here.filter((run) => !listed.has(run)));
      expect(gone.toSorted()).toEqual([...listed].filter((run) => !present.has(run)).toSorted());
    }),
    { numRuns: 1_000 },
  );
});
