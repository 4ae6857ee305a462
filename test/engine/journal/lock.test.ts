/** Locks of a state folder: who gets one, who is refused and why, and which are never taken over. */
import {
  cp,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rename,
  rm,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { spawnSync } from 'node:child_process';
import { hostname, tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import {
  lockAccount,
  LockedError,
  lockName,
  lockRun,
  locksIn,
  type AccountLock,
} from '../../../src/engine/journal/lock.ts';
import { sha256 } from '../../../src/base/json.ts';
import { noGuard } from '../../../src/base/lock/guard.ts';
import { thisKernel, type Kernel } from '../../../src/base/lock/kernel.ts';
import { freeLocks, locksToFree } from '../../../src/engine/journal/unlock.ts';
import { lockProcess } from '../../support/lock-process.ts';

const destination = { profile: 'main', target: 'sandbox', host: 'in-process' } as const;
let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'lock-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

/** A process that has exited. */
const ended: Kernel = { ...thisKernel(), pid: 4_194_305, born: '17' };

/** The lock of a killed process: on this boot and in this namespace by default. */
async function leftBehind(change: Partial<Kernel> = {}): Promise<string> {
  const kernel = { ...ended, ...change };
  await lockAccount(folder, destination, 'r-1', { kernel, guard: noGuard });
  return lockFile();
}

async function lockFile(): Promise<string> {
  const names = (await readdir(join(folder, 'locks'))).filter((name) => name.endsWith('.lock'));
  return join(folder, 'locks', names[0] ?? 'none');
}

const taking = (run = 'r-2'): Promise<AccountLock> => lockAccount(folder, destination, run);

test('a second run on the account is refused with the holder’s name', async () => {
  const lock = await taking('r-1');
  const refusal = taking();
  await expect(refusal).rejects.toThrow(
    /^run r-1 \(process \d+ on .+\) is writing to this account; nothing was sent$/,
  );
  await expect(refusal).rejects.toMatchObject({ exit: 5, needsPerson: false });
  await lock.release();
  await (await taking()).release();
  expect(await readdir(join(folder, 'locks'))).toEqual([]);
});

test('two accounts do not block each other', async () => {
  const lock = await taking('r-1');
  const other = await lockAccount(folder, { ...destination, profile: 'other' }, 'r-2');
  await lock.release();
  await other.release();
});

test('a run has one process, whichever account it writes to', async () => {
  const lock = await lockRun(folder, 'r-1');
  await expect(lockRun(folder, 'r-1')).rejects.toThrow(/^run r-1 \(process \d+ on .+\) is at work/);
  await (await lockRun(folder, 'r-2')).release();
  await lock.release();
});

test('the lock of an ended process of this boot and namespace is taken over immediately', async () => {
  const file = await leftBehind();
  const lock = await taking();
  expect(JSON.parse(await readFile(file, 'utf8'))).toMatchObject({ holder: 'r-2' });
  expect(await readdir(join(folder, 'locks'))).toEqual([basename(file)]);
  await lock.release();
});

test('a reused process id is recognized by the start time', async () => {
  await leftBehind({ pid: process.pid, born: '17' });
  await (await taking()).release();
});

test('the lock of a process with the same start time is not taken over', async () => {
  await leftBehind({ pid: process.pid, born: thisKernel().born });
  await expect(taking()).rejects.toMatchObject({ exit: 5, needsPerson: false });
});

test.each<[string, Partial<Kernel>, RegExp]>([
  ['another machine', { host: () => `not-${hostname()}` }, /it is on another machine/],
  ['before a restart', { boot: 'f'.repeat(16) }, /was restarted since, or it is a copy/],
  ['another container', { namespace: 'pid:[1]' }, /it is in another container/],
  ['a place without a boot id', { boot: '' }, /no boot id to compare/],
  ['a place without a namespace', { namespace: '' }, /process ids are not valid here/],
])('a lock from %s is never taken over, whichever process has its id', async (_, kernel, why) => {
  for (const pid of [ended.pid, process.pid]) {
    const file = await leftBehind({ ...kernel, pid });
    const before = await readFile(file, 'utf8');
    const refusal = taking();
    await expect(refusal).rejects.toThrow(/^run r-1 \(process \d+ on .+\) may be writing to/);
    await expect(refusal).rejects.toThrow(why);
    await expect(refusal).rejects.toMatchObject({
      exit: 5,
      needsPerson: true,
      hint: expect.stringContaining('deskhand runs unlock r-1 --comment'),
    });
    expect(await readFile(file, 'utf8')).toBe(before);
    expect(await readdir(join(folder, 'locks'))).toEqual([basename(file)]);
    await rm(file);
  }
});

test('a lock in a copied or restored state folder is never taken over', async () => {
  await leftBehind();
  const copy = `${folder}-copy`;
  onTestFinished(() => rm(copy, { recursive: true }));
  await cp(folder, copy, { recursive: true });
  const refusal = lockAccount(copy, destination, 'r-1');
  await expect(refusal).rejects.toThrow(/its folder was copied or restored/);
  await expect(refusal).rejects.toMatchObject({ exit: 5, needsPerson: true });
  await (await taking('r-1')).release();
});

test('a moved state folder counts as the same', async () => {
  await leftBehind();
  const moved = `${folder}-moved`;
  await rename(folder, moved);
  folder = moved;
  await (await taking('r-1')).release();
});

test.each([
  ['of a dead process of this host', { pid: ended.pid, host: hostname(), born: '' }],
  ['of a living one', { pid: process.pid, host: hostname(), born: '' }],
  ['of another host', { pid: 7, host: `not-${hostname()}`, born: '' }],
])('a lock of an older version, %s, names no namespace and needs a person', async (_, owner) => {
  const file = await leftBehind();
  const old = JSON.stringify({ run: 'r-1', ...owner, file });
  await writeFile(file, old);
  const refusal = taking();
  await expect(refusal).rejects.toThrow(/it was taken by an older version of deskhand/);
  await expect(refusal).rejects.toMatchObject({ exit: 5, hint: /runs unlock r-1/ });
  expect(await readFile(file, 'utf8')).toBe(old);
});

test.each<[string, (path: string) => unknown]>([
  ['empty', (path) => writeFile(path, '')],
  ['cut off', (path) => writeFile(path, '{"version":2,"holder":"r-1","pi')],
  ['of another kind', (path) => writeFile(path, '{"run":1}')],
  ['of a later version', (path) => writeFile(path, '{"version":3,"run":"r-1","pid":7}')],
  ['very large', (path) => writeFile(path, ' '.repeat(1_000_000))],
  ['a folder', (path) => mkdir(path)],
  ['a pipe', (path) => spawnSync('mkfifo', [path])],
  ['a link that leads nowhere', (path) => symlink(join(folder, 'nowhere'), path)],
])('a lock that is %s is named, never taken over, and not changed', async (_, spoil) => {
  const path = await leftBehind();
  await rm(path);
  await spoil(path);
  const refusal = taking();
  await expect(refusal).rejects.toMatchObject({
    message: `the lock ${path} is damaged and does not name its holder; nothing was sent`,
    exit: 5,
    hint: expect.stringContaining(`remove it: rm ${path}`),
  });
  expect(await readdir(join(folder, 'locks'))).toEqual([basename(path)]);
  await rm(path, { recursive: true });
  await (await taking()).release();
});

test('a lock that was removed by hand is noticed while its owner runs', async () => {
  const lock = await taking('r-1');
  await rm(await lockFile());
  await expect(taking()).rejects.toThrow('another process is writing to this account');
  await lock.release();
  await (await taking()).release();
});

test('a lock that was removed and taken by another machine belongs to that machine', async () => {
  const lock = await taking('r-1');
  const path = await lockFile();
  const theirs = JSON.stringify({ run: 'r-2', pid: 7, host: `not-${hostname()}`, born: '' });
  await writeFile(path, theirs);
  await lock.release();
  expect(await readFile(path, 'utf8')).toBe(theirs);
});

test('files that crashed processes left next to a lock are removed by the next holder', async () => {
  const file = await leftBehind();
  const text = await readFile(file, 'utf8');
  const litter = [`${file}.${'a'.repeat(16)}.paper`, `${file}.${'0'.repeat(32)}.heir`];
  for (const path of litter) {
    await rename(file, path); // a dead owner's record, with its own inode
    await leftBehind();
  }
  await writeFile(`${file}.${'b'.repeat(16)}.paper.away`, text);
  await writeFile(`${file}.notes`, 'not ours');
  const lock = await taking();
  expect((await readdir(join(folder, 'locks'))).toSorted()).toEqual([
    basename(file),
    `${basename(file)}.notes`,
  ]);
  await lock.release();
});

test('a lock in the middle of a takeover is released by its name, whoever crashed', async () => {
  const file = await leftBehind();
  const name = basename(file, '.lock');
  // A process of another container that was registered as heir of the dead owner.
  const heir = { ...ended, namespace: 'pid:[1]' };
  const other = await mkdtemp(join(tmpdir(), 'lock-'));
  onTestFinished(() => rm(other, { recursive: true }));
  await cp(join(folder, 'machine'), join(other, 'machine'));
  await lockAccount(other, destination, 'r-7', { kernel: heir, guard: noGuard });
  const digest = sha256(await readFile(file, 'utf8')).slice(0, 32);
  await rename(join(other, 'locks', basename(file)), `${file}.${digest}.heir`);

  const refusal = taking();
  await expect(refusal).rejects.toThrow(/^run r-7 .+: it is in another container/);
  await expect(refusal).rejects.toMatchObject({ hint: expect.stringContaining(`unlock ${name}`) });
  const [lock] = await locksIn(folder);
  expect(lock?.life.state).toBe('dead');
  const locks = await locksToFree(folder, name);
  expect(locks).toHaveLength(1);
  await freeLocks(folder, locks, { who: 'ann', comment: 'gone', at: 0 });
  await (await taking()).release();
});

test('a folder lists its locks and their holders', async () => {
  const live = await lockName(folder, 'schedule', 'the scheduler');
  const file = await leftBehind();
  const found = await locksIn(folder);
  expect(found.map(({ name, record, life }) => [name, record?.holder, life.state])).toEqual([
    [basename(file, '.lock'), 'r-1', 'dead'],
    ['schedule', 'the scheduler', 'alive'],
  ]);
  await live.release();
});

describe('between processes, without abstract sockets', () => {
  test('four processes take over one lock of an ended process, 200 times: exactly one gets it', async () => {
    const trials = 200;
    const processes = [1, 2, 3, 4].map(() => lockProcess());
    onTestFinished(async () => void (await Promise.all(processes.map(({ kill }) => kill()))));
    const holders: number[] = [];
    for (let trial = 0; trial < trials; trial++) {
      const name = `trial-${trial}`;
      await lockName(folder, name, 'r-0', { kernel: ended, guard: noGuard });
      const said = await Promise.all(
        processes.map(({ ask }, index) => ask(`take ${folder} ${name} r-${index}`)),
      );
      holders.push(said.filter((answer) => answer === 'done').length);
      const others = said.filter((answer) => answer !== 'done');
      for (const answer of others) expect(answer).toMatch(/LockedError: .*holds the lock trial-/);
      await Promise.all(processes.map(({ ask }) => ask('release')));
    }
    const many = (count: number): number => holders.filter((each) => each === count).length;
    console.log(
      `${trials} trials: ${many(1)} with one holder, ${trials - many(1) - many(0)} with more`,
    );
    expect(many(1)).toBe(trials);
    expect(await readdir(join(folder, 'locks'))).toEqual([]);
  });

  test('a valid lock in another pid namespace is never taken over, even when that namespace is gone', async () => {
    const other = lockProcess(['unshare', '--pid', '--fork', '--kill-child', '--mount-proc']);
    onTestFinished(() => other.kill());
    const said = await other.ask(`take ${folder} shared r-1`);
    if (said === 'it ended') return console.warn('unshare --pid is not permitted here: not tried');
    expect(said).toBe('done');
    const take = (): Promise<AccountLock> => lockName(folder, 'shared', 'r-2', { guard: noGuard });
    await expect(take()).rejects.toThrow(/it is in another container/);
    await other.kill();
    await expect(take()).rejects.toThrow(/it is in another container/);
    await expect(take()).rejects.toBeInstanceOf(LockedError);
  });
});
