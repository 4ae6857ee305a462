/** Who follows a run in progress: a function of the journal's entries. */
import type { Entry } from '../../engine/journal/entry.ts';

export interface RunObserver {
  /** Called once, first: what a resumed run did before. */
  recall(entries: readonly Entry[]): void;
  /** Called for every entry, in order, once it is on the disk. */
  show(entry: Entry): void;
  /** Called once, after the last entry. */
  close(): Promise<void>;
}
