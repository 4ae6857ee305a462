/** What the checker reports. */
import type { SourceRange } from './source-range.ts';

/** One thing wrong with a playbook; `code` is stable and has a page in `deskhand explain`. */
export interface Problem {
  readonly code: `PB${number}`;
  readonly level: 'error' | 'warning';
  readonly message: string;
  readonly at: SourceRange;
  /** What to do about it. */
  readonly hint?: string;
  /** What the API or the language says there. */
  readonly note?: string;
}
