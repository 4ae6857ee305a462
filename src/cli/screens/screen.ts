/** The screen of a run in progress: a function of the journal's entries. */
import type { RunObserver } from '../../app/running/observer.ts';

export interface Screen extends RunObserver {
  /**
   * Shows a note for a person beside the entries; absent where a line on stderr disturbs nothing.
   */
  readonly say?: (line: string) => void;
}
