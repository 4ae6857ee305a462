/** One key for two things: the run is not what it was when it began. */
import { DeskhandError, exits } from '../base/error.ts';

/** A key of the run stands for something else than it did. */
export class ReusedKeyError extends DeskhandError {
  constructor(key: string) {
    super(`${key} is not what this run did under that name; nothing more was sent`, {
      code: 'changed',
      actor: 'operator',
      exit: exits.stopped,
      hint: 'its playbook or its inputs are not those it began with: begin a new run',
    });
  }
}
