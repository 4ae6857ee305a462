/** Users' files that `fmt` and `test --update` rewrite. */
import { chmodSync, mkdirSync, readdirSync, readFileSync, statSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { rewriteFile } from '../../src/cli/args/rewrite.ts';
import { replaceFile } from '../../src/engine/journal/file.ts';
import { folderWith } from './deskhand.ts';

test('keep their mode and are written through a link to its target', async () => {
  const folder = folderWith({ 'own/a.yaml': 'before' });
  const file = join(folder, 'own', 'a.yaml');
  chmodSync(file, 0o664);
  symlinkSync('own/a.yaml', join(folder, 'link.yaml'));
  await rewriteFile(join(folder, 'link.yaml'), 'after', Buffer.from('before'));
  expect(readFileSync(file, 'utf8')).toBe('after');
  expect((statSync(file).mode & 0o777).toString(8)).toBe('664');
  expect(readdirSync(folder, { recursive: true })).toHaveLength(3);
});

test('must be regular files, and a failed write is reported with its path', async () => {
  const folder = folderWith({ 'a.yaml': 'before' });
  await expect(rewriteFile(folder, 'x', Buffer.alloc(0))).rejects.toMatchObject({ code: 'usage' });
  const below = join(folder, 'a.yaml', 'b');
  await expect(replaceFile(below, 'x')).rejects.toMatchObject({
    code: 'disk',
    message: `cannot write ${below}`,
  });
  mkdirSync(join(folder, 'c'));
  await expect(replaceFile(join(folder, 'c'), 'x')).rejects.toMatchObject({ code: 'disk' });
  expect(readdirSync(folder)).toEqual(['a.yaml', 'c']);
});
