/** Errors while rows are written to a file; the file with the final name is unchanged. */
import { DeskhandError, exits, type Actor } from '../../base/error.ts';
import { plainText } from '../../base/text.ts';

export type ExportCode =
  | 'file-name'
  | 'file-in-the-way'
  | 'file-locked'
  | 'file-format'
  | 'file-changed'
  | 'file-elsewhere'
  | 'file-too-large'
  | 'duplicate-row'
  | 'too-many-columns'
  | 'disk-full'
  | 'disk';

/** A file was not written. An earlier one of that name is unchanged. */
export class ExportError extends DeskhandError {
  constructor(
    code: ExportCode,
    message: string,
    { hint, cause }: { readonly hint: string; readonly cause?: unknown },
  ) {
    const exit = code === 'file-locked' ? exits.heldBack : exits.stopped;
    super(message, { code, actor: actors[code], exit, hint, cause });
  }
}

/** An error of the operating system with the file it concerns. */
export function diskError(file: string, error: unknown): ExportError {
  const code = systemCodeOf(error);
  if (code === 'ENOSPC' || code === 'EDQUOT') {
    return new ExportError('disk-full', `${file} was not written: the disk is full`, {
      hint: 'free space and run it again; no partial file was left',
      cause: error,
    });
  }
  return new ExportError('disk', `${file} was not written: ${meaningOf(code)}`, {
    hint: 'check the folder and its permissions, then run it again',
    cause: error,
  });
}

/** A file whose manifest may match, but whose contents we did not write. */
export function notOurs(file: string, because: string, cause?: unknown): ExportError {
  return new ExportError('file-changed', `${plainText(file, 160)} ${because}`, {
    hint: 'run the step that writes it again',
    cause,
  });
}

/** The system's code of an error: `ENOENT`, `EEXIST` …; '' for other errors. */
export function systemCodeOf(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string'
    ? error.code
    : '';
}

const actors: Readonly<Record<ExportCode, Actor>> = {
  'file-name': 'author',
  'file-in-the-way': 'operator',
  'file-locked': 'operator',
  'file-format': 'author',
  'file-changed': 'operator',
  'file-elsewhere': 'operator',
  'file-too-large': 'author',
  'duplicate-row': 'author',
  'too-many-columns': 'author',
  'disk-full': 'operator',
  disk: 'operator',
};

/** The meaning of an error code of the operating system. */
export function meaningOf(code: string): string {
  switch (code) {
    case 'EACCES':
    case 'EPERM':
      return 'permission denied';
    case 'EROFS':
      return 'the disk is read-only';
    case 'EMFILE':
    case 'ENFILE':
      return 'too many files are open';
    case '':
      return 'the disk failed';
    default:
      return `the disk failed (${code})`;
  }
}
