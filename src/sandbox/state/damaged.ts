/** A sandbox's file that cannot be read back: the only way on is a new world. */
import { DeskhandError, exits } from '../../base/error.ts';

export class DamagedError extends DeskhandError {
  constructor(file: string, because: string, cause?: unknown) {
    super(`the sandbox state ${file} cannot be used: ${because}`, {
      code: 'sandbox-state',
      actor: 'operator',
      exit: exits.invalid,
      hint: 'begin a new world with «deskhand sandbox reset», or remove the file; its orders are lost',
      cause,
    });
  }
}

export const otherVersion = 'it was made by another version of deskhand';
