/** The result of reading a journal: its entries, and where it continues. */
import type { Entry } from './entry.ts';

export interface JournalState {
  readonly seq: number;
  readonly link: string;
}

export interface ReadJournal {
  readonly entries: readonly Entry[];
  readonly state: JournalState;
  /** The link of each entry. */
  readonly links: readonly string[];
  /** Offset from which characters are not a whole line. */
  readonly tornAt?: number;
}
