/** The kind of a path and its first bytes, read without following links or blocking. */
import {
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  openSync,
  readSync,
  type Stats,
} from 'node:fs';
import { isCode } from './error.ts';

export type FileKind = 'nothing' | 'file' | 'folder' | 'link' | 'pipe' | 'device' | 'socket';

/** @throws the error of the file system when it cannot be inspected */
export function kindAt(path: string): FileKind {
  try {
    return kindOf(lstatSync(path));
  } catch (error) {
    if (isCode(error, 'ENOENT') || isCode(error, 'ENOTDIR')) return 'nothing';
    throw error;
  }
}

/** Describes a kind of file in a sentence, such as `it is a pipe`. */
export function kindWords(kind: FileKind): string {
  return kind === 'nothing' ? 'file not found' : `it is a ${kind}`;
}

export function kindOf(found: Stats): FileKind {
  if (found.isFile()) return 'file';
  if (found.isDirectory()) return 'folder';
  if (found.isSymbolicLink()) return 'link';
  if (found.isFIFO()) return 'pipe';
  return found.isSocket() ? 'socket' : 'device';
}

/**
 * Opens an existing file that is not a link, without waiting for a pipe.
 * @throws the error of the system
 */
export function openPlainFile(path: string, flags: number): number {
  const noLink = (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0); // absent on Windows
  return openSync(path, flags | noLink);
}

/** The first bytes of a file, through a read-only handle. */
export function beginningOf(path: string, bytes: number): Buffer {
  const descriptor = openPlainFile(path, constants.O_RDONLY);
  try {
    const kind = kindOf(fstatSync(descriptor));
    return kind === 'file' ? readAt(descriptor, 0, bytes) : Buffer.alloc(0);
  } finally {
    closeSync(descriptor);
  }
}

/** A number of bytes from an offset; fewer at the end of the file. */
export function readAt(descriptor: number, from: number, bytes: number): Buffer {
  const text = Buffer.alloc(bytes);
  let length = 0;
  while (length < bytes) {
    const read = readSync(descriptor, text, length, bytes - length, from + length);
    if (read === 0) break;
    length += read;
  }
  return text.subarray(0, length);
}
