/** The id of a machine: generated once, always read completely, and refused if implausible. */
import { mkdir, mkdtemp, readdir, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { machineId } from '../../../src/engine/journal/machine.ts';

async function folder(): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), 'machine-'));
  onTestFinished(() => rm(path, { recursive: true }));
  return path;
}

test('is one id for concurrent and later readers', async () => {
  const state = join(await folder(), 'state');
  const ids = await Promise.all(Array.from({ length: 20 }, () => machineId(state)));
  expect(new Set([...ids, await machineId(state)]).size).toBe(1);
  expect(ids[0]).toMatch(/^[0-9a-z]{20}$/);
  expect(await readdir(state)).toEqual(['machine']);
});

test.each<[string, string, (path: string) => Promise<unknown>]>([
  ['empty', 'is damaged', (path) => writeFile(path, '')],
  ['cut off', 'is damaged', (path) => writeFile(path, 'abcdefghjkmnpqrstvwx')],
  ['of another kind', 'is damaged', (path) => writeFile(path, 'machine-0001\n')],
  ['a folder', 'cannot be read', (path) => mkdir(path)],
  ['a link that leads nowhere', 'cannot be read', (path) => symlink('nowhere', path)],
  ['a link to the file of another', 'cannot be read', (path) => symlink('/etc/hostname', path)],
])('is refused when its file is %s', async (_name, problem, spoil) => {
  const state = await folder();
  const path = join(state, 'machine');
  await spoil(path);
  const refusal = machineId(state);
  await expect(refusal).rejects.toThrow(`the machine file ${path} ${problem}; nothing was sent`);
  await expect(refusal).rejects.toMatchObject({ exit: 5, hint: expect.stringContaining('rm ') });
});
