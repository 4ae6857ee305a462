/** What may be removed from a store that machines share. */
import type { Millis } from '../base/clock.ts';

/** Beside the records of runs. */
export interface Outdated {
  /** Plans that no run can start from any more. */
  readonly plans: number;
  /** Ended jobs that still have their contents. */
  readonly jobs: number;
}

/** Every method throws StoreError when the store gave no answer. */
export interface Retention {
  /** Whether the store has these runs, or had them; absent: only this machine has it. */
  known(runs: readonly string[]): Promise<ReadonlyMap<string, 'stored' | 'pruned'>>;
  /**
   * Removes a run from the store, under its local lock, if the journal here has all its lines. No
   * process takes it from then on, and its plan stays used.
   * @returns why it was kept; undefined if the store does not have it any more
   */
  readonly remove: (run: string) => Promise<string | undefined>;
  /** What `clean` would remove. @param age minimum, at least the longest validity of a plan */
  count(age: Millis): Promise<Outdated>;
  /** Deletes what is outdated, and what removed runs had, also after an interrupted call. */
  clean(age: Millis): Promise<Outdated>;
}
