/** Temporary files of tests have separate folders and are reported if they remain. */
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import process from 'node:process';
import { expect, inject, test } from 'vitest';
import { emptied, sweep } from '../support/scratch-root.ts';

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

test('folders of tests that were killed are removed, and no others', () => {
  const parent = mkdtempSync(join(tmpdir(), 'parent-'));
  const { pid: ended } = spawnSync('true');
  const owners = { tkilled: ended, talive1: process.pid, t000000: undefined, tKILLED: ended };
  for (const [name, pid] of Object.entries(owners)) {
    mkdirSync(join(parent, name));
    if (pid !== undefined) writeFileSync(join(parent, name, 'owner'), String(pid));
  }
  sweep(parent);
  expect(readdirSync(parent).toSorted()).toEqual(['t000000', 'talive1']);
});
