/** Files we write, read by third-party readers: every digit is unchanged. */
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import fc from 'fast-check';
import readExcelFile, { readSheet } from 'read-excel-file/node';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { decimal, decimalText } from '../../src/base/decimal.ts';
import {
  decimalType,
  textType,
  timeType,
  type ColumnTypes,
} from '../../src/exchange/api/column-types.ts';
import type { Row } from '../../src/exchange/api/listing.ts';
import { writeRows, type RowsRequest } from '../../src/engine/export/rows.ts';
import { origin } from '../support/origin.ts';

let workspace: string;
beforeAll(async () => {
  workspace = await mkdtemp(join(tmpdir(), 'deskhand-files-'));
});
afterAll(() => rm(workspace, { recursive: true }));

async function written(
  rows: readonly Row[],
  request: Pick<RowsRequest, 'file' | 'format'> & Partial<RowsRequest>,
): Promise<string> {
  await writeRows({
    workspace,
    rows: async function* again() {
      yield* rows;
    },
    origin: () => origin,
    ...request,
  });
  return join(workspace, request.file);
}

async function queried(sql: string): Promise<readonly Record<string, unknown>[]> {
  const instance = await DuckDBInstance.create(':memory:');
  const connection = await instance.connect();
  try {
    const reader = await connection.runAndReadAll(sql);
    return reader.getRowObjectsJson() as Record<string, unknown>[];
  } finally {
    connection.closeSync();
    instance.closeSync();
  }
}

/** Any decimal the exchange could write, with up to 38 digits. */
const decimals = fc
  .tuple(fc.bigInt({ min: 0n, max: 10n ** 19n }), fc.integer({ min: 0, max: 18 }), fc.boolean())
  .map(([digits, scale, isNegative]) => {
    const text = String(digits).padStart(scale + 1, '0');
    const point = text.length - scale;
    const plain = scale === 0 ? text : `${text.slice(0, point)}.${text.slice(point)}`;
    return isNegative && digits !== 0n ? `-${plain}` : plain;
  });

const canonical = (text: string): string => decimalText(decimal(text));

describe('DuckDB reads Parquet', () => {
  test('decimals, digit by digit', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(decimals, { minLength: 1, maxLength: 200 }), async (values) => {
        const rows = values.map((value, index) => ({ n: String(index), value }));
        const path = await written(rows, {
          file: 'decimals.parquet',
          format: 'parquet',
          columns: ['n', 'value'],
        });
        const sql = `select cast(value as varchar) as value, typeof(value) as type from '${path}' order by n`;
        const read = await queried(sql);
        expect(read.map(({ value }) => canonical(String(value)))).toEqual(values.map(canonical));
        expect(new Set(read.map(({ type }) => String(type).slice(0, 7)))).toEqual(
          new Set(['DECIMAL']),
        );
      }),
      { numRuns: 60 },
    );
  });

  test('sums them exactly, over several row groups, with times and nulls', async () => {
    const rows = Array.from({ length: 25_000 }, (_, index) => ({
      id: String(5_000_000_000_000_000_000n + BigInt(index)),
      fee: index % 5 === 0 ? '' : '-0.1',
      at: String(1_795_147_200_000 + index),
    }));
    const types: ColumnTypes = new Map([
      ['id', textType],
      ['fee', decimalType],
      ['at', timeType],
    ]);
    const path = await written(rows, {
      file: 'sums.parquet',
      format: 'parquet',
      columns: ['id', 'fee', 'at'],
      types,
    });
    const [row] = await queried(
      `select count(*) as n, count(fee) as fees, cast(sum(fee) as varchar) as total,
        cast(min("at") as varchar) as earliest, max(id) as newest, count(distinct id) as ids from '${path}'`,
    );
    expect(row).toEqual({
      n: '25000',
      fees: '20000',
      total: `-2000.${'0'.repeat(18)}`,
      earliest: '2026-11-20 04:00:00',
      newest: '5000000000000024999',
      ids: '25000',
    });
  });
});

test('DuckDB adds the files of two days exactly, whatever their values are', async () => {
  const types: ColumnTypes = new Map([['amount', decimalType]]);
  const days = [['-11.6'], ['-11.64958799'], [''], []];
  const paths: string[] = [];
  for (const [day, amounts] of days.entries()) {
    const rows = amounts.map((amount) => ({ amount }));
    const request = { file: `day-${day}.parquet`, format: 'parquet' as const, columns: ['amount'] };
    paths.push(await written(rows, { ...request, types }));
  }
  const files = paths.map((path) => `'${path}'`).join();
  const [row] = await queried(
    `select cast(sum(amount) as varchar) as total, typeof(min(amount)) as type from read_parquet([${files}])`,
  );
  expect(row).toEqual({ total: '-23.249587990000000000', type: 'DECIMAL(38,18)' });
});

describe('another library reads XLSX', () => {
  test('times as dates, to the millisecond', async () => {
    const times = [1, 1_795_147_200_123, Date.UTC(2100, 1, 29, 23, 59, 59, 999)];
    const path = await written(
      times.map((at) => ({ at: String(at) })),
      { file: 'dates.xlsx', format: 'xlsx', columns: ['at'], types: new Map([['at', timeType]]) },
    );
    const [head, ...rows] = await readSheet(await readFile(path));
    expect(head).toEqual(['at']);
    expect(rows.map(([cell]) => (cell instanceof Date ? cell.getTime() : cell))).toEqual(times);
  });

  test('numbers and texts, digit by digit', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(decimals, { minLength: 1, maxLength: 200 }), async (values) => {
        const path = await written(
          values.map((value) => ({ value })),
          {
            file: 'numbers.xlsx',
            format: 'xlsx',
            columns: ['value'],
          },
        );
        const [head, ...rows] = await readSheet(await readFile(path));
        expect(head).toEqual(['value']);
        const read = rows.map(([cell]) => (typeof cell === 'number' ? plainNumber(cell) : cell));
        expect(read.map((text) => canonical(String(text)))).toEqual(values.map(canonical));
      }),
      { numRuns: 40 },
    );
  });

  test('the sheets of a workbook by their names, in order', async () => {
    const rows = [
      { desk: "o'neil & co", amount: '1.5' },
      { desk: 'alpha', amount: '2' },
      { desk: "o'neil & co", amount: '-3' },
    ];
    const path = await written(rows, {
      file: 'sheets.xlsx',
      format: 'xlsx',
      columns: ['desk', 'amount'],
      sort: ['desk'],
      sheets: 'desk',
    });
    const sheets = await readExcelFile(await readFile(path));
    expect(sheets.map(({ sheet, data }) => [sheet, data])).toEqual([
      [
        'alpha',
        [
          ['desk', 'amount'],
          ['alpha', 2],
        ],
      ],
      [
        "o'neil & co",
        [
          ['desk', 'amount'],
          ["o'neil & co", 1.5],
          ["o'neil & co", -3],
        ],
      ],
    ]);
  });

  test('texts of any kind', async () => {
    const texts = fc.string({ unit: 'binary', minLength: 1, maxLength: 60 });
    await fc.assert(
      fc.asyncProperty(texts, async (text) => {
        const path = await written([{ text: `=${text}` }], {
          file: 'texts.xlsx',
          format: 'xlsx',
          columns: ['text'],
        });
        const rows = await readSheet(await readFile(path), { trim: false });
        const shown = text.replace(/(?![\t\n\r\u007f-\u009f])\p{Cc}|[\ufffe\uffff]/gu, '\ufffd');
        expect(rows[1]).toEqual([`=${shown}`]);
      }),
      { numRuns: 60 },
    );
  });
});

/** A double without exponent: 1e-7 is not a decimal. */
function plainNumber(value: number): string {
  const text = String(value);
  const match = /^(-?)(\d+)(?:\.(\d+))?e-(\d+)$/.exec(text);
  if (match === null) return text;
  const [, sign = '', whole = '', fraction = '', exponent = '0'] = match;
  return `${sign}0.${'0'.repeat(Number(exponent) - whole.length)}${whole}${fraction}`;
}
