/** The list of runs reads the blocks of the catalogue that it shows, and is the list of a table that was read as a whole. */
import fc from 'fast-check';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { minute } from '../../../src/base/clock.ts';
import { catalogueOf, cataloguePath } from '../../../src/engine/journal/catalogue.ts';
import { blocksOf, lineOf } from '../../../src/engine/journal/catalogue-blocks.ts';
import { listedKind, type ListedRun } from '../../../src/report/overview/listed.ts';
import { openOverviews } from '../../../src/report/overview/overviews.ts';
import { rowsIn, together, type RunFilter } from '../../../src/serve/server/run-filter.ts';
import { RunIndex } from '../../../src/serve/server/run-index.ts';
import { rowOfLine, type ReadRun } from '../../../src/serve/server/run-row.ts';
import { factOf, tableOf } from '../../support/listed-facts.ts';
import { startOfRuns } from '../../support/tape.ts';

const people = ['ana@desk.example', 'ben@desk.example'];

/** The lines of a file with so many runs, a minute between two, in blocks of ten thousand minutes. */
function manyRuns(blocks: number): readonly string[] {
  return Array.from({ length: blocks }, (_none, block) => {
    const facts = Array.from({ length: 50 }, (_each, at) => {
      const number = block * 50 + at;
      const status = number === 120 ? 'doubt' : 'done';
      return factOf(`r-${number}`, { status, startedAt: startOfRuns + number * minute });
    });
    return blocksOf(listedKind, facts).join('');
  });
}

test('the first page, its filters and what needs a person read two blocks of a hundred', () => {
  const table = tableOf(manyRuns(100));
  const index = new RunIndex('desk', table);
  expect([table.size, table.blocksRead, index.select().length]).toEqual([5_000, 0, 5_000]);
  expect(rowsIn(index.select(), 0, 30).map(({ run }) => run)).toEqual(
    Array.from({ length: 30 }, (_none, at) => `r-${4_999 - at}`),
  );
  expect(table.blocksRead).toBe(1);
  expect(index.notable().map(({ run }) => run)).toEqual(['r-120']);
  expect(index.values()).toEqual({ playbooks: ['ladder'], accounts: ['main'], people: [] });
  const none: readonly RunFilter[] = [
    { playbook: 'other' },
    { account: 'other' },
    { profile: 'other' },
    { person: 'ana@desk.example' },
    { state: 'stopped' },
    { since: startOfRuns + 5_000 * minute },
    { until: startOfRuns },
  ];
  for (const wanted of none) expect(index.select(wanted).length).toBe(0);
  expect([index.row('r-none'), table.find('r-other')]).toEqual([undefined, undefined]);
  expect(table.blocksRead).toBe(2);
  expect([index.row('r-2500')?.run, table.blocksRead]).toEqual(['r-2500', 3]);
  expect(rowsIn(index.select(), 0, 180).at(-1)?.run).toBe('r-4820');
  expect(table.blocksRead).toBe(6); // those up to the page
});

test('the first and the last moment of a block are in its time', () => {
  const at = (number: number): number => startOfRuns + number * minute;
  const wanted: readonly RunFilter[] = [
    { since: at(99), until: at(101) },
    { since: at(149), until: at(150) },
  ];
  const found = wanted.map((each) => {
    const index = new RunIndex('desk', tableOf(manyRuns(4)));
    return [rowsIn(index.select(each)).map(({ run }) => run), index.table.blocksRead];
  });
  expect(found).toEqual([
    [['r-100', 'r-99'], 2],
    [['r-149'], 1],
  ]);
});

test('a block that was changed, and one whose summary is of another, is not taken for what it was', () => {
  const [first = '', second = '', ...others] = manyRuns(4);
  const [summary = ''] = first.split('\n');
  const [, block = ''] = second.split('\n');
  const other = first.slice(summary.length).replace('order placed', 'order PLACED');
  const changed = tableOf([summary, other, second, ...others]);
  expect([changed.isDamaged, changed.count]).toEqual([false, 200]);
  changed.read();
  expect([changed.isDamaged, changed.count, changed.find('r-7')]).toEqual([true, 150, undefined]);
  const mixed = tableOf([`${summary}\n${block}\n`, ...others]);
  expect([mixed.blocksRead, mixed.size, mixed.find('r-7')]).toEqual([1, 150, undefined]);
  expect(mixed.find('r-57')).toBe(7);
});

const line = fc.record({
  playbook: fc.constantFrom('ladder', 'desk-setup', 'x'.repeat(100)),
  status: fc.constantFrom('done', 'stopped', 'doubt'),
  doubts: fc.constantFrom(0, 0, 0, 2),
  people: fc.subarray(people),
  startedAt: fc.nat({ max: 40 }).map((at) => startOfRuns + at * minute),
});
const number = fc.nat({ max: 60 });
const wanted: fc.Arbitrary<RunFilter> = fc.record(
  {
    playbook: fc.constantFrom('ladder', 'x'.repeat(80), 'none'),
    state: fc.constantFrom('done', 'doubt'),
    account: fc.constantFrom('main', 'none'),
    person: fc.constantFrom(...people),
    since: fc.nat({ max: 40 }).map((at) => startOfRuns + at * minute),
    until: fc.nat({ max: 40 }).map((at) => startOfRuns + at * minute),
  },
  { requiredKeys: [] },
);
const question = fc.oneof(
  fc.record({ kind: fc.constant('list'), wanted, from: number }),
  fc.record({ kind: fc.constant('first'), from: number }),
  fc.record({ kind: fc.constant('row'), run: number }),
  fc.record({ kind: fc.constant('remove'), run: number }),
  fc.record({ kind: fc.constantFrom('notable', 'values', 'next') }),
);

function answerOf(
  index: RunIndex,
  asked: typeof question extends fc.Arbitrary<infer Q> ? Q : never,
) {
  if ('wanted' in asked) {
    const found = index.select(asked.wanted);
    return [found.length, rowsIn(found, asked.from, asked.from + 3)];
  }
  if ('from' in asked) {
    const found = index.select();
    return [found.length, rowsIn(found, asked.from, asked.from + 3)];
  }
  if (!('run' in asked)) {
    if (asked.kind === 'next') index.table.readNewest(1);
    return asked.kind === 'notable' ? index.notable() : index.values();
  }
  if (asked.kind === 'row') return index.row(`r-${asked.run}`);
  index.table.remove(`r-${asked.run}`);
  index.changed();
  return index.table.count;
}

test('in any order of questions the answers are those of a table that was read as a whole', () => {
  const blocks = fc.array(fc.array(line, { minLength: 1, maxLength: 12 }), { maxLength: 5 });
  const again = fc.array(fc.tuple(number, line), { maxLength: 4 });
  const live = fc.array(fc.tuple(fc.integer({ min: 100, max: 120 }), line), { maxLength: 4 });
  fc.assert(
    fc.property(
      blocks,
      again,
      live,
      fc.array(question, { maxLength: 8 }),
      (some, later, rows, asked) => {
        let next = 0;
        const packed = some.map((lines) =>
          blocksOf(
            listedKind,
            lines.map((each) => factOf(`r-${next++}`, each)),
          ),
        );
        const alone = later.map(([run, each]) => lineOf(factOf(`r-${run}`, each)));
        const tables = [
          tableOf([...packed.flat(), ...alone]),
          tableOf([...packed.flat(), ...alone]),
        ];
        const [paged, whole] = tables.map((table) => {
          const index = new RunIndex('desk', table);
          for (const [run, each] of rows) {
            const value = factOf(`r-${run}`, each).value as ListedRun;
            const row = rowOfLine('desk', `r-${run}`, value);
            const extent = { orders: 0, rows: 0 };
            const read: ReadRun = { row, ids: '', recordedDoubts: 0, isOpen: false, extent };
            index.live.set(row.run, { found: undefined, read });
          }
          return index;
        }) as [RunIndex, RunIndex];
        whole.table.read();
        for (const each of asked) expect(answerOf(paged, each)).toEqual(answerOf(whole, each));
        expect(paged.places()).toEqual(whole.places());
      },
    ),
    { numRuns: 500 },
  );
});

test('the runs of several lists are together in their order, of which those up to a page are looked at', () => {
  const start = fc.nat({ max: 20 });
  fc.assert(
    fc.property(fc.array(fc.array(start, { maxLength: 6 }), { maxLength: 4 }), (lists) => {
      const indexes = lists.map((starts, desk) => {
        const facts = starts.map((at, run) => factOf(`r-${run}`, { startedAt: at * minute }));
        return new RunIndex(`desk-${desk}`, tableOf(facts.map(lineOf)));
      });
      const found = together(indexes.map((index) => index.select()));
      const all = indexes.flatMap((index) => rowsIn(index.select()));
      expect(rowsIn(found)).toEqual(all.toSorted((a, b) => b.startedAt - a.startedAt));
    }),
  );
  const many = [manyRuns(20), manyRuns(20)].map((lines) => new RunIndex('desk', tableOf(lines)));
  const found = together(many.map((index) => index.select()));
  expect([found.length, found.row(29).run]).toEqual([2_000, 'r-985']);
  expect(many.map(({ table }) => table.blocksRead)).toEqual([1, 1]);
});

test('blocks of an earlier version are read at once, and get summaries when a listed run is stored', () => {
  const state = mkdtempSync(join(tmpdir(), 'earlier-'));
  try {
    const blocks = manyRuns(2).map((lines) => lines.slice(lines.indexOf('\n') + 1));
    writeFileSync(cataloguePath(state), blocks.join(''));
    const before = openOverviews(state).table();
    expect([before.blocksRead, before.size]).toEqual([2, 100]);
    const { run, files, value } = factOf('r-new', { startedAt: 1 });
    const catalogue = catalogueOf(state);
    catalogue.note(listedKind, run, files, value);
    catalogue.keep([...before.runs(), run]);
    const now = openOverviews(state).table();
    expect([now.blocksRead, now.unread.length, now.size]).toEqual([1, 2, 101]); // of one run
    now.read();
    expect([...now.runs()].toSorted()).toEqual([...before.runs(), run].toSorted());
  } finally {
    rmSync(state, { recursive: true });
  }
});
