/** Fetched files: whatever a journal names them, nothing outside the folder is touched, and nothing is replaced. */
import { createHash } from 'node:crypto';
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { fetchFiles, type Fetched } from '../../../src/stores/outputs/fetch.ts';
import type { RunFile } from '../../../src/stores/outputs/written-files.ts';
import { seeFiles } from '../../../src/stores/outputs/seen.ts';
import type { OutputReader } from '../../../src/stores/outputs.ts';

const digest = (text: string): string => createHash('sha256').update(text).digest('hex');

const storedFile = (path: string, text = 'rows'): RunFile => ({
  path,
  bytes: text.length,
  sha256: digest(text),
  hasManifest: false,
  stored: { in: 'store' },
});

/** A store with what these files claim to be, each in parts of two bytes. */
function readerOf(files: readonly RunFile[], text: string): OutputReader {
  return {
    list: async () => files.map(({ path, sha256, bytes }) => ({ path, sha256, bytes })),
    part: async (_run, _output, part) => {
      const content = Buffer.from(text.slice(part * 2, part * 2 + 2));
      return content.length === 0 ? undefined : content;
    },
  };
}

async function fetched(files: readonly RunFile[], into: string, text = 'rows') {
  const options = {
    run: 'r-1',
    workspace: join(into, '..', 'none'),
    reader: readerOf(files, text),
  };
  const all: Fetched[] = [];
  for await (const one of fetchFiles(await seeFiles(files, options), into, options)) all.push(one);
  return all.map((one) => (one.kind === 'failed' ? one.error.message : one.kind));
}

function folder(): { readonly into: string; readonly outside: string } {
  const outside = mkdtempSync(join(tmpdir(), 'fetch-'));
  const into = join(outside, 'into');
  mkdirSync(into);
  return { into, outside };
}

test.each([
  ['../evil', '".."'],
  ['a/../../evil', '".."'],
  ['/etc/evil', 'absolute'],
  ['C:\\evil', 'characters other than'],
  ['.ssh/config', 'begins with a dot'],
  ['nul.csv', 'device on Windows'],
  ['a//b', 'empty'],
  ['', 'empty'],
  ['evil\u0000.csv', 'characters other than'],
  ['\u001b[2J', 'characters other than'],
  [`${'x'.repeat(200)}.csv`, 'longer than 100'],
  [`${'a/'.repeat(40)}b`, 'more than 16 parts'],
  ['a.csv.manifest.json', 'reserved'],
])('%j is refused', async (path, because) => {
  const { into, outside } = folder();
  const [said = ''] = await fetched([storedFile(path)], into);
  expect(said).toContain(because);
  expect(said).not.toMatch(/[^ -~…]/);
  expect([readdirSync(into), readdirSync(outside)]).toEqual([[], ['into']]);
});

test('a link in the folder is not followed, and nothing else is lost by it', async () => {
  const { into, outside } = folder();
  mkdirSync(join(outside, 'target'));
  symlinkSync(join(outside, 'target'), join(into, 'out'));
  writeFileSync(join(outside, 'own'), 'mine');
  symlinkSync(join(outside, 'own'), join(into, 'b.csv'));
  const files = ['out/a.csv', 'b.csv', 'c.csv'].map((path) => storedFile(path));
  expect(await fetched(files, into)).toEqual([
    expect.stringContaining('is a link'),
    expect.stringContaining('links are not followed'),
    'placed',
  ]);
  expect(readdirSync(join(outside, 'target'))).toEqual([]);
  expect(readFileSync(join(outside, 'own'), 'utf8')).toBe('mine');
});

test('names that differ only in their case are one name', async () => {
  const { into } = folder();
  const files = [storedFile('out/A.csv'), storedFile('out/a.csv')];
  expect(await fetched(files, into)).toEqual(['placed', expect.stringContaining('in its case')]);
});

test('another file is kept, and the same one is not written again', async () => {
  const { into } = folder();
  writeFileSync(join(into, 'a.csv'), 'mine');
  writeFileSync(join(into, 'b.csv'), 'rows');
  const said = await fetched([storedFile('a.csv'), storedFile('b.csv')], into);
  expect(said).toEqual([expect.stringContaining('already exists'), 'same']);
  expect(readFileSync(join(into, 'a.csv'), 'utf8')).toBe('mine');
  expect(readdirSync(into)).toEqual(['a.csv', 'b.csv']);
});

test.each(['row', 'rowsrows', 'rowz', ''])(
  'the content %j is not the recorded one',
  async (text) => {
    const { into } = folder();
    const [said] = await fetched([storedFile('a.csv')], into, text);
    expect(said).toContain('is not the file that the run wrote');
    expect(readdirSync(into)).toEqual([]);
  },
);

test('a size that nothing stored can have is refused', async () => {
  const { into } = folder();
  const [said] = await fetched([{ ...storedFile('a.csv'), bytes: 2 ** 40 }], into);
  expect(said).toContain('larger than 1 GiB');
});
