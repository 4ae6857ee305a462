/** Binary formats: third-party readers return every digit unchanged. */
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { strFromU8, unzipSync } from 'fflate';
import { parquetMetadata, parquetReadObjects } from 'hyparquet';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Kinds } from '../../src/export/kinds.ts';
import { verifyFile } from '../../src/export/verify.ts';
import type { Row } from '../../src/api/listing.ts';
import { writeRows, type RowsRequest } from '../../src/export/rows.ts';
import { origin } from '../support/origin.ts';

let workspace: string;
beforeEach(async () => {
  workspace = await mkdtemp(join(tmpdir(), 'deskhand-packed-'));
});
afterEach(() => rm(workspace, { recursive: true }));

async function* from(rows: readonly Row[]): AsyncGenerator<Row> {
  yield* rows;
}

async function written(
  rows: readonly Row[],
  request: Pick<RowsRequest, 'file' | 'format'> & Partial<RowsRequest>,
): Promise<Buffer> {
  await writeRows({ workspace, rows: () => from(rows), origin: () => origin, ...request });
  const path = join(workspace, request.file);
  expect(await verifyFile(path)).toMatchObject({ kind: 'whole' });
  return readFile(path);
}

const asParquet = async (rows: readonly Row[], columns: readonly string[], kinds?: Kinds) => {
  const request = { file: 'a.parquet', format: 'parquet' as const, columns };
  const bytes = await written(rows, { ...request, ...(kinds && { kinds }) });
  return new Uint8Array(bytes).buffer;
};

describe('parquet', () => {
  test('has decimals, times and texts as in the API schema, and null for missing values', async () => {
    const rows: Row[] = [
      { id: '0012', amount: '-5.30', at: '1795147200000', note: '=x' },
      { id: '7', amount: '1234567890123456.000000000000000001', at: '', note: null },
    ];
    const kinds: Kinds = new Map([
      ['id', 'text'],
      ['amount', 'number'],
      ['at', 'time'],
    ]);
    const file = await asParquet(rows, ['id', 'amount', 'at', 'note'], kinds);
    const { schema } = parquetMetadata(file);
    expect(schema.map(({ name, type, converted_type: kind, scale }) => [name, type, kind, scale]))
      .toMatchInlineSnapshot(`
      [
        [
          "rows",
          undefined,
          undefined,
          undefined,
        ],
        [
          "id",
          "BYTE_ARRAY",
          "UTF8",
          undefined,
        ],
        [
          "amount",
          "FIXED_LEN_BYTE_ARRAY",
          "DECIMAL",
          18,
        ],
        [
          "at",
          "INT64",
          "TIMESTAMP_MILLIS",
          undefined,
        ],
        [
          "note",
          "BYTE_ARRAY",
          "UTF8",
          undefined,
        ],
      ]
    `);
    const read = await parquetReadObjects({ file });
    expect(read.map(({ id, at, note }) => [id, at, note])).toMatchInlineSnapshot(`
      [
        [
          "0012",
          2026-11-20T04:00:00.000Z,
          "=x",
        ],
        [
          "7",
          null,
          null,
        ],
      ]
    `);
  });

  test('has as many row groups as needed, and none without rows', async () => {
    const rows = Array.from({ length: 25_000 }, (_, index) => ({ a: String(index) }));
    const groups = parquetMetadata(await asParquet(rows, ['a'])).row_groups;
    expect(groups.map(({ num_rows: count }) => Number(count))).toEqual([10_000, 10_000, 5_000]);
    const empty = await asParquet([], ['a', 'b']);
    expect(parquetMetadata(empty).num_rows).toBe(0n);
    expect(await parquetReadObjects({ file: empty })).toEqual([]);
  });

  test('a column is text if a value is not a number or has more than 38 digits', async () => {
    const long = `1.${'0'.repeat(37)}1`;
    for (const [values, kind] of [
      [['1', '2.5'], 'DECIMAL'],
      [['1', ''], 'DECIMAL'],
      [['1', 'x'], 'UTF8'],
      [['1', '01'], 'UTF8'],
      [['1', long], 'UTF8'],
      [['', ''], 'UTF8'],
    ] as const) {
      const file = await asParquet(
        values.map((a) => ({ a })),
        ['a'],
      );
      expect(parquetMetadata(file).schema[1]?.converted_type, values.join()).toBe(kind);
    }
  });

  test('a sorted export has the same rows', async () => {
    const rows = [{ a: '2' }, { a: '10' }, { a: '1' }];
    const request = { file: 's.parquet', format: 'parquet' as const, columns: ['a'] };
    const bytes = await written(rows, { ...request, sort: ['a'] });
    const read = await parquetReadObjects({ file: new Uint8Array(bytes).buffer });
    expect(read).toEqual([{ a: 1 }, { a: 2 }, { a: 10 }]);
  });
});

describe('xlsx', () => {
  const cellsOf = (bytes: Uint8Array): string[] => {
    const sheet = strFromU8(unzipSync(bytes)['xl/worksheets/sheet1.xml'] ?? new Uint8Array());
    return [...sheet.matchAll(/<c .*?<\/c>/gs)].map(([cell]) => cell);
  };
  const asWorkbook = (rows: readonly Row[], columns: readonly string[], kinds?: Kinds) =>
    written(rows, { file: 'a.xlsx', format: 'xlsx', columns, ...(kinds && { kinds }) });

  test.each([
    ['1.5', '<c r="A2"><v>1.5</v></c>'],
    ['-0.10', '<c r="A2"><v>-0.10</v></c>'],
    ['123456789012345', '<c r="A2"><v>123456789012345</v></c>'],
    ['1234567890123456', 'text'],
    ['0.000000000000000001', '<c r="A2"><v>0.000000000000000001</v></c>'],
    ['007', 'text'],
    ['1e3', 'text'],
    ['=1+1', 'text'],
    ['', 'none'],
    ['<a&b>', '<c r="A2" t="inlineStr"><is><t xml:space="preserve">&lt;a&amp;b&gt;</t></is></c>'],
    [
      '\u0000\ud800',
      '<c r="A2" t="inlineStr"><is><t xml:space="preserve">\ufffd\ufffd</t></is></c>',
    ],
  ])('%j', async (value, cell) => {
    const [, found] = cellsOf(await asWorkbook([{ a: value }], ['a']));
    const text = `<c r="A2" t="inlineStr"><is><t xml:space="preserve">${value}</t></is></c>`;
    expect(found).toBe(cell === 'text' ? text : cell === 'none' ? undefined : cell);
  });

  test('an id is text, however short', async () => {
    const [, found] = cellsOf(await asWorkbook([{ id: '12' }], ['id'], new Map([['id', 'text']])));
    expect(found).toContain('>12</t>');
  });

  test('gives the same bytes again, and refuses what a sheet cannot hold', async () => {
    const rows = Array.from({ length: 3_000 }, (_, index) => ({ a: String(index), b: 'x' }));
    expect(await asWorkbook(rows, ['a', 'b'])).toEqual(await asWorkbook(rows, ['a', 'b']));
    const long = asWorkbook([{ a: 'x'.repeat(40_000) }], ['a']);
    await expect(long).rejects.toThrow('a cell has more than 32767 characters');
  });
});

describe('gzip', () => {
  test('is selected by the extension: the same content, and the same bytes again', async () => {
    const rows = Array.from({ length: 5_000 }, (_, index) => ({ a: String(index), b: 'ä' }));
    const plain = await written(rows, { file: 'a.csv', format: 'csv' });
    const first = await written(rows, { file: 'a.csv.gz', format: 'csv' });
    const second = await written(rows, { file: 'b.csv.gz', format: 'csv' });
    expect(gunzipSync(first)).toEqual(plain);
    expect(first).toEqual(second);
    expect([...first.subarray(0, 10)]).toEqual([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255]);
    expect(first.length).toBeLessThan(plain.length / 2);
  });

  test('an error during writing leaves no file', async () => {
    async function* failing(): AsyncGenerator<Row> {
      yield { a: '1' };
      throw new Error('the exchange is gone');
    }
    const request = { file: 'c.ndjson.gz', format: 'ndjson' as const, rows: failing };
    await expect(written([], request)).rejects.toThrow('the exchange is gone');
    expect(await readdir(workspace)).toEqual([]);
  });
});
