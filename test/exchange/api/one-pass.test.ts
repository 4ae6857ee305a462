/** A response is read in one pass: each field once, in any order, and ids only where they decide. */
import { expect, onTestFinished, test, vi } from 'vitest';
import { fieldsReader, type Json, type JsonRecord } from '../../../src/base/json.ts';
import { nextOf } from '../../../src/exchange/api/list-answer.ts';
import { listing } from '../../../src/exchange/api/listing.ts';
import { operationOf } from '../../../src/exchange/api/operations/index.ts';
import { readAnswer } from '../../../src/exchange/api/read-answer.ts';
import { rowFields } from '../../../src/exchange/api/row-schema.ts';

const operation = 'order/list-history';
const declared = [...rowFields(operation).keys()];
const order: JsonRecord = Object.fromEntries(
  declared.map((name) => [name, name === 'feeDetail' ? [] : '7']),
);

test('a field is looked up only where it is not in order', () => {
  const get = vi.spyOn(Map.prototype, 'get');
  onTestFinished(() => get.mockRestore());
  const read = fieldsReader(['a', 'b', 'c', 'd']);
  const valuesOf = (object: JsonRecord) => {
    const values: (Json | undefined)[] = [];
    get.mockClear();
    const others = read(object, values);
    return { values, others, looked: get.mock.calls.length };
  };
  expect(valuesOf({ a: 1, b: 2, c: 3, d: 4 })).toEqual({
    values: [1, 2, 3, 4],
    others: 0,
    looked: 0,
  });
  expect(valuesOf({ a: 1, c: 3, d: 4 })).toEqual({
    values: [1, undefined, 3, 4],
    others: 0,
    looked: 1,
  });
  expect(valuesOf({ x: 0, b: 2, a: 1, constructor: 5 })).toEqual({
    values: [1, 2, undefined, undefined],
    others: 2,
    looked: 4,
  });
});

test('each field of a row is read once', () => {
  const reads: string[] = [];
  const row: JsonRecord = Object.defineProperties(
    {},
    Object.fromEntries(
      Object.entries(order).map(([name, value]) => [
        name,
        { enumerable: true, get: () => (reads.push(name), value) },
      ]),
    ),
  );
  readAnswer(operation, { list: [row], cursor: '' });
  expect(reads).toEqual(declared);
});

test('rows whose fields come in another order are read alike, with the same deviations', () => {
  const odd: JsonRecord = { ...order, price: 'much', side: 7, later: 'x', createdTime: '0' };
  const { qty: _qty, ...less } = odd;
  const turned = Object.fromEntries(Object.entries(less).toReversed());
  const [read, other] = [less, turned].map((row) =>
    readAnswer(operation, { list: [order, row], cursor: '' }),
  );
  expect(other).toEqual(read);
  expect(read?.deviations.map(({ field, came }) => `${field} ${came}`)).toEqual([
    'list[].side number',
    'list[].price text',
    'list[].qty absent',
    'list[].later undeclared',
  ]);
});

test('rows of which nothing is changed are the received ones', () => {
  const list = [order, order];
  const { answer } = readAnswer(operation, { list, cursor: '' });
  expect(answer.list).toBe(list);
});

test('ids are compared only where the cursor is not the last of them', () => {
  const number = vi.spyOn(globalThis, 'BigInt');
  onTestFinished(() => number.mockRestore());
  const { page } = operationOf(operation);
  const rows = Array.from({ length: 100 }, (_, at) => ({ ...order, orderId: String(900 - at) }));
  const position = { place: {}, window: { start: 0, end: 9 } };
  const next = (cursor: string) => nextOf(page, listing(rows), { cursor }, position);
  expect(next('801')).toEqual({ cursor: '801' });
  expect(number).toHaveBeenCalledTimes(0);
  expect(next('850')).toEqual({ cursor: '850' });
  expect(number.mock.calls.length).toBeGreaterThan(0);
});
