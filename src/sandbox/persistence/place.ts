/** Whether the file under a path is a sandbox's world: derived from its beginning, which is only read. */
import { lstatSync, renameSync } from 'node:fs';
import { isCode } from '../../base/error.ts';
import { beginningOf, kindAt, kindWords } from '../../base/file-kind.ts';
import { randomId } from '../../base/random.ts';

const head = /^[0-9a-f]{8} \{"kind":"world","format":\d/;
const headBytes = 64;

/** Why a path is not a place for a world; undefined where one exists, or nothing does. */
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
    if (isCode(error, 'ENOENT')) return undefined; // it went meanwhile
    if (isCode(error, 'EACCES') || isCode(error, 'EPERM')) return 'it cannot be read';
    throw error;
  }
}

/** By its mode, which holds for an administrator too; a disk that refuses says so when it is opened. */
function isReadOnly(file: string): boolean {
  return (lstatSync(file).mode & 0o222) === 0;
}

/** Whether a file has another name, by which someone else keeps it, or writes it under another lock. */
export function hasOtherName(file: string): boolean {
  return (lstatSync(file, { throwIfNoEntry: false })?.nlink ?? 1) > 1;
}

/** Moves what is not a world out of the way. @returns where it is now */
export function moveAside(file: string): string {
  const place = `${file}.${randomId(6)}.moved`;
  renameSync(file, place);
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
