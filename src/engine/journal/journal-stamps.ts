/** Whether a journal and its high-water mark may have changed, without reading them. */
import { markPath } from './high-water.ts';
import { journalPath } from './runs.ts';
import { isLasting, stampOf, type Stamp } from './stamp.ts';

/** What the file system says about a journal and its mark. */
export type JournalStamps = readonly [journal: Stamp, mark: Stamp];

/** Undefined unless both are files. */
export function journalStampsOf(stateDir: string, run: string): JournalStamps | undefined {
  try {
    const journal = stampOf(journalPath(stateDir, run));
    const mark = stampOf(markPath(stateDir, run));
    return journal && mark && [journal, mark];
  } catch {
    return undefined; // reading them reports the problem
  }
}

/** Equal for unchanged files. */
export function textOf([journal, mark]: JournalStamps): string {
  return `${journal.text}, ${mark.text}`;
}

/** @param now in ns, by the clock of the file system */
export function areLasting(stamps: JournalStamps, now: bigint): boolean {
  return stamps.every((each) => isLasting(each, now));
}
