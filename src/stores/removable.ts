/** Removes old records from a store that machines share. */
import type { Millis } from '../base/clock.ts';

/** Outdated contents, besides the records of runs. */
export interface Outdated {
  /** Plans that no run can start from any more. */
  readonly plans: number;
  /** Ended jobs that still have their contents. */
  readonly jobs: number;
}

/** Removes records from a store. Every method throws StoreError when the store gave no answer. */
export interface Retention {
  /** Whether the store has these runs, or had them. A run that is absent is only on this machine. */
  known(runs: readonly string[]): Promise<ReadonlyMap<string, 'stored' | 'pruned'>>;
  /**
   * Removes a run from the store, under its local lock, if the journal here has all its lines. No process
   * takes it from then on, and its plan stays used.
   * @returns why it was kept; undefined if the store does not have it any more
   */
  readonly remove: (run: string) => Promise<string | undefined>;
  /** Counts what `clean` would remove. @param age minimum, at least the longest validity of a plan */
  count(age: Millis): Promise<Outdated>;
  /** Deletes outdated contents, and the contents of removed runs, also after an interrupted call. */
  clean(age: Millis): Promise<Outdated>;
}
