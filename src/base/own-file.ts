/** Files that people name for us to write: what is there is replaced only when it is ours. */
import { closeSync, constants, fstatSync, lstatSync, type BigIntStats } from 'node:fs';
import { UsageError } from './error.ts';
import { kindAt, kindWords, openPlainFile, readAt } from './file-kind.ts';

/** A kind of file that deskhand writes, and knows again. */
export interface OwnKind {
  /** `a plan`, for messages. */
  readonly name: string;
  /** Whether a text was written by us; an empty file holds nothing and is always free. */
  readonly isOurs: (text: string) => boolean;
}

/** What was there when it was looked at; undefined when nothing did. */
export type Standing = Pick<BigIntStats, 'dev' | 'ino' | 'size' | 'mtimeNs' | 'mode'> | undefined;

/** Something else is where a file of ours was to be; it was not touched. */
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
 * Looks at a place without changing it.
 * @throws ForeignFileError for anything but nothing, an empty file, or a file of the kind
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

/** @throws ForeignFileError when something else is there by now */
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
const bytesMax = 256n * 1024n * 1024n; // nothing of ours is larger

function isOurs(descriptor: number, { size }: BigIntStats, kind: OwnKind): boolean {
  return size <= bytesMax && kind.isOurs(readAt(descriptor, 0, Number(size)).toString('utf8'));
}
