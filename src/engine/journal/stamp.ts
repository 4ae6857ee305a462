/** Whether a file may have changed since it was read, without reading it: the rule of Git's index. */
import { lstatSync } from 'node:fs';
import type { Millis } from '../../base/clock.ts';

/**
 * The identity, size and times of a file, from the file system: equal for an unchanged file. No program
 * can set the time of the last change, and a copied or restored file has another.
 */
export type Stamp = readonly [
  device: number,
  inode: number,
  size: number,
  writtenAt: Millis,
  changedAt: Millis,
];

/** The stamp of a file; undefined if there is none, for a link, and for what is not a file. */
export function stampOf(path: string): Stamp | undefined {
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (!found?.isFile()) return undefined;
  const { dev, ino, size, mtimeMs, ctimeMs } = found;
  return [dev, ino, size, mtimeMs, ctimeMs];
}

/** The stamp of a file as text; empty if there is none. */
export function stampText(path: string): string {
  return stampOf(path)?.join(' ') ?? '';
}

export function isSameStamp(one: Stamp, other: Stamp): boolean {
  return (
    one[4] === other[4] &&
    one[1] === other[1] &&
    one[2] === other[2] &&
    one[3] === other[3] &&
    one[0] === other[0]
  );
}

/** The coarsest times of a file system, FAT's, are 2 s apart. */
const granularity: Millis = 2_000;

/**
 * Whether a file that is changed from now on gets another stamp: one that has just been changed may
 * be changed again at what the file system calls the same time.
 * @param now by the clock of the file system
 */
export function isLasting([, , , , changedAt]: Stamp, now: Millis): boolean {
  return now - changedAt > granularity;
}
