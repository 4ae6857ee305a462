/** A sandbox's file that cannot be used as a world; nothing in it was changed. */
import { DeskhandError, exits } from '../../base/error.ts';

export class DamagedError extends DeskhandError {
  constructor(file: string, because: string, cause?: unknown) {
    super(`the sandbox state ${file} cannot be used: ${because}`, {
      code: 'sandbox-state',
      actor: 'operator',
      exit: exits.invalid,
      hint: 'it was not changed; restore it from a backup, or remove it (deskhand sandbox reset -p sandbox) to start a new world without its orders',
      cause,
    });
  }
}

export const otherVersion = 'it was written by another version of deskhand';
