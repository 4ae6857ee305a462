/** Rules for all formats: where a file may be written, and how texts and numbers are represented. */
import { lstat, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { strFromU8, unzipSync } from 'fflate';
import { parquetReadObjects } from 'hyparquet';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { textType } from '../../../src/exchange/api/column-types.ts';
import { formatOf } from '../../../src/engine/export/formats.ts';
import { verifyFile } from '../../../src/engine/export/verify.ts';
import { placeFor } from '../../../src/engine/export/overwrite.ts';
import { openTarget } from '../../../src/engine/export/target.ts';
import type { Row } from '../../../src/exchange/api/listing.ts';
import { writeRows } from '../../../src/engine/export/rows.ts';
import { origin } from '../../support/origin.ts';

const texts = ['csv', 'ndjson', 'json'];
const endings = [...texts, ...texts.map((ending) => `${ending}.gz`), 'parquet', 'xlsx'];
const formula = '=HYPERLINK("http://x","y")';
const row: Row = { note: formula, fee: '-0.222', id: '1234567890123456789' };

let folder: string;
let workspace: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'deskhand-formats-'));
  workspace = join(folder, 'work');
  await mkdir(workspace);
});
afterEach(() => rm(folder, { recursive: true }));

const write = (file: string) =>
  writeRows({
    workspace,
    file,
    format: formatOf(file),
    rows: async function* rows() {
      yield row;
    },
    types: new Map([['id', textType]]),
    columns: ['note', 'fee', 'id'],
    origin: () => origin,
  });

/** The cells as another program reads them. */
async function cellsOf(file: string): Promise<readonly unknown[]> {
  const bytes = await readFile(join(workspace, file));
  const text = (file.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString('utf8');
  switch (formatOf(file)) {
    case 'csv':
      return [text.split('\r\n')[1]];
    case 'ndjson':
      return Object.values(JSON.parse(text));
    case 'json':
      return Object.values(JSON.parse(text)[0]);
    case 'parquet': {
      const [first = {}] = await parquetReadObjects({ file: new Uint8Array(bytes).buffer });
      return Object.values(first);
    }
    case 'xlsx': {
      const sheet = strFromU8(unzipSync(bytes)['xl/worksheets/sheet1.xml'] ?? new Uint8Array());
      expect(sheet).not.toContain('<f>'); // no cell is a formula
      return [...sheet.matchAll(/<c r="[A-C]2"[^>]*>.*?<\/c>/gs)].map(([cell]) =>
        cell.replace(/<[^>]*>/g, ''),
      );
    }
  }
}

describe.each(endings)('.%s', (ending) => {
  const file = `rows.${ending}`;

  test('a formula is text, a negative amount a number, an id keeps its digits', async () => {
    await write(file);
    const cells = await cellsOf(file);
    const plain = [formula, ending === 'parquet' ? -0.222 : '-0.222', row['id']];
    const isCsv = formatOf(file) === 'csv';
    const inCsv = `"'=HYPERLINK(""http://x"",""y"")",-0.222,1234567890123456789`;
    expect(cells).toEqual(isCsv ? [inCsv] : plain);
  });

  test('stays in the workspace: no parent folders and no links', async () => {
    const outside = join(folder, 'outside');
    await mkdir(outside);
    await writeFile(join(outside, 'mine'), 'mine');
    await symlink(outside, join(workspace, 'linked'));
    await symlink(join(outside, 'mine'), join(workspace, file));
    for (const escape of [`../${file}`, join(outside, file), `linked/${file}`, file]) {
      await expect(write(escape), escape).rejects.toThrow();
    }
    expect(await readdir(outside)).toEqual(['mine']);
    expect(await readFile(join(outside, 'mine'), 'utf8')).toBe('mine');
    expect((await lstat(join(workspace, file))).isSymbolicLink()).toBe(true);
    expect((await readdir(workspace)).sort()).toEqual(['linked', file].sort());
  });

  test('replaces only an earlier export, and only where that is allowed', async () => {
    await write(file);
    const path = join(workspace, file);
    expect(await verifyFile(path)).toMatchObject({ kind: 'whole', claim: { rows: 1 } });
    const target = await openTarget(workspace, file);
    expect((await placeFor(target, 'own')).replaces).toBe(1);
    await expect(placeFor(target, 'none')).rejects.toThrow('already exists');
    await writeFile(path, 'mine');
    await expect(placeFor(target, 'own')).rejects.toThrow('already exists');
    expect(await readFile(path, 'utf8')).toBe('mine');
    await target.close();
  });
});
