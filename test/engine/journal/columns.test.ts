/** Values by columns: they are the values again. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { columnOf, valuesOf } from '../../../src/engine/journal/columns.ts';

test('columns of any JSON are that JSON again, stored as JSON', () => {
  const some = fc.record(
    { run: fc.string(), at: fc.nat(), of: fc.constantFrom('a', 'b'), not: fc.jsonValue() },
    { requiredKeys: ['run'] },
  );
  const values = fc.oneof(
    fc.array(fc.jsonValue()),
    fc.array(some, { maxLength: 60 }),
    fc.array(fc.tuple(some, fc.double({ noNaN: true, noDefaultInfinity: true }))),
  );
  fc.assert(
    fc.property(values, (drawn) => {
      const plain = JSON.parse(JSON.stringify(drawn)); // -0 is 0 there
      const valueOf = valuesOf(JSON.parse(JSON.stringify(columnOf(plain))));
      expect(plain.map((_value: unknown, at: number) => valueOf(at))).toEqual(plain);
    }),
  );
});

test('what all values share is one value in memory', () => {
  const values = Array.from({ length: 100 }, (_none, at) => ({ at, of: { host: 'here' } }));
  const valueOf = valuesOf(JSON.parse(JSON.stringify(columnOf(values))));
  const [one, other] = [valueOf(1), valueOf(99)] as { of: unknown }[];
  expect(one?.of).toBe(other?.of);
});

test('a field with the name of the prototype stays a field', () => {
  const values = [1, 2].map((at) => JSON.parse(`{"__proto__": {"at": ${at}}, "at": ${at}}`));
  const valueOf = valuesOf(columnOf(values));
  expect([valueOf(0), valueOf(1)].map((each) => JSON.stringify(each))).toEqual(
    values.map((each) => JSON.stringify(each)),
  );
});

test('records by names of their own have no column for each name', () => {
  const ofRun = (run: number): readonly [string, number][] =>
    Array.from({ length: 20 }, (_none, at) => [`order-${run}-${at}`, at]);
  const values = Array.from({ length: 50 }, (_none, run) => ({
    run,
    orders: Object.fromEntries(ofRun(run)),
  }));
  const column = columnOf(values);
  expect(column).toEqual({
    fields: { run: expect.anything(), orders: { each: values.map(({ orders }) => orders) } },
  });
  expect(valuesOf(column)(49)).toEqual(values[49]);
});
