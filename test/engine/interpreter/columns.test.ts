/** Columns of an export and their types follow from the API and the playbook, not from the rows of a day. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parquetMetadata } from 'hyparquet';
import { describe, expect, test } from 'vitest';
import { fieldOf } from '../../../src/base/json.ts';
import type { Transport } from '../../../src/exchange/api/exchange.ts';
import { loadPlaybook } from '../../../src/language/load.ts';
import { entriesOf, live, openHarness, playbookFrom } from '../../support/harness.ts';
import { bill, order } from '../../support/lists.ts';
import { success } from '../../support/scripted.ts';

const now = Date.UTC(2026, 10, 20, 3);

/** An exchange whose lists have these rows. */
const serving =
  (rows: readonly object[]) =>
  (transport: Transport): Transport =>
  async (request, signal) => {
    const isFirst = !request.query.includes('idLessThan') && !request.query.includes('cursor');
    const list = isFirst ? rows : [];
    if (request.operation === 'futures/list-bills') return success({ bills: list, endId: '' });
    if (request.operation === 'order/list-history') return success({ list, cursor: '' });
    return transport(request, signal);
  };

/** Writes the rows of an answer to a file, and returns the file and its manifest. */
async function written(rows: readonly object[], uses: string, write: string) {
  const harness = await openHarness();
  const playbook = playbookFrom(`
playbook: 1
name: columns
account: main
steps:
  - id: rows
    uses: ${uses}
    write: ${write}
`);
  const { status } = await live(harness, playbook, { wrap: serving(rows) });
  expect(status, JSON.stringify(entriesOf(harness).at(-1))).toBe('done');
  const [, file = ''] = /file: ([^,} ]+)/.exec(write) ?? [];
  const path = join(harness.workspace, file);
  const bytes = await readFile(path);
  const manifest: unknown = JSON.parse(await readFile(`${path}.manifest.json`, 'utf8'));
  const wrote = entriesOf(harness).find(({ kind }) => kind === 'wrote');
  return { bytes, manifest, wrote };
}

const orders = '{ file: orders.csv }';
const bills = 'futures/list-bills\n    with: { productType: USDT-FUTURES }';

test('absent optional fields keep their column, in the same order, and new fields follow', async () => {
  const full = {
    ...order({ id: 9, at: now }),
    feeDetail: [],
    cancelReason: '',
    execType: 'normal',
  };
  const days = [[full], [order({ id: 9, at: now })], [{ ...full, later: 'x' }], []];
  const headers: string[] = [];
  for (const rows of days) {
    const { bytes } = await written(rows, 'order/list-history', orders);
    headers.push(bytes.toString('utf8').split('\r\n')[0] ?? '');
  }
  const [first = ''] = headers;
  expect(headers).toEqual([first, first, `${first},later`, first]);
  expect(first.split(',')).toEqual(expect.arrayContaining(['stpMode', 'feeDetail', 'execType']));
});

describe('types', () => {
  const typesOf = async (rows: readonly object[], write: string) => {
    const { bytes, manifest } = await written(rows, bills, write);
    const { schema } = parquetMetadata(new Uint8Array(bytes).buffer);
    const shapes = schema
      .slice(1)
      .map(({ name, converted_type: type, precision, scale }) =>
        [name, type, precision, scale].filter((part) => part !== undefined).join(' '),
      );
    return { shapes, manifest };
  };

  test('of fields and of helpers are the same for all rows', async () => {
    const columns = `{ id: "{{ row.billId }}", amount: "{{ row.amount }}", twice: "{{ mul row.amount 2 }}", day: "{{ date row.cTime 'yyyy' }}", at: "{{ row.cTime }}" }`;
    const write = `{ file: bills.parquet, columns: ${columns} }`;
    const expected = [
      'id UTF8',
      'amount DECIMAL 38 18',
      'twice DECIMAL 38 18',
      'day UTF8',
      'at TIMESTAMP_MILLIS',
    ];
    const day = { ...bill({ id: 1, at: now }), amount: '-11.64958799' };
    expect((await typesOf([day], write)).shapes).toEqual(expected);
    expect((await typesOf([{ ...day, amount: '-11.6' }], write)).shapes).toEqual(expected);
    expect((await typesOf([], write)).shapes).toEqual(expected);
  });

  test('can be given in columns, and appear in the manifest', async () => {
    const columns =
      '{ amount: { value: "{{ row.amount }}", type: "decimal(12,8)" }, at: { value: "{{ row.cTime }}", type: text } }';
    const { shapes, manifest } = await typesOf(
      [bill({ id: 1, at: now })],
      `{ file: bills.parquet, columns: ${columns} }`,
    );
    expect(shapes).toEqual(['amount DECIMAL 12 8', 'at UTF8']);
    expect(fieldOf(manifest, 'types')).toEqual({ amount: 'decimal(12,8)', at: 'text' });
  });

  test('of a value that does not fit stop the step with a remedy', async () => {
    const harness = await openHarness();
    const playbook = playbookFrom(`
playbook: 1
name: columns
account: main
steps:
  - id: rows
    uses: ${bills}
    write: { file: bills.parquet, columns: { amount: { value: "{{ row.amount }}", type: "decimal(4,2)" } } }
`);
    await live(harness, playbook, {
      wrap: serving([{ ...bill({ id: 1, at: now }), amount: '1.234' }]),
    });
    expect(entriesOf(harness).find(({ kind }) => kind === 'settled')).toMatchObject({
      outcome: { message: expect.stringContaining('amount of row 1 is 1.234, which decimal(4,2)') },
    });
  });

  test('that a playbook misspells are reported at their place', () => {
    const text = (write: string): string =>
      `playbook: 1\nname: a\nsteps:\n  - uses: market/list-tickers\n    with: { category: SPOT }\n    write: ${write}\n`;
    const problems = (write: string): string[] =>
      loadPlaybook(text(write), 'a.yaml').problems.map(({ code, message }) => `${code} ${message}`);
    const column = '{ p: { value: "{{ row.lastPrice }}", type: decimals } }';
    expect(problems(`{ file: a.parquet, columns: ${column} }`)).toEqual([
      'PB105 type is not a type of a column',
    ]);
    expect(problems('{ file: a.parquet, csv: { bom: true } }')).toEqual([
      'PB105 csv is for CSV files, and this one is parquet',
    ]);
    expect(problems('{ file: a.csv, csv: { delimiter: ":" } }')).toHaveLength(1);
  });
});

test('a CSV file can have a byte order mark and semicolons', async () => {
  const { bytes, manifest } = await written(
    [bill({ id: 1, at: now })],
    bills,
    '{ file: bills.csv, csv: { bom: true, delimiter: ";" } }',
  );
  expect(bytes.toString('utf8')).toBe(
    `\ufeffbillId;symbol;amount;fee;feeByCoupon;businessType;coin;balance;cTime\r\n1;BTCUSDT;1;0;;buy;USDT;1;${now}\r\n`,
  );
  expect(fieldOf(manifest, 'csv')).toEqual({ bom: true, delimiter: ';' });
});

test('a column of a workbook that became text is told where the file is told', async () => {
  const rows = [{ ...bill({ id: 1, at: now }), amount: '4667820987.8847812345' }];
  const { wrote, manifest } = await written(rows, bills, '{ file: bills.xlsx }');
  const exceptions = [
    {
      column: 'amount',
      written: 'text',
      rows: 1,
      first: { row: 1, value: '4667820987.8847812345' },
    },
  ];
  expect(fieldOf(manifest, 'exceptions')).toEqual(exceptions);
  expect(fieldOf(wrote, 'exceptions')).toEqual(exceptions);
});
