/** Why a run cannot take over the results of an earlier one; nothing was sent. */
import { DeskhandError, exits } from '../../base/error.ts';

export class ReuseError extends DeskhandError {
  constructor(message: string, hint: string) {
    super(`${message}; nothing was sent`, {
      code: 'reuse',
      actor: 'operator',
      exit: exits.heldBack,
      hint,
    });
  }
}
