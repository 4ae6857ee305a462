/** What all expressions of a playbook may cost together, from its check to the end of its run. */
import type { Problems } from '../problems.ts';
import { TooManyError } from './value.ts';

/**
 * Steps for one playbook with all that it uses. A call costs 10, and 1 for each member, each 64
 * letters, of what it is given; of 10,000 items each may make some 1,000 calls.
 */
export const stepsMax = 100_000_000;

const ofCall = 10;
const ofRow = 20_000; // steps an expression may take for a row that was read, beside the others

/** Steps that were taken. They do not depend on the machine: what fits here fits everywhere. */
export class Effort {
  #taken = 0;
  #free = 0;

  /** An expression begins; what is free for a row does not add up. */
  begin(isOfRow: boolean): void {
    this.#free = isOfRow ? ofRow : 0;
  }

  /** Counts from the beginning. */
  renew(): void {
    this.#taken = 0;
  }

  /** @throws TooManyError when there are no more */
  spend(steps: number): void {
    const free = Math.min(this.#free, steps + ofCall);
    this.#free -= free;
    this.#taken += steps + ofCall - free;
    if (this.#taken <= stepsMax) return;
    throw new TooManyError(
      `the expressions of this playbook take more than ${stepsMax} steps`,
      'make a list once, as an output of a step or an input, and use that in for-each',
    );
  }
}

const efforts = new WeakMap<Problems, Effort>();

/** The effort of the playbook that these problems are collected for. */
export function effortOf(problems: Problems): Effort {
  const effort = efforts.get(problems) ?? new Effort();
  efforts.set(problems, effort);
  return effort;
}
