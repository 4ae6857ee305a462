/** Records are encoded in one pass over their rows, and equal those of the rules for cells. */
import { gunzipSync } from 'node:zlib';
import fc from 'fast-check';
import { expect, onTestFinished, test, vi } from 'vitest';
import type { Row } from '../../../src/exchange/api/listing.ts';
import { fieldText } from '../../../src/engine/export/row.ts';
import { cellOf } from '../../../src/engine/export/writers/csv-cell.ts';
import { recordEncoder } from '../../../src/engine/export/writers/csv-records.ts';
import { gzipped } from '../../../src/engine/export/writers/gzip.ts';

const encode = recordEncoder();
const textOf = (rows: readonly Row[], columns: readonly string[]): string =>
  Buffer.from(encode(rows, columns)).toString();

/** The same records, made of texts; half of a character is no UTF-8. */
const expected = (rows: readonly Row[], columns: readonly string[]): string =>
  rows
    .map((row) => columns.map((column) => cellOf(fieldText(row, column))).join(','))
    .map((record) => `${columns.length === 1 && record === '' ? '""' : record}\r\n`)
    .join('')
    .replaceAll(/\p{Cs}/gu, '\ufffd');

const order: Row = {
  orderId: '1000000000000000001',
  price: '61000.5',
  side: 'buy',
  none: '',
  feeDetail: [{ feeCoin: 'USDT', fee: '-0.36663' }],
};

test('every character is encoded as the rules say, at the start, within and at the end', () => {
  const rows = Array.from({ length: 0x180 }, (_, code) => String.fromCharCode(code)).flatMap(
    (sign): Row[] => [{ a: sign }, { a: `${sign}7` }, { a: `x${sign}y"` }, { a: `x${sign}` }],
  );
  expect(textOf(rows, ['a'])).toBe(expected(rows, ['a']));
});

test('any rows are encoded as the rules say, whatever fields they have and in whatever order', () => {
  const field = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.string(),
    fc.constantFrom('', '=x', 'a;=x', 'ａ＝', '\ud800', '-1.5', null, true, 7),
    fc.jsonValue({ maxDepth: 2 }).map((value) => JSON.parse(JSON.stringify(value))),
  );
  const name = fc.constantFrom('a', 'b', 'c', 'constructor', '__proto__', 'd');
  const row = fc
    .array(fc.tuple(name, field), { maxLength: 6 })
    .map((entries): Row => Object.fromEntries(entries));
  fc.assert(
    fc.property(fc.array(row, { maxLength: 5 }), (rows) => {
      for (const columns of [['a', 'b', 'c'], ['c', '__proto__', 'constructor'], ['b'], []]) {
        expect(textOf(rows, columns)).toBe(expected(rows, columns));
      }
    }),
  );
});

test('records larger than the memory of the encoder are whole', () => {
  const rows = [{ a: 'x'.repeat(50_000) }, { a: '龙'.repeat(90_000) }, { a: '"'.repeat(200_000) }];
  expect(textOf(rows, ['a'])).toBe(expected(rows, ['a']));
});

test('fields without a mark are copied once, into the same memory for each page', () => {
  const write = vi.spyOn(Buffer.prototype, 'write');
  onTestFinished(() => write.mockRestore());
  const rows = Array.from({ length: 100 }, () => order);
  const first = encode(rows, Object.keys(order));
  const second = encode(rows, Object.keys(order));
  expect(second.buffer).toBe(first.buffer);
  expect(write).toHaveBeenCalledTimes(0);
  encode([{ ...order, side: '=buy' }], Object.keys(order));
  expect(write).toHaveBeenCalledTimes(1); // only the field with a mark is a text of its own
});

test('each field of a row is read once', () => {
  const reads: string[] = [];
  const row: Row = Object.defineProperties(
    {},
    Object.fromEntries(
      Object.entries(order).map(([name, value]) => [
        name,
        { enumerable: true, get: () => (reads.push(name), value) },
      ]),
    ),
  );
  textOf([row], Object.keys(order).toReversed());
  expect(reads).toEqual(Object.keys(order));
});

test('bytes that are valid only until the next are compressed as they were', async () => {
  async function* pages(): AsyncGenerator<Uint8Array> {
    for (const side of ['buy', 'sell', 'none']) yield encode([{ side }], ['side']);
  }
  const packed: Uint8Array[] = [];
  for await (const piece of gzipped(pages())) packed.push(piece);
  expect(gunzipSync(Buffer.concat(packed)).toString()).toBe('buy\r\nsell\r\nnone\r\n');
});
