/** Follows a run in progress by the entries of its journal. */
import type { Entry } from '../../engine/journal/entry.ts';

export interface RunObserver {
  /** Called once, before all others, with the entries that a resumed run wrote before. */
  recall(entries: readonly Entry[]): void;
  /** Called for every entry, in order, once it is on the disk. */
  show(entry: Entry): void;
  /** Called once, after the last entry. */
  close(): Promise<void>;
}
