/** The limits of a playbook's expressions: of lists, and of their total cost until its run ends. */
import type { Problems } from '../problems.ts';
import { itemsDefault, itemsHighest, TooManyError } from './value.ts';

/**
 * The maximum steps of evaluation for one playbook with its nested ones. A call costs 10, plus 1 for
 * each member and each 64 characters of its arguments; each of 10,000 items may make some 1,000 calls.
 */
export const stepsMax = 100_000_000;

const ofCall = 10;
const ofRow = 20_000; // additional steps of an expression for each row

/**
 * Counts the steps of an evaluation. They do not depend on the machine: an expression within the limit
 * here is within it everywhere.
 */
export class Effort {
  #taken = 0;
  #free = 0;
  #itemsMax: number;

  constructor(itemsMax = itemsDefault) {
    this.#itemsMax = itemsMax;
  }

  /** Maximum items of a for-each and members of a range. */
  get itemsMax(): number {
    return this.#itemsMax;
  }

  /** Applies the limit of a profile. */
  allowItems(most: number): void {
    this.#itemsMax = Math.min(most, itemsHighest);
  }

  /** An expression starts; unused steps of rows do not accumulate. */
  begin(isOfRow: boolean): void {
    this.#free = isOfRow ? ofRow : 0;
  }

  /** Resets the counted steps. */
  renew(): void {
    this.#taken = 0;
  }

  /** @throws TooManyError above the limit */
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

/** The effort counter of the playbook with these problems. */
export function effortOf(problems: Problems): Effort {
  const effort = efforts.get(problems) ?? new Effort();
  efforts.set(problems, effort);
  return effort;
}
