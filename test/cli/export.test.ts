/** `export` and `verify`: every read as a file, verified by its manifest. */
import { appendFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { day } from '../../src/base/clock.ts';
import { fieldOf } from '../../src/base/json.ts';
import {
  operationNames,
  operationOf,
  type OperationName,
} from '../../src/exchange/api/operations/index.ts';
import { deskhand, folderWith } from './deskhand.ts';

const profiles = 'profiles:\n  hedge: { as: hedge }\n  agent: { as: agent }\n';
const now = Math.floor(Date.now() / day) * day;
const bitcoin = ['symbol=BTCUSDT', 'productType=USDT-FUTURES'];
const month = [`startTime=${now - 29 * day}`, `endTime=${now}`];

/** The input, account and format for each read. */
const reads: Readonly<Partial<Record<OperationName, readonly [string, string, ...string[]]>>> = {
  'loan/list-symbols': ['hedge', 'json', 'productId=1001'],
  'order/list-open': ['hedge', 'csv', 'category=USDT-FUTURES'],
  'order/list-history': ['hedge', 'csv', `startTime=${now - 95 * day}`],
  'agent/list-trade-volume': ['agent', 'csv.gz', `startTime=${now - 80 * day}`, `endTime=${now}`],
  'agent/list-customers': ['agent', 'ndjson', ...month],
  'loan/list-orders': ['hedge', 'ndjson', ...month],
  'futures/list-bills': ['hedge', 'csv', 'productType=USDT-FUTURES'],
  'agent/list-assets': ['agent', 'json'],
  'futures/list-adl-ranks': ['hedge', 'csv', 'productType=USDT-FUTURES'],
  'market/list-tickers': ['hedge', 'ndjson.gz', 'category=SPOT'],
  'market/get-risk-reserve': ['hedge', 'csv', 'category=USDT-FUTURES', 'symbol=BTCUSDT'],
  'market/list-fills': [
    'hedge',
    'csv',
    'symbol=BTCUSDT',
    'productType=USDT-FUTURES',
    `startTime=${new Date(Date.now() - day / 24).toISOString().slice(0, 19)}Z`,
  ],
  'tax/list-p2p': ['hedge', 'csv', `startTime=${now - 40 * day}`, `endTime=${now}`],
  'margin/get-interest-rate': ['hedge', 'json', 'coin=BTC'],
  'market/list-discount-rates': ['hedge', 'ndjson'],
  'futures/get-order': ['hedge', 'json', ...bitcoin, 'clientOid=kept'],
  'futures/list-open-orders': ['hedge', 'csv', 'productType=USDT-FUTURES'],
  'futures/list-closed-orders': ['hedge', 'csv', 'productType=USDT-FUTURES', ...month],
  'futures/list-positions': ['hedge', 'ndjson', 'productType=USDT-FUTURES'],
  'futures/get-account': ['hedge', 'json', ...bitcoin, 'marginCoin=USDT'],
  'trade/get-order': ['hedge', 'csv', 'clientOid=kept'],
  'trade/list-positions': ['hedge', 'csv', 'category=USDT-FUTURES'],
  'account/get-settings': ['hedge', 'json'],
};

/** The order that two of the reads look up. */
const kept = ['marginMode=crossed', 'marginCoin=USDT', 'size=0.010', 'side=buy', 'tradeSide=open'];
const resting = [...bitcoin, ...kept, 'orderType=limit', 'price=30000', 'clientOid=kept'];

test('every read can be exported, and verify checks each file against its manifest', async () => {
  const cwd = folderWith({ 'deskhand.yaml': profiles });
  const files: string[] = [];
  const placed = await deskhand(['call', 'futures/place-order', ...resting, '-p', 'hedge'], {
    cwd,
  });
  expect(placed.code, placed.stderr).toBe(0);
  for (const name of operationNames) {
    const read = reads[name];
    expect(read === undefined, name).toBe(operationOf(name).effect !== 'read');
    if (read === undefined) continue;
    const [profile, ending, ...fields] = read;
    const file = `out/${name.replace('/', '-')}.${ending}`;
    const words = ['export', name, ...fields, '--file', file, '-p', profile, '-o', 'json'];
    const { code, stdout, stderr } = await deskhand(words, { cwd });
    expect(code, `${name}: ${stderr}`).toBe(0);
    expect(fieldOf(JSON.parse(stdout), 'files')).toMatchObject([{ file }]);
    files.push(file);
  }
  const { code, stdout } = await deskhand(['verify', ...files, '-o', 'json'], { cwd });
  expect(code, stdout).toBe(0);
  const reports: unknown[] = JSON.parse(stdout).files;
  expect(reports.map((each) => [fieldOf(each, 'file'), fieldOf(each, 'findings')])).toEqual(
    files.map((file) => [file, []]),
  );
  const rows = reports.map((each) => Number(fieldOf(fieldOf(each, 'manifest'), 'rows')));
  expect(rows.filter((count) => count > 0).length).toBeGreaterThan(10);

  for (const [index, file] of files.entries()) flipByte(join(cwd, file), index);
  const flipped = await deskhand(['verify', ...files, '-o', 'json'], { cwd });
  expect(flipped.code).toBe(1);
  for (const each of JSON.parse(flipped.stdout).files) {
    expect(each).toMatchObject({
      isWhole: false,
      findings: ['its digest is not the one in its manifest'],
    });
  }
});

/** Flips one bit of one byte, at a different place in each file. */
function flipByte(file: string, index: number): void {
  const bytes = readFileSync(file);
  const place = Math.floor((bytes.length * ((index % 15) + 1)) / 16);
  bytes.writeUInt8(bytes.readUInt8(place) ^ (1 << (index % 8)), place);
  writeFileSync(file, bytes);
}

test('--type gives a column its type, with --columns or beside all fields of the API', async () => {
  const cwd = folderWith({ 'deskhand.yaml': profiles });
  const tickers = ['export', 'market/list-tickers', 'category=SPOT'];
  const manifestOf = async (file: string, ...words: string[]): Promise<unknown> => {
    const { code, stderr } = await deskhand([...tickers, '--file', file, ...words], { cwd });
    expect(code, stderr).toBe(0);
    return JSON.parse(readFileSync(join(cwd, `${file}.manifest.json`), 'utf8'));
  };
  const typed = ['--type', 'lastPrice=decimal(38,8)', '--type', 'ts=text'];
  const all = await manifestOf('all.parquet', ...typed);
  expect(all).toMatchObject({
    types: { lastPrice: 'decimal(38,8)', ts: 'text', symbol: 'text', volume24h: 'decimal(38,18)' },
  });
  const some = await manifestOf('some.parquet', '--columns', 'symbol,markPrice');
  expect(some).toMatchObject({ types: { symbol: 'text', markPrice: 'decimal(38,18)' } });
  const two = await manifestOf('two.parquet', '--columns', 'ts,lastPrice', ...typed);
  expect(two).toMatchObject({ types: { lastPrice: 'decimal(38,8)', ts: 'text' } });
  for (const [word, said] of [
    ['lastPrise=text', 'did you mean lastPrice?'],
    ['lastPrice', 'is not a type like name=value'],
    ['lastPrice=float', 'write text, time, integer, decimal or decimal(P,S)'],
  ] as const) {
    const words = [...tickers, '--file', 'no.parquet', '--type', word];
    const { code, stderr } = await deskhand(words, { cwd });
    expect([code !== 0, stderr.replaceAll(/\s+/g, ' ')]).toEqual([
      true,
      expect.stringContaining(said),
    ]);
  }
});

describe('a file that was changed', () => {
  const exported = async () => {
    const cwd = folderWith({ 'deskhand.yaml': profiles });
    const words = ['export', 'market/list-tickers', 'category=SPOT', '--file', 'tickers.csv'];
    expect(await deskhand(words, { cwd })).toMatchObject({ code: 0 });
    const file = join(cwd, 'tickers.csv');
    const manifest = `${file}.manifest.json`;
    const changeManifest = (from: string | RegExp, to: string): void =>
      writeFileSync(manifest, readFileSync(manifest, 'utf8').replace(from, to));
    return { cwd, file, changeManifest, words };
  };
  const verified = (cwd: string) => deskhand(['verify', 'tickers.csv'], { cwd });

  test('is reported with the difference, exit 1', async () => {
    const { cwd, file, changeManifest, words } = await exported();
    const whole = await verified(cwd);
    expect(whole).toMatchObject({ code: 0 });
    expect(whole.stdout).toMatch(
      /tickers\.csv is whole: \d+ rows, market\/list-tickers, no duplicate rows/,
    );

    changeManifest(/"rows": \d+/, '"rows": 7');
    expect((await verified(cwd)).stdout).toMatch(/it has \d+ rows, its manifest says 7/);

    appendFileSync(file, 'x');
    const changed = await verified(cwd);
    expect(changed).toMatchObject({ code: 1 });
    expect(changed.stdout).toMatch(/it has \d+ bytes, its manifest says \d+/);

    const again = await deskhand(words, { cwd });
    expect(again).toMatchObject({ code: 1 });
    expect(again.stdout).toContain('tickers.csv already exists');
    expect(again.stdout).toContain('set `overwrite: true` (--overwrite on the command line)');
    expect(await deskhand([...words, '--overwrite'], { cwd })).toMatchObject({ code: 0 });
    expect(await verified(cwd)).toMatchObject({ code: 0 });
  });

  test('has a gap if a window is missing', async () => {
    const { cwd, changeManifest } = await exported();
    const [from, to] = [Date.UTC(2026, 0, 1), Date.UTC(2026, 0, 31)];
    const covered = [
      { from, to: from + day },
      { from: from + 2 * day, to },
    ];
    changeManifest(
      '"covered": []',
      `"asked": ${JSON.stringify({ from, to })}, "covered": ${JSON.stringify(covered)}`,
    );
    const { code, stdout } = await verified(cwd);
    expect(code).toBe(1);
    expect(stdout).toContain(
      'nothing was read from 2026-01-02T00:00:00.001Z to 2026-01-02T23:59:59.999Z',
    );
  });
});

test.each([
  [['export', 'market/list-tickers'], 2, '--file is missing'],
  [['export', 'order/list-hist', '--file', 'a.csv'], 2, 'did you mean order/list-history?'],
  [
    ['export', 'market/list-tickers', 'categry=SPOT', '--file', 'a.csv'],
    2,
    'did you mean category?',
  ],
  [['export', 'account/create-sub', '--file', 'a.csv'], 2, 'only reads can be exported'],
  [
    ['export', 'market/list-tickers', '--file', '/tmp/a.csv'],
    3,
    'is not a name under the workspace',
  ],
  [['export', 'market/list-tickers', '--file', 'a.txt'], 3, 'is not a format of rows'],
  [['verify', 'nowhere.csv'], 1, 'file not found: nowhere.csv'],
  [
    ['export', 'agent/list-assets', 'pageNo=1', '--file', 'a.csv'],
    2,
    'pageNo selects one page, but an export reads all pages',
  ],
  [
    ['export', 'order/list-history', 'startTime=2026-02-31', '--file', 'a.csv'],
    2,
    'startTime is not a time: 2026-02-31',
  ],
  [
    ['export', 'order/list-history', '--file', 'a.csv', '--columns', 'orderId,prise'],
    2,
    'did you mean price?',
  ],
  [['export', 'order/list-history', '--file', 'a.csv', '--columns', 'price,price'], 2, 'twice'],
  [
    ['export', 'order/list-history', '--file', 'a.csv', '--sort', 'nope'],
    3,
    'unknown column "nope"',
  ],
])('%j exits with %i and the reason', async (words, code, said) => {
  const ended = await deskhand(words, { cwd: folderWith() });
  expect(ended.code, ended.stderr).toBe(code);
  expect(ended.stderr + ended.stdout).toContain(said);
  expect(ended.stderr + ended.stdout).not.toContain('(export)');
});

test('an export without a start has all available rows and reports none as missing', async () => {
  const cwd = folderWith();
  const words = ['export', 'futures/list-bills', 'productType=USDT-FUTURES', '--file', 'a.csv'];
  const { stdout } = await deskhand(words, { cwd });
  expect(stdout).not.toContain('instead of');
  expect((await deskhand(['verify', 'a.csv'], { cwd })).stdout).not.toContain('no older data');
});

describe('files that follow one another', () => {
  const rangeOf = (cwd: string, file: string): { from: number; to: number } =>
    JSON.parse(readFileSync(join(cwd, `${file}.manifest.json`), 'utf8')).asked;
  const [first, second, third] = [3, 2, 1].map((ago) =>
    new Date(now - ago * day).toISOString().slice(0, 10),
  );

  test('from date to date share no moment, and both bounds are shown', async () => {
    const cwd = folderWith();
    const words = (from = '', to = ''): string[] => [
      'export',
      'tax/list-p2p',
      `startTime=${from}`,
      `endTime=${to}`,
      '--file',
      `${from}.csv`,
    ];
    const { stdout } = await deskhand(words(first, second), { cwd });
    expect(stdout).toContain(`${first} 00:00:00 to ${first} 23:59:59.999 UTC`);
    const { code } = await deskhand([...words(second, third), '-o', 'json'], { cwd });
    expect(code).toBe(0);
    const [one, two] = [rangeOf(cwd, `${first}.csv`), rangeOf(cwd, `${second}.csv`)];
    expect([one.from, one.to + 1, two.to + 1]).toEqual([now - 3 * day, two.from, now - day]);
  });

  test('of a bundled playbook share no moment', async () => {
    const text = readFileSync(join('workflows', 'p2p-tax-year.yaml'), 'utf8');
    const cwd = folderWith({
      'tax.yaml': text,
      'deskhand.yaml': 'profiles:\n  main: { as: hedge }\n',
    });
    for (const [from, to] of [
      [first, second],
      [second, third],
    ]) {
      const words = ['run', 'tax.yaml', '--var', `from=${from}`, '--var', `to=${to}`];
      const { code, stdout, stderr } = await deskhand(words, { cwd });
      expect(code, stdout + stderr).toBe(0);
    }
    const [one, two] = [`out/p2p-${first}-${second}.csv`, `out/p2p-${second}-${third}.csv`];
    expect(rangeOf(cwd, one).to + 1).toBe(rangeOf(cwd, two).from);
  });

  test('of call --page all have the range of the export, in the JSON and on the screen', async () => {
    const cwd = folderWith();
    const words = [
      'call',
      'tax/list-p2p',
      `startTime=${first}`,
      `endTime=${second}`,
      '--page',
      'all',
    ];
    const { stdout } = await deskhand([...words, '-o', 'json'], { cwd });
    expect(fieldOf(JSON.parse(stdout), 'range')).toEqual({
      from: now - 3 * day,
      to: now - 2 * day - 1,
    });
    const { stderr } = await deskhand(words, { cwd });
    expect(stderr).toContain(`${first} 00:00:00 to ${first} 23:59:59.999 UTC`);
    const single = await deskhand(words.slice(0, -2), { cwd });
    expect(single.code).toBe(3);
  });
});
