/** What is under a path, and its beginning: looked at without following links or waiting. */
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

/** @throws what the file system says, when it cannot be looked at */
export function kindAt(path: string): FileKind {
  try {
    return kindOf(lstatSync(path));
  } catch (error) {
    if (isCode(error, 'ENOENT') || isCode(error, 'ENOTDIR')) return 'nothing';
    throw error;
  }
}

/** `it is a pipe`. */
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

/** Opens a file that is there and no link; a pipe is not waited for. @throws what the system says */
export function openPlainFile(path: string, flags: number): number {
  const noLink = (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0); // absent on Windows
  return openSync(path, flags | noLink);
}

/** The first bytes of a file, by a handle that cannot write. */
export function beginningOf(path: string, bytes: number): Buffer {
  const descriptor = openPlainFile(path, constants.O_RDONLY);
  try {
    const kind = kindOf(fstatSync(descriptor));
    return kind === 'file' ? readAt(descriptor, 0, bytes) : Buffer.alloc(0);
  } finally {
    closeSync(descriptor);
  }
}

/** So many bytes from one on; fewer at the end of the file. */
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
