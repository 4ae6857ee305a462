import { execFileSync } from 'node:child_process';
import { cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { realDisk } from '../../../src/engine/export/disk.ts';
import type { ExportError } from '../../../src/engine/export/error.ts';
import { formatOf } from '../../../src/engine/export/formats.ts';
import { checkFile } from '../../../src/engine/export/check.ts';
import { sha256 } from '../../../src/base/json.ts';
import { manifestEnding, manifestText, type Origin } from '../../../src/engine/export/manifest.ts';
import { readRows, rowsOfFile } from '../../../src/engine/export/read-rows.ts';
import type { Row } from '../../../src/exchange/api/listing.ts';
import { fieldText } from '../../../src/engine/export/row.ts';
import { writeRows, type RowsRequest } from '../../../src/engine/export/rows.ts';
import { verifyFile } from '../../../src/engine/export/verify.ts';
import { parseCsv } from '../../support/csv.ts';

let workspace: string;
beforeEach(async () => {
  workspace = await mkdtemp(join(tmpdir(), 'deskhand-export-'));
});
afterEach(() => rm(workspace, { recursive: true }));

const origin: Origin = {
  operation: 'agent/list-trade-volume',
  input: {},
  clamps: [],
  asked: { from: 1_700_000_000_000, to: 1_702_592_000_000 },
  covered: [{ from: 1_700_000_000_000, to: 1_702_592_000_000 }],
  pages: 3,
  duplicatesDropped: 1,
  exchangeTime: 1_702_600_000_000,
  contract: 'c0ffee',
};

async function* from(rows: readonly Row[]): AsyncGenerator<Row> {
  yield* rows;
}

const write = (rows: readonly Row[], more: Partial<RowsRequest> = {}) =>
  writeRows({
    workspace,
    file: 'out/rows.csv',
    format: 'csv',
    rows: () => from(rows),
    origin: () => origin,
    ...more,
  });

const text = (file = 'out/rows.csv') => readFile(join(workspace, file), 'utf8');

describe('formats', () => {
  test('CSV has CRLF, the columns in order, and empty fields for missing values', async () => {
    await write(
      [
        { b: 'x, "y"', a: '1' },
        { a: 'two\nlines', c: null },
      ],
      {
        columns: ['a', 'b', 'c'],
      },
    );
    expect(await text()).toBe('a,b,c\r\n1,"x, ""y""",\r\n"two\nlines",,\r\n');
  });

  test('without columns CSV has every field of any row, in order of appearance', async () => {
    await write([{ a: '1' }, { b: true, a: 2 }, { c: [{ d: 1.5 }] }]);
    expect(await text()).toBe('a,b,c\r\n1,,\r\n2,true,\r\n,,"[{""d"":1.5}]"\r\n');
  });

  test('NDJSON has one object per line, JSON one list', async () => {
    const rows = [{ b: '1', a: 'ä' }, { a: 'z' }];
    await write(rows, { file: 'a.ndjson', format: 'ndjson', columns: ['a', 'b'] });
    await write(rows, { file: 'a.json', format: 'json' });
    expect(await text('a.ndjson')).toBe('{"a":"ä","b":"1"}\n{"a":"z"}\n');
    expect(await text('a.json')).toBe('[\n{"b":"1","a":"ä"},\n{"a":"z"}\n]\n');
  });

  test('a row with one empty field is a line', async () => {
    await write([{ a: '' }, { a: '1' }]);
    expect(await text()).toBe('a\r\n""\r\n1\r\n');
  });

  test('without rows there is a header, an empty file or an empty list', async () => {
    await write([], { columns: ['a', 'b'] });
    await write([], { file: 'a.ndjson', format: 'ndjson' });
    await write([], { file: 'a.json', format: 'json' });
    expect([await text(), await text('a.ndjson'), await text('a.json')]).toEqual([
      'a,b\r\n',
      '',
      '[]\n',
    ]);
  });

  test('the format comes from the flag or the extension, and others are refused by name', () => {
    expect(formatOf('out/a.b/rows.JSON')).toBe('json');
    expect(formatOf('rows.txt', 'ndjson')).toBe('ndjson');
    expect(formatOf('out/rows.ndjson.GZ')).toBe('ndjson');
    expect(() => formatOf('rows.avro')).toThrow('format avro is not supported in this version');
    expect(() => formatOf('rows.parquet.gz')).toThrow('rows.parquet.gz would be compressed twice');
    expect(() => formatOf('out.d/rows')).toThrow('out.d/rows has no extension');
  });
});

test.each([
  [['desk'], 'rows 1 and 2 of'],
  [['uid', 'time'], undefined],
])(
  'rows that both lack %j are compared if these are not the id of the list',
  async (unique, said) => {
    const rows = [
      { uid: '', time: '1', desk: '' },
      { uid: '', time: '1', desk: '' },
    ];
    const made = await write(rows, { columns: ['uid', 'time', 'desk'] });
    const file = join(workspace, 'out/rows.csv');
    await writeFile(
      `${file}${manifestEnding}`,
      manifestText(made, { format: 'csv', columns: ['uid', 'time', 'desk'], unique }, origin),
    );
    const { findings } = await checkFile(file);
    expect(findings).toEqual(said === undefined ? [] : [expect.stringContaining(said)]);
  },
);

test.each([
  ['=HYPERLINK("x")', `'=HYPERLINK("x")`],
  ['+49', "'+49"],
  ['-', "'-"],
  ['-0.222', '-0.222'],
  ['-1e3', "'-1e3"],
  ['@sum', "'@sum"],
  ['\tx', "'\tx"],
  ['\rx', "'\rx"],
  ['＝1', "'＝1"],
  ['a=1', 'a=1'],
  ["'=1", "''=1"],
  ["'tis", "'tis"],
  [';=1+1', ";'=1+1"],
  ['x;=1+1;y', "x;'=1+1;y"],
  ['x\t@sum', "x\t'@sum"],
  ['x;;＝1', "x;;'＝1"],
  ['a;b', 'a;b'],
  ["=1;'-2", "'=1;''-2"],
])('the cell %j is escaped so that no spreadsheet evaluates it', async (cell, written) => {
  await write([{ [cell]: cell }]);
  expect(parseCsv(await text())).toEqual([[written], [written]]);
});

test('any text survives CSV after the formula mark is removed', async () => {
  const cell = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.constantFrom('', '"', '\r\n', '\n', '\r', ',', '\u2028', '-1.5', ' x '),
    fc.constantFrom('=x', "'=x", "''=x", "'-1.5", "''", "'x", ';=x', "a;'=x", 'a\t-1', ";';'="),
  );
  const unmarked = (value: string): string =>
    value.replaceAll(/(^|[;\t])'(?='*[=+\-@\t\r＝＋－＠])/g, '$1');
  const byText = (a: string[], b: string[]) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1);
  await fc.assert(
    fc.asyncProperty(fc.array(fc.tuple(cell, cell), { maxLength: 8 }), async (pairs) => {
      await write(
        pairs.map(([a, b]) => ({ a, b })),
        { columns: ['a', 'b'], sort: ['a'] },
      );
      const read = parseCsv(await text())
        .slice(1)
        .map((line) => line.map(unmarked));
      const kept = pairs.map((pair) => pair.map(wellFormed)).sort(byText);
      expect(read.sort(byText)).toEqual(kept);
      const ours: string[][] = [];
      for await (const row of rowsOfFile(join(workspace, 'out/rows.csv'), 'csv')) {
        ours.push([fieldText(row, 'a'), fieldText(row, 'b')]);
      }
      expect(ours.sort(byText)).toEqual(kept);
    }),
    { numRuns: 200 },
  );
});

test.each([
  ['a.json', '[\n{"a":\n]\n', 'has a line that is not JSON'],
  ['a.ndjson', '{"a":1}\n{a}\n', 'has a line that is not JSON'],
  ['a.csv', 'a,b\r\n1\r\n', 'has a record of 1 fields, not 2'],
  ['a.csv.gz', 'a,b\r\n', 'cannot be decompressed'],
])(
  '%s from another program is a finding, even with a matching manifest',
  async (file, inside, finding) => {
    const path = join(workspace, file);
    const bytes = Buffer.byteLength(inside);
    const written = { file, rows: 1, bytes, sha256: sha256(inside) };
    await writeFile(path, inside);
    const unbounded: Origin = {
      ...origin,
      asked: { from: 0, to: 0 },
      covered: [{ from: 0, to: 0 }],
    };
    await writeFile(
      `${path}${manifestEnding}`,
      manifestText(written, { format: formatOf(file) }, unbounded),
    );
    expect(await checkFile(path)).toMatchObject({ findings: [expect.stringContaining(finding)] });
  },
);

describe('order', () => {
  test('numbers are sorted by value before texts, then by the next column, then by arrival', async () => {
    const rows = [
      ['10', 'b'],
      ['9', 'a'],
      ['x', '1'],
      ['-1.5', 'z'],
      ['9.0', 'a'],
      ['', 'e'],
      ['9', ''],
    ];
    await write(
      rows.map(([n, t]) => ({ n: n ?? '', t: t ?? '' })),
      { sort: ['n', 't'] },
    );
    expect(
      parseCsv(await text())
        .slice(1)
        .map((line) => line.join('|')),
    ).toEqual(['-1.5|z', '9|', '9|a', '9.0|a', '10|b', '|e', 'x|1']);
  });
});

describe('unique', () => {
  test('two rows with equal unique columns are an error that names both, and no file remains', async () => {
    const rows = [
      { uid: '7', day: 'd1' },
      { uid: '8', day: 'd1' },
      { uid: '7', day: 'd1' },
    ];
    await expect(
      write(rows, { unique: ['uid', 'day'] }),
    ).rejects.toThrowErrorMatchingInlineSnapshot(
      `[ExportError: rows 1 and 3 of out/rows.csv are both uid 7 and day d1]`,
    );
    expect(await readdir(join(workspace, 'out'))).toEqual([]);
  });

  test('values are compared as text: 1.0 and 1.00 differ', async () => {
    const written = await write([{ id: '1.0' }, { id: '1.00' }, { id: '' }], { unique: ['id'] });
    expect(written.rows).toBe(3);
  });
});

describe('manifest', () => {
  test('names the source of the rows and the digest of the file', async () => {
    const written = await write([{ a: '1' }, { a: '2' }]);
    expect(JSON.parse(await text('out/rows.csv.manifest.json'))).toEqual({
      manifest: 1,
      file: 'rows.csv',
      format: 'csv',
      rows: 2,
      bytes: 9,
      sha256: written.sha256,
      ...origin,
    });
    const file = join(workspace, 'out/rows.csv');
    expect(await verifyFile(file)).toMatchObject({ kind: 'whole', claim: { rows: 2 } });
    await writeFile(file, 'a\r\n1\r\n3\r\n');
    expect(await verifyFile(file)).toEqual({
      kind: 'changed',
      because: 'its digest is not the one in its manifest',
    });
    await writeFile(file, 'a\r\n');
    expect(await verifyFile(file)).toEqual({
      kind: 'changed',
      because: 'it has 3 bytes, its manifest says 9',
    });
    await rm(`${file}.manifest.json`);
    expect(await verifyFile(file)).toMatchObject({ kind: 'unproved' });
    await rm(file);
    expect(await verifyFile(file)).toMatchObject({ kind: 'missing' });
  });

  test.each(['', '[]', '{"manifest":2}', '{"manifest":1,"bytes":9}', '{"a":1,"a":2}'])(
    'the manifest %j is not accepted',
    async (manifest) => {
      await write([{ a: '1' }, { a: '2' }]);
      const file = join(workspace, 'out/rows.csv');
      await writeFile(`${file}.manifest.json`, manifest);
      expect((await verifyFile(file)).kind).toBe('unproved');
    },
  );
});

describe('a path that is not a file', () => {
  const place = (name = 'rows.csv') => join(workspace, 'out', name);
  const pipe = (path: string): void => void execFileSync('mkfifo', [path]);
  const findings = async (name?: string) => (await checkFile(place(name))).findings;
  const noFile = 'is a folder, a pipe or a device, not a file';

  test('is reported, and verify does not wait for a pipe', async () => {
    await write([{ a: '1' }]);
    pipe(place('pipe.csv'));
    await cp(place('rows.csv.manifest.json'), place('pipe.csv.manifest.json'));
    await mkdir(place('folder.csv'));
    expect(await findings('pipe.csv')).toEqual([`it ${noFile}`]);
    expect(await findings('folder.csv')).toEqual([`it ${noFile}`]);
    expect((await checkFile('/dev/zero')).findings).toEqual([`it ${noFile}`]);
    expect(await findings('rows.csv/x')).toEqual([`file not found: ${place('rows.csv/x')}`]);
  });

  test('is reported for the manifest, too', async () => {
    await write([{ a: '1' }]);
    const manifest = place(`rows.csv${manifestEnding}`);
    await rm(manifest);
    pipe(manifest);
    expect(await findings()).toEqual([`its manifest ${noFile}`]);
    await rm(manifest);
    await mkdir(manifest);
    expect(await findings()).toEqual([`its manifest ${noFile}`]);
    await rm(manifest, { recursive: true });
    await writeFile(manifest, ' '.repeat(1024 * 1024 + 1));
    expect(await findings()).toEqual(['its manifest is larger than 1 MiB']);
    await writeFile(manifest, Uint8Array.of(0xff));
    expect(await findings()).toEqual(['its manifest cannot be read: not valid UTF-8']);
  });

  test.each([
    ['format', 'word'],
    ['unique', 'a'],
    ['unique', [1]],
    ['asked', {}],
    ['asked', { from: 0, to: 9e15 }],
    ['covered', [7]],
    ['covered', [{ from: '0', to: 1 }]],
    ['clamps', [{ bound: 'from', asked: 'x', used: 1 }]],
    ['clamps', [{ bound: 'up', asked: 1, used: 1 }]],
  ])('a manifest whose %s is %j was changed', async (field, value) => {
    await write([{ a: '1' }]);
    const manifest = place(`rows.csv${manifestEnding}`);
    const said: unknown = JSON.parse(await readFile(manifest, 'utf8'));
    await writeFile(manifest, JSON.stringify({ ...Object(said), [field]: value }));
    expect(await findings()).toEqual([
      `its manifest was changed: deskhand does not write this value of ${field}`,
    ]);
  });
});

describe('rows read back', () => {
  test.each([
    ['rows.txt', 'csv'],
    ['rows.csv', 'ndjson'],
    ['rows.NDJSON.GZ', 'ndjson'],
    ['rows.csv.gz', 'json'],
  ] as const)('%s written as %s is read in that format', async (name, format) => {
    const rows = [{ a: '1' }, { a: 'x,y' }];
    await write(rows, { file: `out/${name}`, format });
    const read: Row[] = [];
    for await (const row of readRows(workspace, `out/${name}`)) read.push(row);
    expect(read).toEqual(rows);
    expect(await checkFile(join(workspace, 'out', name))).toMatchObject({ findings: [] });
  });
});

describe('the file and its manifest', () => {
  test('an earlier file is replaced completely; the same rows give the same bytes', async () => {
    const first = await write([{ a: '1' }]);
    await write([{ a: 'longer than before' }]);
    expect(await write([{ a: '1' }])).toEqual(first);
    expect((await readdir(join(workspace, 'out'))).sort()).toEqual([
      'rows.csv',
      'rows.csv.manifest.json',
    ]);
  });

  test('a read that fails halfway leaves the earlier file unchanged', async () => {
    await write([{ a: '1' }]);
    async function* broken(): AsyncGenerator<Row> {
      yield { a: '2' };
      throw new Error('page 2 was refused');
    }
    for (const sort of [undefined, ['a']]) {
      await expect(write([], { rows: broken, ...(sort && { sort }) })).rejects.toThrow('page 2');
    }
    expect(await text()).toBe('a\r\n1\r\n');
    expect(await verifyFile(join(workspace, 'out/rows.csv'))).toMatchObject({ kind: 'whole' });
    expect(await readdir(join(workspace, 'out'))).toHaveLength(2);
  });

  test('a full disk is reported, and nothing remains', async () => {
    const full = Object.assign(new Error('ENOSPC: no space left on device'), { code: 'ENOSPC' });
    const disk = {
      ...realDisk,
      create: async (path: string) => ({
        ...(await realDisk.create(path)),
        write: () => Promise.reject(full),
      }),
    };
    const failure = await write([{ a: '1' }], { disk }).catch((error: ExportError) => error);
    expect(failure).toMatchObject({
      code: 'disk-full',
      message: 'out/rows.csv was not written: the disk is full',
      hint: 'free space and run it again; no partial file was left',
      exit: 1,
    });
    expect(await readdir(join(workspace, 'out'))).toEqual([]);
  });

  test('too many different fields are refused before they fill the memory', async () => {
    async function* wide(): AsyncGenerator<Row> {
      for (let at = 0; ; at++) yield { [`key-${at}`]: '1' };
    }
    await expect(write([], { rows: wide })).rejects.toThrow('more than 1000 different fields');
  });

  test('a missing folder is created', async () => {
    await mkdir(join(workspace, 'out'));
    await write([{ a: '1' }], { file: 'out/2026/11/a.csv' });
    expect(await text('out/2026/11/a.csv')).toBe('a\r\n1\r\n');
  });
});

/** UTF-8 has no lone surrogates: they become U+FFFD on the way to a file. */
function wellFormed(value: string): string {
  return Buffer.from(value, 'utf8').toString('utf8');
}
