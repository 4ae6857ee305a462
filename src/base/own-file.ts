/** Files that people name for output: an existing file is replaced only if deskhand wrote it. */
import { closeSync, constants, fstatSync, lstatSync, type BigIntStats } from 'node:fs';
import { UsageError } from './error.ts';
import { kindAt, kindWords, openPlainFile, readAt } from './file-kind.ts';

/** A kind of file that deskhand writes and recognizes. */
export interface OwnKind {
  /** The name of the kind in messages, such as `a plan`. */
  readonly name: string;
  /** Whether a text was written by us; an empty file may always be replaced. */
  readonly isOurs: (text: string) => boolean;
}

/** The state of the file when it was inspected; undefined if it did not exist. */
export type Standing = Pick<BigIntStats, 'dev' | 'ino' | 'size' | 'mtimeNs' | 'mode'> | undefined;

/** Another file exists at the path of an output; it was not changed. */
export class ForeignFileError extends UsageError {
  readonly because: string;

  constructor(path: string, because: string) {
    super(
      `${path} is not replaced: ${because}`,
      'the file was not changed; move it, or name another file',
    );
    this.because = because;
  }
}

/**
 * Inspects a path without changing it.
 * @throws ForeignFileError unless it is free, an empty file, or a file of the kind
 */
export function standingAt(path: string, kind: OwnKind): Standing {
  const found = kindAt(path);
  if (found === 'nothing') return undefined;
  if (found !== 'file') throw new ForeignFileError(path, `${kindWords(found)}, not a file`);
  const descriptor = openPlainFile(path, constants.O_RDONLY);
  try {
    const standing = fstatSync(descriptor, { bigint: true });
    if ((standing.mode & writable) === 0n) throw new ForeignFileError(path, 'it is read-only');
    if (standing.size > 0n && !isOurs(descriptor, standing, kind)) {
      throw new ForeignFileError(path, `it is not ${kind.name} written by deskhand`);
    }
    return standing;
  } finally {
    closeSync(descriptor);
  }
}

/** @throws ForeignFileError when the file has changed since */
export function refuseMoved(path: string, before: Standing): void {
  const now = lstatSync(path, { bigint: true, throwIfNoEntry: false });
  const isSame =
    now?.dev === before?.dev &&
    now?.ino === before?.ino &&
    now?.size === before?.size &&
    now?.mtimeNs === before?.mtimeNs;
  if (!isSame) throw new ForeignFileError(path, 'it was changed while deskhand was running');
}

const writable = 0o222n;
const bytesMax = 256n * 1024n * 1024n; // larger than any file we write

function isOurs(descriptor: number, { size }: BigIntStats, kind: OwnKind): boolean {
  return size <= bytesMax && kind.isOurs(readAt(descriptor, 0, Number(size)).toString('utf8'));
}
