/** The error of a run whose record ended during a write. */
import { DeskhandError, exits } from '../../base/error.ts';

/** The record ended during a write: its outcome is unknown until the run is resumed. */
export class LostRecordError extends DeskhandError {
  constructor(cause: unknown) {
    super('the journal ended during a write; its outcome is not recorded', {
      code: 'in-doubt',
      actor: 'operator',
      exit: exits.inDoubt,
      hint: isTaken(cause)
        ? 'another process continues the run and looks the write up: see `deskhand runs list`'
        : 'repair the disk, or reach the state store, then resume the run: it looks the write up first',
      cause,
    });
  }
}

function isTaken(error: unknown): boolean {
  return error instanceof DeskhandError && error.code === 'locked';
}
