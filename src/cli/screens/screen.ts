/** What shows a run while it happens: a function of the journal's entries, nothing else. */
import type { Entry } from '../../journal/entry.ts';

export interface Screen {
  /** Called once, first: what a resumed run did before. It is known, and not shown again. */
  recall(entries: readonly Entry[]): void;
  /** Called for every entry, in order, once it is on the disk. */
  show(entry: Entry): void;
  /** Called once, when there will be no more; the streams are free afterwards. */
  close(): Promise<void>;
}
