/** The journal of the run that is about to continue, parsed and verified once for all checks that read it. */
import type { ReadJournal } from './read-journal.ts';

/** The database, the file, and the file under its lock give the same text, unless it was changed. */
let kept: { readonly text: string; readonly read: ReadJournal } | undefined;

/** Keeps a verified journal until another is kept, or it is dropped. */
export function keepJournal(text: string, read: ReadJournal): void {
  if (read.tornAt === undefined) kept = { text, read };
}

/** The journal as read before from the same text; undefined for any other text. */
export function keptJournal(text: string): ReadJournal | undefined {
  return kept?.text === text ? kept.read : undefined;
}

/**
 * Drops the kept journal when its run continues or will not: it may be as large as all other memory of
 * the process.
 */
export function dropJournal(): void {
  kept = undefined;
}
