/** Limits the size of the values in a plan. */
import { DeskhandError, exits } from '../../base/error.ts';
import type { PlanContext } from './plan-context.ts';

const lengthMax = 4 * 1024 * 1024; // characters of values; people read plans, and Git stores them

/** @throws DeskhandError above the maximum */
export function refuseTooMuch(reads: PlanContext['reads']): void {
  let length = 0;
  for (const [address, values] of reads) {
    length += JSON.stringify(values).length;
    if (length <= lengthMax) continue;
    throw new DeskhandError(
      `a plan contains the values that its expressions use, and up to ${address} these are more than 4 MiB`,
      {
        code: 'plan-too-large',
        actor: 'author',
        exit: exits.invalid,
        hint: 'read less, for example one symbol; use write: for rows that only go into a file',
      },
    );
  }
}
