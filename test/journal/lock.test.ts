import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { hostname, tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { lockAccount, LockedError } from '../../src/journal/lock.ts';

const destination = { profile: 'main', target: 'sandbox', host: 'in-process' } as const;
let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'lock-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

async function lockFile(): Promise<string> {
  const [name = ''] = await readdir(join(folder, 'locks'));
  return join(folder, 'locks', name);
}

async function leftBehind(owner: object): Promise<void> {
  const lock = await lockAccount(folder, destination, 'r-1');
  const path = await lockFile();
  const text = await readFile(path, 'utf8');
  await lock.release();
  await writeFile(path, JSON.stringify({ ...JSON.parse(text), ...owner }));
}

test('a second run on the account is refused and told who holds it', async () => {
  const lock = await lockAccount(folder, destination, 'r-1');
  await expect(lockAccount(folder, destination, 'r-2')).rejects.toThrow(/run r-1 \(process \d+ on/);
  await lock.release();
  await (await lockAccount(folder, destination, 'r-2')).release();
});

test('two accounts do not hinder one another', async () => {
  const lock = await lockAccount(folder, destination, 'r-1');
  const other = await lockAccount(folder, { ...destination, profile: 'other' }, 'r-2');
  await lock.release();
  await other.release();
});

test('the lock of a dead process of this machine is taken over', async () => {
  await leftBehind({ pid: 4_194_305, born: 'gone' });
  const lock = await lockAccount(folder, destination, 'r-2');
  expect(await readFile(await lockFile(), 'utf8')).toContain('"run":"r-2"');
  await lock.release();
});

test('the number of a dead process that another now has is seen through', async () => {
  await leftBehind({ pid: process.pid, born: 'an earlier life' });
  await (await lockAccount(folder, destination, 'r-2')).release();
});

test('the lock of another machine is never taken over', async () => {
  await leftBehind({ host: `not-${hostname()}`, pid: 1 });
  const refusal = lockAccount(folder, destination, 'r-2');
  await expect(refusal).rejects.toThrow(LockedError);
  await expect(refusal).rejects.toMatchObject({ exit: 5, hint: /remove the lock file/ });
});

test.each<[string, (path: string) => Promise<unknown>]>([
  ['empty', (path) => writeFile(path, '')],
  ['cut off', (path) => writeFile(path, '{"run":"r-1","pi')],
  ['of another kind', (path) => writeFile(path, '{"run":1}')],
  ['a folder', (path) => mkdir(path)],
  ['a link that leads nowhere', (path) => symlink(join(folder, 'nowhere'), path)],
])('a lock that is %s is named, never taken over, and left as it is', async (_, spoil) => {
  await leftBehind({});
  const path = await lockFile();
  await rm(path);
  await spoil(path);
  const refusal = lockAccount(folder, destination, 'r-2');
  await expect(refusal).rejects.toMatchObject({
    message: `the lock ${path} is damaged and does not say who writes here; nothing was sent`,
    exit: 5,
    hint: /remove it/,
  });
  expect(await readdir(join(folder, 'locks'))).toEqual([basename(path)]);
  await rm(path, { recursive: true });
  await (await lockAccount(folder, destination, 'r-2')).release();
});

test('a lock that somebody removed is let go all the same', async () => {
  const lock = await lockAccount(folder, destination, 'r-1');
  await rm(await lockFile());
  await lock.release();
  await (await lockAccount(folder, destination, 'r-2')).release();
});

test('a lock that was removed and taken by another machine is left to it', async () => {
  const lock = await lockAccount(folder, destination, 'r-1');
  const path = await lockFile();
  const theirs = JSON.stringify({ run: 'r-2', pid: 7, host: `not-${hostname()}`, born: '' });
  await writeFile(path, theirs);
  await lock.release();
  expect(await readFile(path, 'utf8')).toBe(theirs);
});
