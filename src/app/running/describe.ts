/** Describes any thrown value as a code, a text and what to do. */
import { isNativeError } from 'node:util/types';
import { DeskhandError, exits, messageOf, type ErrorDetails } from '../../base/error.ts';

/** An error in parts. */
export interface Described extends ErrorDetails {
  readonly message: string;
}

/** An error as text: its code, what happened, what to do, and the exit code. */
export function describeError(error: unknown): Described {
  if (error instanceof DeskhandError) {
    const { code, message, hint, exit, actor, reasons } = error;
    return {
      code,
      message,
      exit,
      actor,
      ...(hint !== undefined && { hint }),
      ...(reasons && { reasons }),
    };
  }
  if (isSystemError(error)) {
    const [description, hint] = systemWords[error.code] ?? [];
    const message = description && error.path ? `${error.path}: ${description}` : error.message;
    return {
      code: error.code,
      message,
      exit: exits.stopped,
      actor: 'operator',
      ...(hint && { hint }),
    };
  }
  return {
    code: 'internal',
    message: messageOf(error),
    hint: 'this is a bug in deskhand; run again with --log-level debug and report what it prints',
    exit: exits.stopped,
    actor: 'ours',
  };
}

/** Texts for errors of the operating system, with what to do. */
const systemWords: Readonly<
  Record<string, readonly [description: string | undefined, hint: string]>
> = {
  ENOENT: ['no such file or folder', 'check the path'],
  ENOTDIR: ['a parent folder is a file', 'check the path'],
  EISDIR: ['this is a folder', 'name a file'],
  EACCES: ['permission denied', 'check the permissions'],
  EPERM: ['operation not permitted', 'check the permissions'],
  ENOSPC: ['the disk is full', 'free some space'],
  EROFS: [
    'the disk is read-only',
    'name another place: DESKHAND_STATE_DIR is for runs and plans, --dir for files of playbooks, TMPDIR for temporary ones',
  ],
  ENAMETOOLONG: ['this name is too long', 'name a shorter one'],
  ELOOP: ['the links form a loop', 'check the path'],
  EADDRINUSE: [undefined, 'another process listens there; choose another --port'],
};

function isSystemError(error: unknown): error is NodeJS.ErrnoException & { readonly code: string } {
  return isNativeError(error) && 'code' in error && 'syscall' in error;
}
