/** How much of what was read a plan may hold. */
import { DeskhandError, exits } from '../base/error.ts';
import type { PlanContext } from './context.ts';

const heldMax = 4 * 1024 * 1024; // characters of values; a plan is read by people and kept in Git

/** @throws DeskhandError for more values than a plan may hold */
export function refuseTooMuch(reads: PlanContext['reads']): void {
  let held = 0;
  for (const [address, values] of reads) {
    held += JSON.stringify(values).length;
    if (held <= heldMax) continue;
    throw new DeskhandError(
      `expressions use more than 4 MiB of what is read up to ${address}, and a plan must contain it`,
      {
        code: 'plan-too-large',
        actor: 'author',
        exit: exits.invalid,
        hint: 'read less, for example one symbol; use write: for rows that only go into a file',
      },
    );
  }
}
