/** Columns give back what was put in, however large, also where something else stood before. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { MoneyColumn } from '../../../src/sandbox/engine/state/money-column.ts';

/** Amounts of every length, and those next to where a word ends. */
const amount = fc.oneof(
  fc
    .integer({ min: 1, max: 200 })
    .chain((bits) => fc.bigInt({ min: -(2n ** BigInt(bits)), max: 2n ** BigInt(bits) })),
  fc
    .tuple(
      fc.constantFrom(53n, 63n, 64n, 65n, 117n, 127n, 128n, 192n),
      fc.bigInt({ min: -2n, max: 2n }),
    )
    .map(([bits, off]) => 2n ** bits + off),
);
const signed = fc.tuple(amount, fc.boolean()).map(([size, isLess]) => (isLess ? -size : size));

test('a column holds any amount at any place', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.nat({ max: 60 }), signed), { maxLength: 40 }), (writes) => {
      const column = new MoneyColumn();
      const kept = new Map<number, bigint>();
      for (const [place, value] of writes) {
        column.set(place, value);
        kept.set(place, value);
        for (const [known, expected] of kept) expect(column.get(known)).toBe(expected);
      }
    }),
  );
});

test('a place nobody wrote to holds nothing', () => {
  expect(new MoneyColumn().get(1_000)).toBe(0n);
});
