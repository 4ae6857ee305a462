/** What a person does about a disk error depends on who provides the functions for files. */
import { expect, test } from 'vitest';
import { DiskError, hintFor } from '../../../src/engine/journal/file.ts';

test('the hint of a disk error names the disk, and under Plug’n’Play its setting', () => {
  expect(new DiskError('cannot write', undefined).hint).toBe(hintFor({}));
  expect(hintFor({})).toContain('check the disk');
  expect(hintFor({ pnp: '3' })).toContain('`nodeLinker: node-modules` in .yarnrc.yml');
});
