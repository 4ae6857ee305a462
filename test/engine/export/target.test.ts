import {
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  realpath,
  rm,
  stat,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { writeDocument } from '../../../src/engine/export/document.ts';
import type { ExportError } from '../../../src/engine/export/error.ts';
import { filePartsOf, openTarget } from '../../../src/engine/export/target.ts';

let workspace: string;
let outside: string;
beforeEach(async () => {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'deskhand-target-')));
  [workspace, outside] = [join(folder, 'inside'), join(folder, 'outside')];
  await mkdir(workspace);
  await mkdir(outside);
});
afterEach(() => rm(join(workspace, '..'), { recursive: true }));

const write = (file: string) => writeDocument({ workspace, file, text: 'text' });
const failureOf = (file: string) =>
  write(file).then(
    () => undefined,
    (error: ExportError) => error,
  );

test.each([
  ['../x.csv', 'it has ".." in its path'],
  ['out/../../x.csv', 'it has ".." in its path'],
  ['/etc/x.csv', 'it is absolute'],
  ['', 'a part of it is empty'],
  ['out//x.csv', 'a part of it is empty'],
  ['out/', 'a part of it is empty'],
  ['.', 'a part of it begins with a dot'],
  ['.hidden/x.csv', 'a part of it begins with a dot'],
  ['out/.x.csv', 'a part of it begins with a dot'],
  ['out\\x.csv', '"out\\x.csv" has characters other than letters, digits and . _ -'],
  ['a b.csv', '"a b.csv" has characters other than letters, digits and . _ -'],
  ['x\0.csv', '"x\\u0000.csv" has characters other than letters, digits and . _ -'],
  ['x\n.csv', '"x\\u000a.csv" has characters other than letters, digits and . _ -'],
  ['x\u202e.csv', '"x\\u202e.csv" has characters other than letters, digits and . _ -'],
  ['~/x.csv', '"~" has characters other than letters, digits and . _ -'],
  ['C:x.csv', '"C:x.csv" has characters other than letters, digits and . _ -'],
  [`${'x'.repeat(101)}`, 'a part of it is longer than 100 characters'],
  ['\u8868'.repeat(67), 'a part of it is longer than 100 characters, or 200 bytes'],
  ['\u0301x.csv', 'characters other than letters'],
  ['x\u3164.csv', 'characters other than letters'],
  ['\uff0e\uff0e/x.csv', 'characters other than letters'],
  ['a/'.repeat(16) + 'x.csv', 'it has more than 16 parts'],
  ['x.csv.manifest.json', '.manifest.json is reserved for manifests'],
])('the name %j is refused: %s', async (file, reason) => {
  const failure = await failureOf(file);
  expect(failure).toMatchObject({ code: 'file-name', actor: 'author' });
  expect(failure?.message).toContain('cannot be written: ');
  expect(failure?.message).toContain(reason);
  expect(await readdir(workspace)).toEqual([]);
});

test('names with allowed characters are accepted part by part', () => {
  expect(filePartsOf('out/2026-11-20/a_B.c-9.csv')).toEqual(['out', '2026-11-20', 'a_B.c-9.csv']);
  expect(filePartsOf('Auszüge/税務-２０２６.csv')).toEqual(['Auszüge', '税務-２０２６.csv']);
});

test('a file may have a name in any script', async () => {
  const file = 'Auszüge/Überträge-मार्च.csv';
  await write(file);
  expect(await readdir(join(workspace, 'Auszüge'))).toEqual(['Überträge-मार्च.csv']);
});

describe('a path is refused for', () => {
  test('a folder of that name', async () => {
    await mkdir(join(workspace, 'x.csv'));
    expect(await failureOf('x.csv')).toMatchObject({
      code: 'file-in-the-way',
      message: 'x.csv cannot be written: a folder has that name',
      hint: 'move it or choose another name',
    });
  });

  test('a file in place of a folder', async () => {
    await writeFile(join(workspace, 'out'), '');
    expect((await failureOf('out/x.csv'))?.message).toContain(
      'out is a link or a file, not a folder',
    );
  });

  test('a link of that name, broken or not', async () => {
    await symlink(join(outside, 'x.csv'), join(workspace, 'x.csv'));
    expect((await failureOf('x.csv'))?.message).toContain('a link has that name');
    expect(await readdir(outside)).toEqual([]);
  });

  test('a linked folder, even if it leads back inside', async () => {
    await symlink(outside, join(workspace, 'out'));
    await mkdir(join(workspace, 'real'));
    await symlink(join(workspace, 'real'), join(workspace, 'back'));
    expect((await failureOf('out/x.csv'))?.message).toContain(
      'out is a link or a file, not a folder',
    );
    expect((await failureOf('out/deep/x.csv'))?.message).toContain(
      'out is a link or a file, not a folder',
    );
    expect((await failureOf('back/x.csv'))?.message).toContain(
      'back is a link or a file, not a folder',
    );
    expect(await readdir(outside)).toEqual([]);
  });

  test('a link at the path of the manifest', async () => {
    await symlink(join(outside, 'm'), join(workspace, 'x.csv.manifest.json'));
    expect((await failureOf('x.csv'))?.message).toContain('a link has that name');
  });
});

test('the workspace itself may be a link, and must exist', async () => {
  await symlink(workspace, join(outside, 'link'));
  await writeDocument({ workspace: join(outside, 'link'), file: 'x.txt', text: 'text' });
  expect(await readFile(join(workspace, 'x.txt'), 'utf8')).toBe('text');
  const missing = writeDocument({ workspace: join(outside, 'none'), file: 'x.txt', text: '' });
  await expect(missing).rejects.toThrow('x.txt was not written: the disk failed (ENOENT)');
});

test('files are private to their owner', async () => {
  await write('x.txt');
  expect((await stat(join(workspace, 'x.txt'))).mode & 0o777).toBe(0o600);
});

describe.each(['linux', 'darwin', 'win32'] as const)('on %s', (system) => {
  test('a folder that is a link or a file is refused', async () => {
    await symlink(outside, join(workspace, 'out'));
    await writeFile(join(workspace, 'taken'), '');
    for (const file of ['out/x.csv', 'taken/x.csv']) {
      await expect(openTarget(workspace, file, system)).rejects.toMatchObject({
        code: 'file-in-the-way',
        message: expect.stringContaining('is a link or a file, not a folder'),
      });
    }
    expect(await readdir(outside)).toEqual([]);
  });

  test('missing folders are created', async () => {
    const target = await openTarget(workspace, 'a/b/x.csv', system);
    expect(await realpath(target.folder)).toBe(join(workspace, 'a', 'b'));
    await target.close();
  });
});
