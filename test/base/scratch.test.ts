/** Temporary files of tests have separate folders and are reported if they remain. */
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, inject, test } from 'vitest';
import { emptied } from '../support/scratch-root.ts';

test('each test file has its own temporary folder inside the common one', () => {
  expect(dirname(tmpdir())).toBe(inject('scratch'));
});

test('files that remain in it fail the tests and are removed', () => {
  const root = mkdtempSync(join(tmpdir(), 'root-'));
  mkdirSync(join(root, 't-1'));
  writeFileSync(join(root, 't-1', 'left'), '');
  expect(() => emptied(root)).toThrow(/left 2 temporary files behind, such as t-1/);
  expect(() => emptied(root)).toThrow(/ENOENT/);
});
