/** The page is small, and refers to nothing elsewhere. */
import { execFile } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brotliDecompressSync, gzipSync } from 'node:zlib';
import { beforeAll, expect, test } from 'vitest';

const root = join(import.meta.dirname, '..', '..', '..');
const sizeMax = 60_000; // bytes of all files together, compressed

let texts: readonly string[];

beforeAll(async () => {
  const folder = mkdtempSync(join(tmpdir(), 'page-'));
  await promisify(execFile)(process.execPath, [join(root, '.ci', 'page.mjs'), folder]);
  const packed = readFileSync(join(folder, 'page.br'));
  texts = Object.values(JSON.parse(brotliDecompressSync(packed).toString()) as object);
});

test('the page is at most 60 kB, compressed', () => {
  expect(texts.length).toBeGreaterThan(2);
  const size = texts.reduce((sum, text) => sum + gzipSync(text).length, 0);
  expect(size).toBeLessThanOrEqual(sizeMax);
});

test('the page loads nothing from elsewhere, and writes no markup', () => {
  const addresses = texts.flatMap((text) => [...text.matchAll(/(?:https?:)?\/\/[\w.-]+\.\w{2,}/g)]);
  const namespaces = 'http://www.w3.org'; // names, which no browser fetches
  expect([...new Set(addresses.map(([address]) => address))]).toEqual([namespaces]);
  const sources = readdirSync(join(root, 'src', 'serve', 'web'), {
    recursive: true,
    encoding: 'utf8',
  })
    .filter((name) => /\.tsx?$/.test(name))
    .map((name) => readFileSync(join(root, 'src', 'serve', 'web', name), 'utf8'));
  expect(sources.filter((text) => /innerHTML|insertAdjacentHTML|outerHTML/i.test(text))).toEqual(
    [],
  );
});
