/** Whether a file may have changed since it was read, without reading it: the rule of Git's index. */
import { lstatSync } from 'node:fs';

/** The identity, size and times of a file, from the file system. */
export interface Stamp {
  /** Device, inode, size, and the times of the last write and change: equal for an unchanged file. */
  readonly text: string;
  /** The ctime of the file in ns. No program can set it, and a copied or restored file has another. */
  readonly changedAt: bigint;
}

/** The stamp of a file; undefined if there is none, for a link, and for what is not a file. */
export function stampOf(path: string): Stamp | undefined {
  const found = lstatSync(path, { bigint: true, throwIfNoEntry: false });
  if (!found?.isFile()) return undefined;
  const { dev, ino, size, mtimeNs, ctimeNs } = found;
  return { text: `${dev} ${ino} ${size} ${mtimeNs} ${ctimeNs}`, changedAt: ctimeNs };
}

/** The coarsest times of a file system, FAT's, are 2 s apart. */
const granularity = 2_000_000_000n;

/**
 * Whether a file that is changed from now on gets another stamp: one that has just been changed may
 * be changed again at what the file system calls the same time.
 * @param now in ns, by the clock of the file system
 */
export function isLasting({ changedAt }: Stamp, now: bigint): boolean {
  return now - changedAt > granularity;
}
