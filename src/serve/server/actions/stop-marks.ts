/** Processes that were asked to stop, in files: each is asked once, also after a restart of the server
 * and by several of them. A mark is kept for as long as its process may be asked again.
 */
import { readdir, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { isCode } from '../../../base/error.ts';
import { sha256 } from '../../../base/json.ts';
import { makeFolder } from '../../../engine/journal/file.ts';
import { locksIn } from '../../../engine/journal/lock.ts';
import type { Holder } from './holder.ts';
import { writeNew } from './presses.ts';

/**
 * Marks a process as asked to stop.
 * @returns whether it is the first time that this process is asked
 */
export async function markStopped(
  stateDir: string,
  { pid, born }: Pick<Holder, 'pid' | 'born'>,
): Promise<boolean> {
  const folder = join(stateDir, 'serve', 'stopped');
  await makeFolder(folder);
  await sweep(folder, stateDir);
  try {
    await writeNew(join(folder, nameOf(pid, born)), '{}\n');
    return true;
  } catch (error) {
    if (isCode(error, 'EEXIST')) return false;
    throw error;
  }
}

function nameOf(pid: number, born: string): string {
  return `${sha256(`${pid} ${born}`).slice(0, 32)}.json`;
}

/**
 * Removes the marks of processes that have no lock now: only the holder of a lock is asked to stop. The
 * marks are listed before the locks, because a process has its lock before it is marked.
 */
async function sweep(folder: string, stateDir: string): Promise<void> {
  const marks = await readdir(folder);
  const locks = await locksIn(stateDir);
  if (locks.some(({ record }) => record === undefined)) return; // one that cannot be read
  const names = locks.map(({ record }) =>
    nameOf(record?.pid ?? 0, record !== undefined && 'born' in record ? record.born : ''),
  );
  for (const mark of marks.filter((name) => !names.includes(name))) {
    await unlink(join(folder, mark)).catch((error: unknown) => {
      if (!isCode(error, 'ENOENT')) throw error; // another server did
    });
  }
}
