/** What is known of each run of a state folder. The files of a run are read again only when the file
 * system shows that they changed.
 */
import { UsageError } from '../../base/error.ts';
import type { Entry } from '../../engine/journal/entry.ts';
import { JournalError, undefinedWhenDamaged } from '../../engine/journal/error.ts';
import { growingRun, type GrowingRun } from '../../engine/journal/growing-run.ts';
import type { RunHeader } from '../../engine/journal/header.ts';
import { unnamedRun, type UnnamedRun } from '../../engine/journal/run-list.ts';
import { readHeader, readRun } from '../../engine/journal/runs.ts';
import { overviewOf, type Overview } from './overview.ts';
import { storedOverviews, storeOverviews, type OverviewToStore } from './overview-file.ts';
import { headerStampOf, runStampsOf, type RunStamps } from './run-stamps.ts';

export type KnownRun =
  | { readonly kind: 'read'; readonly header: RunHeader; readonly overview: Overview }
  /** It ended before its first entry was written. */
  | { readonly kind: 'not begun'; readonly header: RunHeader }
  | { readonly kind: 'damaged'; readonly header: RunHeader; readonly error: JournalError }
  /** Its header cannot be read. */
  | { readonly kind: 'unnamed'; readonly because: string };

export interface Overviews {
  /** Undefined for what is not a run, or one that `read` calls unnamed. */
  header(run: string): Promise<RunHeader | undefined>;
  /** The problem of a run that cannot be identified; undefined for others. */
  unnamed(run: string): Promise<UnnamedRun | undefined>;
  /** Undefined for what is not a run, or not yet. */
  read(run: string): Promise<KnownRun | undefined>;
  /**
   * Stores what later processes need not read, if that is worth writing the file.
   * @param names of all runs: others are forgotten
   * @param isLast whether this process ends: then every new run is worth it
   */
  keep(names: readonly string[], isLast?: boolean): void;
  /** The entries of a run; of one that is being followed, only new ones are read. @throws as `readRun` */
  entries(run: string): Promise<readonly Entry[]>;
}

interface Known {
  readonly stamps: RunStamps;
  readonly found: KnownRun | undefined;
}

/** The file is replaced when this share of its runs is new: writing it then costs less than reading them. */
const newShare = 0.01;

const followedMax = 16; // runs in progress whose entries are kept in memory

export function openOverviews(stateDir: string): Overviews {
  const followed = new Map<string, GrowingRun>();
  const known = new Map<string, Known>();
  const reading = new Map<string, Promise<KnownRun | undefined>>();
  let unstored = 0; // runs to store that were read since
  for (const [run, { header, overview, ...texts }] of storedOverviews(stateDir)) {
    const stamps = { ...texts, changedAt: 0n };
    known.set(run, { stamps, found: { kind: 'read', header, overview } });
  }
  const entriesOf = (run: string): Promise<readonly Entry[]> =>
    followed.get(run)?.entries() ?? readRun(stateDir, run);
  const follow = (run: string): void => {
    const growing = followed.get(run) ?? growingRun(stateDir, run);
    followed.delete(run);
    followed.set(run, growing); // the last one that changed is last
    const [oldest] = followed.keys();
    if (oldest !== undefined && followed.size > followedMax) followed.delete(oldest);
  };
  const readNow = async (run: string, stamps: RunStamps): Promise<KnownRun | undefined> => {
    const before = known.get(run)?.found;
    const wasOpen = before?.kind === 'read' && before.overview.isOpen;
    if (wasOpen) follow(run); // and it changed
    let found = await foundIn(stateDir, run, () => entriesOf(run));
    if (followed.has(run) && !(found?.kind === 'read' && found.overview.isOpen)) {
      followed.delete(run);
      found = await foundIn(stateDir, run, () => entriesOf(run)); // verified as a whole at its end
    }
    known.set(run, { stamps, found });
    unstored += toStore({ stamps, found }).length;
    return found;
  };
  /** The header that was confirmed by its journal, if it is unchanged. */
  const confirmed = (run: string): RunHeader | undefined => {
    const { stamps, found } = known.get(run) ?? {};
    const isSameFile = stamps?.headerFile === headerStampOf(stateDir, run);
    return isSameFile && found?.kind === 'read' ? found.header : undefined;
  };
  return {
    entries: entriesOf,
    header: async (run) => confirmed(run) ?? readHeader(stateDir, run).catch(undefinedWhenDamaged),
    unnamed: async (run) => (confirmed(run) ? undefined : unnamedRun(stateDir, run)),
    read: (run) => {
      const stamps = runStampsOf(stateDir, run); // before they are read
      const before = known.get(run);
      if (before !== undefined && isSame(before.stamps, stamps)) {
        return Promise.resolve(before.found);
      }
      // Callers at the same time share one reading.
      const now = reading.get(run) ?? readNow(run, stamps).finally(() => void reading.delete(run));
      reading.set(run, now);
      return now;
    },
    keep: (names, isLast = false) => {
      const present = new Set(names);
      for (const run of known.keys()) if (!present.has(run)) known.delete(run);
      for (const run of followed.keys()) if (!present.has(run)) followed.delete(run);
      if (unstored === 0 || (!isLast && unstored < known.size * newShare)) return;
      unstored = storeOverviews(stateDir, [...known.values()].flatMap(toStore));
    },
  };
}

function isSame(a: RunStamps, b: RunStamps): boolean {
  return a.headerFile === b.headerFile && a.files === b.files;
}

/** Only finished runs: others change again. */
function toStore({ stamps, found }: Known): readonly OverviewToStore[] {
  if (found?.kind !== 'read' || found.overview.isOpen) return [];
  const { header, overview } = found;
  return [{ stamps, header, overview }];
}

async function foundIn(
  stateDir: string,
  run: string,
  read: () => Promise<readonly Entry[]>,
): Promise<KnownRun | undefined> {
  let header: RunHeader;
  try {
    header = await readHeader(stateDir, run);
  } catch (error) {
    if (error instanceof UsageError) return undefined;
    if (!(error instanceof JournalError)) throw error;
    const unnamed = await unnamedRun(stateDir, run);
    return unnamed && { kind: 'unnamed', because: unnamed.because };
  }
  try {
    const entries = await read();
    if (entries.length === 0) return { kind: 'not begun', header };
    return { kind: 'read', header, overview: overviewOf(entries) };
  } catch (error) {
    if (error instanceof JournalError) return { kind: 'damaged', header, error };
    throw error;
  }
}
