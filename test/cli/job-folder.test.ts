/** Folders of killed workers are removed, and no others. */
import { existsSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { jobFolder, removeLeftFolders } from '../../src/cli/worker/job-folder.ts';
import type { Kernel } from '../../src/base/lock/kernel.ts';
import { folderWith } from './deskhand.ts';

const onFailed = (folder: string): void => expect.unreachable(folder);

/** A machine on which only process 10 runs. */
const kernelOf = (pid: number, change: Partial<Kernel> = {}): Kernel => ({
  boot: 'boot-1',
  namespace: 'pid:[1] time:[1]',
  pid,
  born: String(100 * pid),
  host: () => 'here',
  startOf: (other) => (other === 10 ? '1000' : undefined),
  ...change,
});

test('the folder of a process that provably ended is removed, and no other', async () => {
  const parent = folderWith({});
  const left = await jobFolder(parent, 'machine-1', kernelOf(11));
  const outside = join(parent, 'precious');
  mkdirSync(outside);
  symlinkSync(outside, join(left, 'link'));
  writeFileSync(join(outside, 'file'), '');
  const others = [
    await jobFolder(parent, 'machine-1', kernelOf(10)), // runs
    await jobFolder(parent, 'machine-2', kernelOf(11)), // of another machine
    await jobFolder(parent, 'machine-1', kernelOf(11, { boot: 'boot-2' })), // before a restart
    await jobFolder(parent, 'machine-1', kernelOf(11, { namespace: 'pid:[2] time:[1]' })),
    ...['deskhand-job-unowned', 'deskhand-job-strange', 'else'].map((name) => join(parent, name)),
  ];
  for (const folder of others.slice(4)) mkdirSync(folder);
  writeFileSync(join(parent, 'deskhand-job-strange', 'owner.json'), '{"pid":11}');
  writeFileSync(join(parent, 'deskhand-job-file'), '');
  const linked = await jobFolder(outside, 'machine-1', kernelOf(11));
  symlinkSync(linked, join(parent, 'deskhand-job-link'));

  expect(await removeLeftFolders(parent, 'machine-1', kernelOf(10), { onFailed })).toEqual([left]);
  const kept = [...others, linked, join(outside, 'file'), join(parent, 'deskhand-job-file')];
  expect([existsSync(left), kept.filter((path) => !existsSync(path))]).toEqual([false, []]);
});

test('a folder that cannot be removed is left and reported, and others are removed', async () => {
  const parent = folderWith({});
  const folders = await Promise.all(
    [11, 12].map((pid) => jobFolder(parent, 'machine-1', kernelOf(pid))),
  );
  const [stuck, other] = folders.toSorted();
  const failed: unknown[] = [];
  const removed = await removeLeftFolders(parent, 'machine-1', kernelOf(10), {
    remove: async (folder) => {
      if (folder === stuck) throw new Error('a program still writes to it');
    },
    onFailed: (folder, error) => failed.push([folder, error]),
  });
  expect([removed, failed]).toEqual([
    [other],
    [[stuck, new Error('a program still writes to it')]],
  ]);
});
