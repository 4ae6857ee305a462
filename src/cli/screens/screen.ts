/** The screen of a run in progress: a function of the journal's entries. */
import type { Entry } from '../../journal/entry.ts';

export interface Screen {
  /** Called once, first: what a resumed run did before. It is not shown again. */
  recall(entries: readonly Entry[]): void;
  /** Called for every entry, in order, once it is on the disk. */
  show(entry: Entry): void;
  /** Called once, after the last entry; then the streams are free. */
  close(): Promise<void>;
}
