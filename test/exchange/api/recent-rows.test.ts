/** Recent rows are recognized by their names: a row found to be new was never added before. */
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { listing } from '../../../src/exchange/api/listing.ts';
import { RecentRows } from '../../../src/exchange/api/recent-rows.ts';

const falling = (from: number, count: number): string[] =>
  Array.from({ length: count }, (_, at) => String(from - at));

/** Pages in either order, and pages that violate the order. */
const pages = fc.array(
  fc.oneof(
    fc
      .tuple(fc.nat({ max: 300 }), fc.integer({ min: 1, max: 9 }))
      .map(([from, count]) => falling(1000 + from, count)),
    fc
      .tuple(fc.nat({ max: 300 }), fc.integer({ min: 1, max: 9 }))
      .map(([from, count]) => falling(1000 + from, count).toReversed()),
    fc.array(fc.nat({ max: 1300 }).map(String), { maxLength: 9 }),
    fc.array(fc.string({ maxLength: 2 }), { maxLength: 4 }),
  ),
  { maxLength: 40 },
);

describe('recent rows', () => {
  test('without an id are told apart by their other fields', () => {
    const names = new RecentRows(['id']).namesOf(
      listing([
        { id: null, at: 1 },
        { id: '', at: 1 },
        { at: 2 },
        { id: null, at: 2 },
        { id: '7' },
      ]),
    );
    expect(new Set(names).size).toBe(5);
    expect(names?.at(-1)).toBe('7');
  });

  test('remember rows, and report a row as certainly new only if it is not a duplicate', () => {
    let clear = 0;
    fc.assert(
      fc.property(pages, (some) => {
        const recent = new RecentRows(['id']);
        const known = new Set<string>();
        for (const names of some) {
          const isNew = new Set([...known, ...names]).size === known.size + names.length;
          if (recent.areClearlyNew(names)) {
            clear += 1;
            expect(isNew).toBe(true);
          }
          for (const name of names) expect(recent.has(name)).toBe(known.has(name));
          const fresh = [...new Set(names)].filter((name) => !known.has(name));
          recent.add(fresh);
          for (const name of fresh) known.add(name);
        }
      }),
      { numRuns: 500 },
    );
    expect(clear).toBeGreaterThan(500);
  });

  test('recognize new pages quickly in the usual order of lists: windows ascend, pages descend', () => {
    const recent = new RecentRows(['id']);
    for (let window = 1; window <= 200; window++) {
      for (let page = 0; page < 5; page++) {
        const names = falling(100_000 + window * 500 - page * 100, 100);
        expect(recent.areClearlyNew(names)).toBe(true);
        recent.add(names);
      }
    }
    for (let window = 1; window <= 200; window++) {
      const top = String(100_000 + window * 500);
      expect(recent.areClearlyNew([top])).toBe(false);
    }
  });

  test('keep each name until the given number of other names has followed it', () => {
    const recent = new RecentRows(['id']);
    for (let at = 0; at <= RecentRows.most; at += 100) recent.add(falling(200_000 - at, 100));
    expect(recent.has('200000')).toBe(true);
  });
});
