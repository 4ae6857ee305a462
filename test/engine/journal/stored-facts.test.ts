/** The facts of ended runs in a file by columns: each is as it was put in, and decoded when it is asked for. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { rowsIn, rowsText, type StoredRow } from '../../../src/engine/journal/stored-facts.ts';

const rowOf = (run: string, facts: StoredRow['facts']): StoredRow => ({
  run,
  lines: 3,
  link: `link of ${run}`,
  facts,
});

const read = (rows: readonly StoredRow[]) => rowsIn(Buffer.from(rowsText(rows), 'utf8'));

test('the facts of each run are as they were put in, whatever the others have', () => {
  const field = fc.constantFrom('orders', 'names', 'is_whole', 'a-b', '__proto__');
  const value = fc.oneof(fc.boolean(), fc.integer(), fc.string(), fc.array(fc.string()));
  const fact = fc.oneof(
    fc.array(fc.tuple(field, value), { minLength: 1, maxLength: 4 }).map(Object.fromEntries),
    fc.string(),
  );
  const facts = fc.dictionary(fc.constantFrom('sent 1', 'rest 1'), fact);
  fc.assert(
    fc.property(fc.array(facts, { minLength: 1, maxLength: 9 }), (all) => {
      const rows = all.map((own, nth) => rowOf(`r-${nth}`, own));
      const found = read(rows);
      for (const [at, row] of rows.entries()) {
        expect(found.row(at)).toMatchObject({ run: row.run, lines: 3, link: row.link });
        for (const kind of ['sent 1', 'rest 1'] as const)
          expect(found.fact(kind, at)).toEqual(row.facts[kind]);
      }
    }),
  );
});

test('of a field that nobody asks for nothing is decoded', () => {
  const sent = (nth: number) => ({ count: nth, names: [`name ${nth}`] });
  const rows = Array.from({ length: 9 }, (_none, nth) =>
    rowOf(`r-${nth}`, { 'sent 1': sent(nth) }),
  );
  const text = rowsText(rows).replace('name 7', 'name 8');
  const found = rowsIn(Buffer.from(text, 'utf8'));
  expect(found.fact('sent 1', 7, ['count'])).toEqual({ count: 7 });
  expect(() => found.fact('sent 1', 7)).toThrow('checksum');
});
