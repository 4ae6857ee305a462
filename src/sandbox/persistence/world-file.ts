/** Whether a file is a sandbox's world, from a read of its first bytes. */
import { lstatSync } from 'node:fs';
import { isCode } from '../../base/error.ts';
import { beginningOf, kindAt, kindWords } from '../../base/file-kind.ts';
import { renameFileSync } from '../../base/platform/rename.ts';
import { randomId } from '../../base/random.ts';

const head = /^[0-9a-f]{8} \{"kind":"world","format":\d/;
const headBytes = 64;

/** Why a path cannot be used for a world; undefined if it has one, or is free. */
export function foreignAt(file: string): string | undefined {
  try {
    const kind = kindAt(file);
    if (kind === 'nothing') return undefined;
    if (kind !== 'file') return `${kindWords(kind)}, not a file`;
    const beginning = beginningOf(file, headBytes).toString('latin1');
    if (beginning === '') return 'it is empty, so it is not a sandbox world';
    if (!head.test(beginning)) return 'it is not a world of a sandbox';
    return isReadOnly(file) ? 'it is read-only' : undefined;
  } catch (error) {
    if (isCode(error, 'ENOENT')) return undefined; // it was removed meanwhile
    if (isCode(error, 'EACCES') || isCode(error, 'EPERM')) return 'it cannot be read';
    throw error;
  }
}

/**
 * Whether a file is read-only by its mode, which also applies to an administrator; a read-only disk
 * is reported when the file is opened.
 */
function isReadOnly(file: string): boolean {
  return (lstatSync(file).mode & 0o222) === 0;
}

/** Whether a file has a second name, under which another program may keep or write it. */
export function hasOtherName(file: string): boolean {
  return (lstatSync(file, { throwIfNoEntry: false })?.nlink ?? 1) > 1;
}

/** Moves a file that is not a world away. @returns its new path */
export function moveAside(file: string): string {
  const place = `${file}.${randomId(6)}.moved`;
  renameFileSync(file, place);
  return place;
}

/** Whether a path leads to the file of an open descriptor. */
export function isSameFile(
  file: string,
  { dev, ino }: { readonly dev: number; readonly ino: number },
): boolean {
  const there = lstatSync(file, { throwIfNoEntry: false });
  return there?.dev === dev && there.ino === ino;
}
