/** Binary formats: third-party readers return every digit unchanged. */
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { strFromU8, unzipSync } from 'fflate';
import { parquetMetadata, parquetReadObjects } from 'hyparquet';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import {
  decimalType,
  numberIn,
  textType,
  timeIn,
  timeType,
  typeNamed,
  type ColumnTypes,
} from '../../../src/exchange/api/column-types.ts';
import { checkFile } from '../../../src/engine/export/check.ts';
import { readRows } from '../../../src/engine/export/read-rows.ts';
import { verifyFile } from '../../../src/engine/export/verify.ts';
import type { Row } from '../../../src/exchange/api/listing.ts';
import { writeRows, type RowsRequest } from '../../../src/engine/export/rows.ts';
import { origin } from '../../support/origin.ts';

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

const asParquet = async (rows: readonly Row[], columns: readonly string[], types?: ColumnTypes) => {
  const request = { file: 'a.parquet', format: 'parquet' as const, columns };
  const bytes = await written(rows, { ...request, ...(types && { types }) });
  return new Uint8Array(bytes).buffer;
};

describe('parquet', () => {
  test('has decimals, times and texts as in the API schema, and null for missing values', async () => {
    const rows: Row[] = [
      { id: '0012', amount: '-5.30', at: '1795147200000', note: '=x' },
      { id: '7', amount: '1234567890123456.000000000000000001', at: '', note: null },
    ];
    const types: ColumnTypes = new Map([
      ['id', textType],
      ['amount', decimalType],
      ['at', timeType],
    ]);
    const file = await asParquet(rows, ['id', 'amount', 'at', 'note'], types);
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

  test('a column without a type is text if a value is not a number or does not fit', async () => {
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
  const asWorkbook = (rows: readonly Row[], columns: readonly string[], types?: ColumnTypes) =>
    written(rows, { file: 'a.xlsx', format: 'xlsx', columns, ...(types && { types }) });

  test.each([
    ['1.5', '<c r="A2"><v>1.5</v></c>'],
    ['-0.10', '<c r="A2"><v>-0.1</v></c>'],
    ['123456789012345', '<c r="A2"><v>123456789012345</v></c>'],
    ['1234567890123456', 'text'],
    ['0.000000000000000001', '<c r="A2"><v>0.000000000000000001</v></c>'],
    ['007', 'text'],
    ['1e3', 'text'],
    ['=1+1', 'text'],
    ['', 'none'],
    ['a b', 'text'],
    ['<a&b>', '<c r="A2" t="inlineStr"><is><t>&lt;a&amp;b&gt;</t></is></c>'],
    ['\u0000\ud800', '<c r="A2" t="inlineStr"><is><t>\ufffd\ufffd</t></is></c>'],
    [' a', '<c r="A2" t="inlineStr"><is><t xml:space="preserve"> a</t></is></c>'],
    ['a  b', '<c r="A2" t="inlineStr"><is><t xml:space="preserve">a  b</t></is></c>'],
    ['a\nb', '<c r="A2" t="inlineStr"><is><t xml:space="preserve">a\nb</t></is></c>'],
  ])('%j', async (value, cell) => {
    const [, found] = cellsOf(await asWorkbook([{ a: value }], ['a']));
    const text = `<c r="A2" t="inlineStr"><is><t>${value}</t></is></c>`;
    expect(found).toBe(cell === 'text' ? text : cell === 'none' ? undefined : cell);
  });

  test('an id is text, however short', async () => {
    const [, found] = cellsOf(
      await asWorkbook([{ id: '12' }], ['id'], new Map([['id', textType]])),
    );
    expect(found).toContain('>12</t>');
  });

  test('gives the same bytes again, and refuses what a sheet cannot hold', async () => {
    const rows = Array.from({ length: 3_000 }, (_, index) => ({ a: String(index), b: 'x' }));
    expect(await asWorkbook(rows, ['a', 'b'])).toEqual(await asWorkbook(rows, ['a', 'b']));
    const long = asWorkbook([{ a: 'x'.repeat(40_000) }], ['a']);
    await expect(long).rejects.toThrow('a cell has more than 32767 characters');
  });
});

describe('a workbook with sheets', () => {
  const rows = [
    { desk: 'bravo', amount: '1' },
    { desk: "al'pha & co", amount: '2.5' },
    { desk: 'bravo', amount: 'n/a' },
  ];
  const asSheets = (given: readonly Row[]): Promise<Uint8Array> =>
    written(given, {
      file: 'a.xlsx',
      format: 'xlsx',
      columns: ['desk', 'amount'],
      sort: ['desk'],
      sheets: 'desk',
    });
  const partsOf = (bytes: Uint8Array): ReadonlyMap<string, string> =>
    new Map(Object.entries(unzipSync(bytes)).map(([name, part]) => [name, strFromU8(part)]));

  test('has one for each value, in order, each with its header, rows and filter', async () => {
    const parts = partsOf(await asSheets(rows));
    const book = parts.get('xl/workbook.xml') ?? '';
    expect(book.match(/<sheet [^>]*>/g)).toEqual([
      '<sheet name="al\'pha &amp; co" sheetId="1" r:id="rId1"/>',
      '<sheet name="bravo" sheetId="2" r:id="rId2"/>',
    ]);
    expect(book.match(/localSheetId="\d" hidden="1">[^<]*/g)).toEqual([
      `localSheetId="0" hidden="1">'al''pha &amp; co'!$A$1:$B$2`,
      `localSheetId="1" hidden="1">'bravo'!$A$1:$B$3`,
    ]);
    const textsIn = (name: string): string[] =>
      [...(parts.get(name) ?? '').matchAll(/<c [^>]*>(.*?)<\/c>/gs)].map(([, cell = '']) =>
        cell.replace(/<[^>]*>/g, ''),
      );
    expect(textsIn('xl/worksheets/sheet1.xml')).toEqual([
      'desk',
      'amount',
      "al'pha &amp; co",
      '2.5',
    ]);
    expect(textsIn('xl/worksheets/sheet2.xml').join()).toBe('desk,amount,bravo,1,bravo,n/a');
    const relations = parts.get('xl/_rels/workbook.xml.rels') ?? '';
    expect(relations.match(/Target="[^"]*"/g)).toEqual([
      'Target="worksheets/sheet1.xml"',
      'Target="worksheets/sheet2.xml"',
      'Target="styles.xml"',
    ]);
    expect(await asSheets(rows)).toEqual(await asSheets(rows));
  });

  test('has one sheet without rows', async () => {
    const parts = partsOf(await asSheets([]));
    expect(parts.get('xl/workbook.xml')).toContain('<sheet name="rows"');
    expect([...parts.keys()].filter((name) => name.includes('sheets/'))).toHaveLength(1);
  });

  test.each([
    ['', 'has no characters'],
    ['a/b', 'has one of'],
    ["'a'", 'begins or ends'],
    ['x'.repeat(32), 'longer than 31'],
    ['a\ud800', 'has one of'],
    ['History', 'Excel has'],
    ['BRAVO', 'differ in case only'],
  ])('refuses the name %j', async (desk, because) => {
    await expect(asSheets([...rows, { desk, amount: '1' }])).rejects.toThrow(because);
    expect(await readdir(workspace)).toEqual([]);
  });
});

describe('a column with a type has it on every day', () => {
  const amount: ColumnTypes = new Map([
    ['amount', decimalType],
    ['at', timeType],
  ]);
  const manifestOf = async (file: string): Promise<unknown> =>
    JSON.parse(await readFile(join(workspace, `${file}.manifest.json`), 'utf8'));
  const typesIn = async (rows: readonly Row[]) =>
    parquetMetadata(await asParquet(rows, ['amount', 'at'], amount)).schema;

  test('whatever its values are, also without any', async () => {
    const days: Row[][] = [
      [{ amount: '-11.6', at: '1795147200000' }],
      [{ amount: '-11.64958799', at: 1_795_147_200_000 }],
      [{ amount: null, at: '' }, {}],
      [{ amount: 'n/a', at: 'soon' }],
      [],
    ];
    const found = new Set<string>();
    for (const rows of days) found.add(JSON.stringify(await typesIn(rows))); // all in one file
    expect(found.size).toBe(1);
  });

  test('numbers in any notation are exact, and what is not set is null', async () => {
    const values = ['1E+3', '-2.50e-3', '.5', '+7', '0005', '5.', ''];
    const rows = values.map((text, at) => ({
      amount: text,
      at: ['0', '-1', '', '1'][at % 4] ?? '',
    }));
    const read = await parquetReadObjects({
      file: await asParquet(rows, ['amount', 'at'], amount),
    });
    // This reader computes with doubles; DuckDB reads every digit (test/peers/files.test.ts).
    const shown = (value: unknown) => value && Number(Number(value).toFixed(9));
    expect(read.map((row) => shown(row['amount']))).toEqual([
      1000,
      -0.0025,
      null,
      7,
      5,
      null,
      null,
    ]);
    expect(read.slice(0, 4).map((row) => row['at'])).toEqual([null, null, null, new Date(1)]);
    expect(await manifestOf('a.parquet')).toMatchObject({
      types: { amount: 'decimal(38,18)', at: 'time' },
      exceptions: [{ column: 'amount', written: 'null', rows: 2, first: { row: 3, value: '.5' } }],
    });
  });

  test('a number with more digits is refused: none is lost', async () => {
    for (const value of ['0.1234567890123456789', `1${'0'.repeat(20)}`]) {
      await expect(
        asParquet([{ amount: '1' }, { amount: value }], ['amount'], amount),
      ).rejects.toThrow(`amount of row 2 is ${value}, which decimal(38,18) does not hold`);
    }
    const wider: ColumnTypes = new Map([['amount', typeNamed('decimal(38,30)') ?? textType]]);
    const file = await asParquet([{ amount: '0.1234567890123456789' }], ['amount'], wider);
    expect(parquetMetadata(file).schema[1]).toMatchObject({ precision: 38, scale: 30 });
  });

  test('a workbook has numbers or texts in a column, and its manifest names a text one', async () => {
    const rows = [{ amount: '4667820987.88' }, { amount: '4667820987.8847812345' }];
    const bytes = await written(rows, {
      file: 'a.xlsx',
      format: 'xlsx',
      columns: ['amount'],
      types: amount,
    });
    const sheet = strFromU8(unzipSync(bytes)['xl/worksheets/sheet1.xml'] ?? new Uint8Array());
    expect(sheet.match(/t="inlineStr"/g)).toHaveLength(3);
    expect(sheet).not.toContain('<v>');
    expect(await manifestOf('a.xlsx')).toMatchObject({
      types: { amount: 'text' },
      exceptions: [{ column: 'amount', written: 'text', rows: 1, first: { row: 2 } }],
    });
  });

  test('a workbook has dates, and a bold, frozen header with a filter', async () => {
    const rows = [
      { amount: '1.5', at: '1795147200123' },
      { amount: '', at: '0' },
    ];
    const bytes = await written(rows, {
      file: 'a.xlsx',
      format: 'xlsx',
      columns: ['amount', 'at'],
      types: amount,
    });
    const parts = unzipSync(bytes);
    const text = (name: string): string => strFromU8(parts[name] ?? new Uint8Array());
    const sheet = text('xl/worksheets/sheet1.xml');
    expect(sheet).toContain('<c r="A1" s="1" t="inlineStr">');
    expect(sheet).toMatch(/<c r="B2" s="2"><v>46346\.1666680\d*<\/v><\/c>/);
    expect(sheet).toContain('<pane ySplit="1" topLeftCell="A2"');
    expect(sheet).toContain('<col min="2" max="2" width="24" customWidth="1"/>');
    expect(sheet).toContain('<autoFilter ref="A1:B3"/>');
    expect(text('xl/styles.xml')).toContain('formatCode="yyyy\\-mm\\-dd\\ hh:mm:ss.000"');
    expect(text('xl/workbook.xml')).toContain('rows!$A$1:$B$3');
  });

  test('names of types, numbers and times are read strictly', () => {
    expect(
      ['decimal(39,1)', 'decimal(5,6)', 'decimals', 'Text', 'decimal(0,0)'].map(typeNamed),
    ).toEqual(Array.from({ length: 5 }, () => undefined));
    expect(typeNamed('decimal(38, 0)')).toEqual({ kind: 'number', precision: 38, scale: 0 });
    expect(['1e-3', '-0', '12.340', '1e400', '1,5', 'NaN', ''].map(numberIn)).toEqual([
      '0.001',
      '0',
      '12.34',
      ...Array.from({ length: 4 }, () => undefined),
    ]);
    expect(['0', '-1', '', '1', 'x', '9'.repeat(16)].map(timeIn)).toEqual([
      'none',
      'none',
      'none',
      1,
      undefined,
      undefined,
    ]);
  });
});

describe('csv', () => {
  test('can have a byte order mark and a delimiter, and is read back with them', async () => {
    const rows = [
      { a: 'x;y', b: '1.5' },
      { a: '=1', b: '\t"' },
    ];
    const csv = { bom: true, delimiter: ';' as const };
    const bytes = await written(rows, { file: 'a.csv', format: 'csv', columns: ['a', 'b'], csv });
    expect(bytes.toString('utf8')).toBe('\ufeffa;b\r\n"x;y";1.5\r\n\'=1;"\'\t"""\r\n');
    const read: Row[] = [];
    for await (const row of readRows(workspace, 'a.csv')) read.push(row);
    expect(read).toEqual(rows);
    const checked = await checkFile(join(workspace, 'a.csv'));
    expect(checked).toMatchObject({ findings: [], unchecked: [] });
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
