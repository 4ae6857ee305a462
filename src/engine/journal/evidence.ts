/** The entries and facts that can still be read of a run with a damaged record. */
import type { Entry } from './entry.ts';
import type { RunHeader } from './header.ts';
import { readMark, type Mark } from './high-water.ts';
import { JournalError } from './error.ts';
import { readJournalText } from './journal-file.ts';
import { journalPath, readHeader } from './runs.ts';
import { verifyLines } from './verify.ts';

export interface Evidence {
  /** The entries of intact lines; those of damaged lines are lost. */
  readonly entries: readonly Entry[];
  /** Number of lines, intact or damaged. */
  readonly lines: number;
  /** The run's header, if known; `mark` says how far the journal was written. */
  readonly header?: RunHeader;
  readonly mark?: Mark;
}

/** Reads everything, verifies nothing and changes nothing. */
export async function evidenceOf(stateDir: string, run: string): Promise<Evidence> {
  const header = await ifReadable(readHeader(stateDir, run));
  const mark = await ifReadable(readMark(stateDir, run));
  const text = (await ifReadable(readJournalText(journalPath(stateDir, run), run))) ?? '';
  const { entries } = verifyLines(text);
  return {
    entries: entries.map(({ entry }) => entry),
    lines: text.split('\n').filter((line) => line !== '').length,
    ...(header && { header }),
    ...(mark && { mark }),
  };
}

async function ifReadable<T>(reading: Promise<T>): Promise<T | undefined> {
  try {
    return await reading;
  } catch (error) {
    if (error instanceof JournalError) return undefined;
    throw error;
  }
}
