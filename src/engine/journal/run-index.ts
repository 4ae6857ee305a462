/** The headers of all runs, and which runs did nothing that others ask for, in one file: a plan beside
 * thousands of runs reads this file instead of theirs.
 *
 * It counts only for files of which the file system says the same as before they were read (stamp.ts):
 * otherwise they are read again. Without it the next plan takes longer. The rule of digests
 * applies (digest.ts): only `plan` reads it, so no promise depends on it.
 */
import { lstatSync } from 'node:fs';
import { join } from 'node:path';
import { fieldOf, isRecord } from '../../base/json.ts';
import { readFoundSync } from '../../base/read-file.ts';
import { JournalError } from './error.ts';
import { replaceDerived } from './file.ts';
import { headerOf, type RunHeader } from './header.ts';
import { areLasting, textOf, type JournalStamps } from './journal-stamps.ts';
import { frame, unframe } from './record.ts';
import { isLasting, type Stamp } from './stamp.ts';

const version = 3; // counted up whenever `essential` keeps something else

/** A run as stored. */
interface StoredRun {
  readonly header: RunHeader;
  /** What the file system said about its header. */
  readonly file: string;
  /** The same about its journal and mark, if it is finished and has nothing of a kind that others ask for. */
  readonly lacks: Lacking<string>;
}

/** What other runs ask a run for: its writes, for their ledger, and its doubts. */
export type Asked = 'ledger' | 'doubts';

type Lacking<T> = { readonly [A in Asked]?: T };

/** A run that exists. */
interface SeenRun {
  readonly header: RunHeader;
  readonly file: Stamp;
  /** What it lacks as of now. */
  readonly lacks: Map<Asked, JournalStamps>;
  /** The same as stored; where nobody asked for it, it was not compared. */
  readonly stored: Lacking<string>;
}

export class RunIndex {
  readonly #path: string;
  readonly #stored: ReadonlyMap<string, StoredRun>;
  readonly #seen = new Map<string, SeenRun>();
  #isChanged = false;

  constructor(stateDir: string) {
    this.#path = indexPath(stateDir);
    this.#stored = new Map(storedIn(this.#path).map((run) => [run.header.run, run]));
  }

  /** The header of a run; undefined if it must be read. @param file its current stamp */
  headerOf(run: string, file: Stamp): RunHeader | undefined {
    const stored = this.#stored.get(run);
    if (stored?.file !== file.text) return undefined;
    const { header, lacks } = stored;
    this.#seen.set(run, { header, file, lacks: new Map(), stored: lacks });
    return header;
  }

  /** @param file as it was before the header was read */
  noteHeader(header: RunHeader, file: Stamp): void {
    this.#seen.set(header.run, { header, file, lacks: new Map(), stored: {} });
    this.#isChanged = true;
  }

  /** Whether the run has nothing of what is asked for. @param files their current stamps */
  lacks(run: string, asked: Asked, files: JournalStamps): boolean {
    return this.#seen.get(run)?.stored[asked] === textOf(files);
  }

  /** @param files as they were before the journal was read */
  noteLacking(run: string, asked: Asked, files: JournalStamps): void {
    const seen = this.#seen.get(run);
    if (seen === undefined || seen.stored[asked] === textOf(files)) return;
    seen.lacks.set(asked, files);
    this.#isChanged = true;
  }

  /** Stores what is known now of the runs that exist, if that is something else. */
  keep(): void {
    if (!this.#isChanged && this.#seen.size === this.#stored.size) return;
    replaceDerived(this.#path, (now) => {
      const runs = [...this.#seen.values()].filter(({ file }) => isLasting(file, now));
      return frame(JSON.stringify({ version, runs: runs.map((run) => toStore(run, now)) }));
    });
  }
}

function toStore({ header, file, lacks, stored }: SeenRun, now: bigint): StoredRun {
  const kept: { [A in Asked]?: string } = {};
  for (const asked of ['ledger', 'doubts'] as const) {
    const files = lacks.get(asked);
    const text = files === undefined ? stored[asked] : lastingText(files, now);
    if (text !== undefined) kept[asked] = text;
  }
  return { header, file: file.text, lacks: kept };
}

function lastingText(files: JournalStamps, now: bigint): string | undefined {
  return areLasting(files, now) ? textOf(files) : undefined;
}

export function indexPath(stateDir: string): string {
  return join(stateDir, 'run-index');
}

/** None when the file is absent or damaged, or of another version. */
function storedIn(path: string): readonly StoredRun[] {
  try {
    const text = readFoundSync(path, lstatSync(path), Infinity);
    const value: unknown = JSON.parse(unframe(text.replace(/\n$/, '')));
    if (!isRecord(value) || value['version'] !== version) return [];
    const { runs } = value;
    return Array.isArray(runs) ? runs.map((run) => storedRun(run, path)) : [];
  } catch {
    return [];
  }
}

/** @throws JournalError for what this version did not write */
function storedRun(value: unknown, path: string): StoredRun {
  const { header, file, lacks } = isRecord(value) ? value : {};
  if (typeof file !== 'string') throw new JournalError(`${path} is damaged`);
  const textAt = (asked: Asked): Lacking<string> => {
    const text = fieldOf(lacks, asked);
    return typeof text === 'string' ? { [asked]: text } : {};
  };
  return {
    header: headerOf(header, path),
    file,
    lacks: { ...textAt('ledger'), ...textAt('doubts') },
  };
}
