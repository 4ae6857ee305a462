/** Defines the problems that the checker reports. */
import type { SourceRange } from './source-range.ts';

/** One problem of a playbook; `code` is stable and has a page in `deskhand explain`. */
export interface Problem {
  readonly code: `PB${number}`;
  readonly level: 'error' | 'warning';
  readonly message: string;
  readonly at: SourceRange;
  /** The remedy for the problem. */
  readonly hint?: string;
  /** The definition in the API or the language. */
  readonly note?: string;
}
