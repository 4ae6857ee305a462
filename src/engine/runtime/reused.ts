/** The error for one key used by two tasks: the run differs from its start. */
import { DeskhandError, exits } from '../../base/error.ts';

/** A key of the run has another meaning than before. */
export class ReusedKeyError extends DeskhandError {
  constructor(key: string) {
    super(`${key} differs from what this run did under that name; nothing more was sent`, {
      code: 'changed',
      actor: 'operator',
      exit: exits.stopped,
      hint: 'its playbook or inputs differ from those at its start: start a new run',
    });
  }
}
