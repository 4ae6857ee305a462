/** The temporary folder of a job: it names its process, so that the next worker removes what a killed one left. */
import { lstat, mkdtemp, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import process from 'node:process';
import { readRegular } from '../../base/read-file.ts';
import { replaceFile } from '../../engine/journal/file.ts';
import type { Kernel } from '../../base/lock/kernel.ts';
import { isOwner, lifeOf, ownerHere, type Owner } from '../../base/lock/owner.ts';

const prefix = 'deskhand-job-';
const ownerName = 'owner.json';

/** @param machine id of the state folder's machine */
export async function jobFolder(parent: string, machine: string, kernel: Kernel): Promise<string> {
  const folder = await mkdtemp(join(parent, prefix));
  await replaceFile(join(folder, ownerName), JSON.stringify(ownerHere(machine, kernel)));
  return folder;
}

interface Removal {
  readonly onFailed: (folder: string, error: unknown) => void;
  /** Default: by the file system. */
  readonly remove?: (folder: string) => Promise<void>;
}

/**
 * Removes the folders of processes that provably ended, by the rule of locks (`lifeOf`). Folders of
 * other users, links, and those without an owner are left, as is one that cannot be removed: a program
 * that its worker started may still write to it.
 * @returns the removed ones
 */
export async function removeLeftFolders(
  parent: string,
  machine: string,
  kernel: Kernel,
  { onFailed, remove = removeAll }: Removal,
): Promise<readonly string[]> {
  const here = ownerHere(machine, kernel);
  const names = (await readdir(parent).catch(() => [])).filter((name) => name.startsWith(prefix));
  const removed: string[] = [];
  for (const name of names) {
    const folder = join(parent, name);
    const owner = await ownerOf(folder);
    if (owner === undefined || lifeOf(owner, here, kernel).state !== 'dead') continue;
    try {
      await remove(folder);
      removed.push(folder);
    } catch (error) {
      onFailed(folder, error);
    }
  }
  return removed;
}

function removeAll(folder: string): Promise<void> {
  return rm(folder, { recursive: true, force: true });
}

/** Undefined for anything that a worker of this user did not create. */
async function ownerOf(folder: string): Promise<Owner | undefined> {
  try {
    const found = await lstat(folder);
    if (!found.isDirectory() || found.uid !== process.getuid?.()) return undefined;
    const value: unknown = JSON.parse(
      (await readRegular(join(folder, ownerName))).toString('utf8'),
    );
    return isOwner(value) ? value : undefined;
  } catch {
    return undefined; // removed meanwhile, or not readable: it is left
  }
}
