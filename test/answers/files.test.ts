/** Files of rows as they came: null, absent and empty are nothing in every format, and `verify` passes. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { strFromU8, unzipSync } from 'fflate';
import { parquetReadObjects } from 'hyparquet';
import { expect, test } from 'vitest';
import type { Transport } from '../../src/exchange/api/exchange.ts';
import type { Json } from '../../src/base/json.ts';
import { checkFile } from '../../src/engine/export/check.ts';
import { parseCsv } from '../support/csv.ts';
import { live, openHarness, playbookFrom } from '../support/harness.ts';

const at = Date.UTC(2026, 10, 20, 3);
const bill = {
  billId: '1111499428100472833',
  symbol: '',
  amount: '-11.64958799',
  fee: '0',
  feeByCoupon: '',
  businessType: 'trans_to_exchange',
  coin: 'USDT',
  balance: '88.35',
  cTime: String(at),
};
const { balance: _absent, ...withoutBalance } = bill;
const odd: readonly Json[] = [
  { ...withoutBalance, billId: '5' },
  { ...bill, billId: '4', balance: null, fee: null, symbol: null },
  { ...bill, billId: '3', balance: '', cTime: null },
  { ...bill, billId: '2', balance: '1E+3', taxed: true },
  { ...bill, billId: null, coin: 'BTC' },
  { ...bill, billId: null, coin: 'ETH' },
];

const fields = Object.keys(bill);
const columns = [...fields, 'taxed'];

/** The export of bills that come with the rows given; the file's path. */
async function exported(ending: string, rows: readonly Json[]): Promise<string> {
  const on = await openHarness();
  const wrap =
    (transport: Transport): Transport =>
    async (request, signal) => {
      const real = await transport(request, signal);
      if (request.operation !== 'futures/list-bills') return real;
      const envelope = JSON.parse(Buffer.from(real.body).toString());
      const data = { bills: rows, endId: null };
      return { ...real, body: Buffer.from(JSON.stringify({ ...envelope, data })) };
    };
  const { status } = await live(
    on,
    playbookFrom(`
playbook: 1
name: bills
steps:
  - id: bills
    uses: futures/list-bills
    with: { productType: USDT-FUTURES, startTime: "${at - 1000}" }
    write: { file: bills.${ending} }
`),
    { wrap },
  );
  expect(status).toBe('done');
  return join(on.workspace, `bills.${ending}`);
}

/** The rows of a file by column, as other programs read them. */
async function rowsIn(file: string): Promise<readonly Record<string, unknown>[]> {
  const bytes = await readFile(file);
  switch (file.slice(file.lastIndexOf('.') + 1)) {
    case 'ndjson':
      return bytes
        .toString()
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line));
    case 'json':
      return JSON.parse(bytes.toString());
    case 'parquet':
      return parquetReadObjects({ file: new Uint8Array(bytes).buffer });
    default: {
      const [head = [], ...lines] = parseCsv(bytes.toString());
      return lines.map((line) => Object.fromEntries(head.map((name, nth) => [name, line[nth]])));
    }
  }
}

test.each(['ndjson', 'json'])('.%s has the values as they came', async (ending) => {
  const file = await exported(ending, odd);
  expect(await rowsIn(file)).toEqual(
    odd.map((row) => ({ ...Object(row), ...(Object(row).cTime === null && { cTime: '' }) })),
  );
  expect((await checkFile(file)).findings).toEqual([]);
});

test('.csv has an empty cell for null, absent and empty', async () => {
  const file = await exported('csv', odd);
  const rows = await rowsIn(file);
  expect(Object.keys(rows[0] ?? {})).toEqual(columns);
  expect(rows.map((row) => row['balance'])).toEqual(['', '', '', '1E+3', '88.35', '88.35']);
  expect(rows.map((row) => row['taxed'])).toEqual(['', '', '', 'true', '', '']);
  expect((await checkFile(file)).findings).toEqual([]);
});

test('.parquet has null for null, absent and empty, and the types of a day without them', async () => {
  const rows = await rowsIn(await exported('parquet', odd));
  expect(Object.keys(rows[0] ?? {})).toEqual(columns);
  const cents = rows.map(({ balance }) => balance && Math.round(100 * Number(balance)));
  expect(cents).toEqual([null, null, null, 100_000, 8835, 8835]);
  expect(rows.map((row) => row['cTime'])).toEqual(
    odd.map((row) => (Object(row).cTime === null ? null : new Date(at))),
  );
  const [usual] = await rowsIn(await exported('parquet', [bill]));
  expect(Object.keys(usual ?? {})).toEqual(fields);
});

test('.xlsx has no cell for null, absent and empty, and a column of numbers stays one', async () => {
  const sheets = unzipSync(await readFile(await exported('xlsx', odd)));
  const sheet = strFromU8(sheets['xl/worksheets/sheet1.xml'] ?? new Uint8Array());
  const balances = [...sheet.matchAll(/<c r="H[2-7]"[^>]*>.*?<\/c>/gs)].map(([cell]) => cell);
  expect(balances.map((cell) => cell.replace(/<[^>]*>/g, ''))).toEqual(['1000', '88.35', '88.35']);
  expect(balances.join('')).not.toContain('t="inlineStr"');
});

test('.parquet has a field that the API does not list as text, whatever its values of that day', async () => {
  for (const level of ['3', 'n3', 3]) {
    const [row] = await rowsIn(await exported('parquet', [{ ...bill, level }]));
    expect(row).toMatchObject({ level: String(level) });
  }
});

test.each(['csv', 'parquet', 'xlsx'])(
  '.%s of a day without rows has every column',
  async (ending) => {
    const file = await exported(ending, []);
    if (ending === 'csv') expect((await readFile(file)).toString()).toBe(`${fields.join(',')}\r\n`);
    const manifest = JSON.parse((await readFile(`${file}.manifest.json`)).toString());
    expect(manifest).toMatchObject({ rows: 0, columns: fields });
  },
);
