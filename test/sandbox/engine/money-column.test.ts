/** Columns give back what was put in, however large, also where something else was before. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { MoneyColumn, roughly } from '../../../src/sandbox/engine/model/money-column.ts';

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

test('a column stores any amount at any index', () => {
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

test('additions and subtractions are exact to the unit', () => {
  fc.assert(
    fc.property(
      fc.array(fc.tuple(fc.nat({ max: 20 }), signed, fc.boolean()), { maxLength: 60 }),
      (changes) => {
        const column = new MoneyColumn();
        const kept = new Map<number, bigint>();
        for (const [place, amount, isLess] of changes) {
          if (isLess) column.subtract(place, amount);
          else column.add(place, amount);
          kept.set(place, (kept.get(place) ?? 0n) + (isLess ? -amount : amount));
        }
        for (const [place, expected] of kept) expect(column.get(place)).toBe(expected);
      },
    ),
  );
});

test('carries over many words are counted', () => {
  const column = new MoneyColumn();
  const step = 2n ** 63n - 1n;
  for (let at = 0; at < 1_000; at++) column.add(0, step);
  expect(column.get(0)).toBe(1_000n * step);
  for (let at = 0; at < 3_000; at++) column.subtract(0, step);
  expect(column.get(0)).toBe(-2_000n * step);
});

test('another column takes over an amount', () => {
  fc.assert(
    fc.property(fc.nat({ max: 60 }), fc.nat({ max: 60 }), signed, (place, source, value) => {
      const [column, from] = [new MoneyColumn(), new MoneyColumn()];
      from.set(source, value);
      column.copy(place, from, source);
      expect(column.get(place)).toBe(value);
    }),
  );
});

test('an approximate read loses less than one part in 10^15', () => {
  fc.assert(
    fc.property(signed, (value) => {
      const column = new MoneyColumn();
      column.set(3, value);
      const exact = Number(value);
      for (const rough of [column.rough(3), roughly(value)]) {
        expect(Math.abs(rough - exact)).toBeLessThanOrEqual(Math.abs(exact) * 1e-15);
      }
    }),
  );
});

test('an unused index is zero', () => {
  expect(new MoneyColumn().get(1_000)).toBe(0n);
});
