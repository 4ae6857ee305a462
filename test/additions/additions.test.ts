/** What CONTRIBUTING says how to add takes at most four files, compiles, and works. */
import { execFile, spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Change } from './addition.ts';
import { additions } from './index.ts';

const root = join(import.meta.dirname, '..', '..');
const filesMax = 4;

let copy = '';

beforeAll(() => {
  const place = join(root, 'node_modules', '.deskhand-test');
  mkdirSync(place, { recursive: true });
  copy = mkdtempSync(join(place, 'additions-'));
  for (const name of ['src', 'package.json', 'tsconfig.json']) {
    cpSync(join(root, name), join(copy, name), { recursive: true });
  }
  for (const { name, files } of additions) for (const file of files) make(name, file);
});
afterAll(() => rmSync(copy, { recursive: true, force: true }));

function make(name: string, change: Change): void {
  const path = join(copy, 'src', change.file);
  if ('text' in change) {
    mkdirSync(join(path, '..'), { recursive: true });
    writeFileSync(path, change.text, { flag: 'wx' });
    return;
  }
  let text = readFileSync(path, 'utf8');
  for (const [from, to] of change.edits) {
    const parts = text.split(from);
    if (parts.length !== 2) throw new Error(`${name}: ${change.file} has not once: ${from}`);
    text = parts.join(to);
  }
  writeFileSync(path, text);
}

test.each(additions)('$name takes at most four files', ({ files }) => {
  expect(files.length).toBeLessThanOrEqual(filesMax);
});

test('all of them together compile', () => {
  const compiler = join(root, 'node_modules', 'typescript', 'bin', 'tsc');
  for (const project of ['.', 'src/serve/web']) {
    const { stdout } = spawnSync(process.execPath, [compiler, '--noEmit', '-p', project], {
      cwd: copy,
      encoding: 'utf8',
    });
    expect(stdout).toBe('');
  }
});

test.each(additions)('$name works', async ({ name, shows, shown }) => {
  const program = join(copy, `shows-${name.split(' ').at(-1)}.ts`);
  writeFileSync(program, shows);
  const words = ['--import', 'tsx', program];
  const env = { ...process.env, TSX_DISABLE_CACHE: '1' };
  const { stdout } = await promisify(execFile)(process.execPath, words, { cwd: copy, env });
  expect(JSON.parse(stdout)).toEqual(shown);
});
