/** The known runs of a state folder. The files of a run are read again only when the file system shows that
 * they changed: overviews of ended runs are in the catalogue (catalogue.ts). They are only shown: decisions
 * about sending depend on journals, and on what the engine itself keeps of them.
 */
import { isDeepStrictEqual } from 'node:util';
import { UsageError } from '../../base/error.ts';
import { isRecord } from '../../base/json.ts';
import type { Entry } from '../../engine/journal/entry.ts';
import { JournalError, undefinedWhenDamaged } from '../../engine/journal/error.ts';
import { areLasting, type FactKind } from '../../engine/journal/catalogue.ts';
import { EndedRuns } from '../../engine/journal/ended.ts';
import { growingRun, type GrowingRun } from '../../engine/journal/growing-run.ts';
import type { RunHeader } from '../../engine/journal/header.ts';
import { unnamedRun, type UnnamedRun } from '../../engine/journal/run-list.ts';
import { RunStamps } from '../../engine/journal/run-stamps.ts';
import { readHeader, readRun } from '../../engine/journal/runs.ts';
import { isSameStamp, type Stamp } from '../../engine/journal/stamp.ts';
import { isFigures } from '../telemetry/figures.ts';
import { overviewOf, overviewVersion, type Overview } from './overview.ts';

export type KnownRun =
  | { readonly kind: 'read'; readonly header: RunHeader; readonly overview: Overview }
  /** The run ended before its first entry was written. */
  | { readonly kind: 'not begun'; readonly header: RunHeader }
  | { readonly kind: 'damaged'; readonly header: RunHeader; readonly error: JournalError }
  /** The header of the run cannot be read. */
  | { readonly kind: 'unnamed'; readonly because: string };

export interface Overviews {
  /** The header of a run; undefined for anything but a run, and for one that `read` calls unnamed. */
  header(run: string): Promise<RunHeader | undefined>;
  /** The header of a run, or the problem of one that cannot be identified; both may be missing, and exist. */
  named(run: string): Promise<NamedRun>;
  /** Reads a run; undefined for anything but a run, and for one that does not exist yet. */
  read(run: string): Promise<KnownRun | undefined>;
  /**
   * Stores the overviews that later processes then need not make, if that is worth the time.
   * @param names of all runs: others are forgotten
   * @param isLast whether this process ends: then every new run is worth it
   */
  keep(names: readonly string[], isLast?: boolean): void;
  /** The entries of a run; for a run that is being followed, only new ones are read. @throws as `readRun` */
  entries(run: string): Promise<readonly Entry[]>;
}

/** A run as its header names it. */
interface NamedRun {
  readonly header?: RunHeader;
  readonly problem?: UnnamedRun;
}

interface Known {
  /** What the file system reported about the run's files before they were read. */
  readonly stamps: readonly (Stamp | undefined)[];
  readonly found: KnownRun | undefined;
  /** Whether the files had changed a moment before: they may have changed again at the same time. */
  readonly isFresh: boolean;
}

/** The share of new runs at which a server stores overviews: it must read the catalogue for that. */
const newShare = 0.01;

const overviewKind: FactKind = `overview ${overviewVersion}`;

const followedMax = 16; // runs in progress whose entries are kept in memory

export function openOverviews(stateDir: string): Overviews {
  const followed = new Map<string, GrowingRun>();
  const known = new Map<string, Known>();
  const reading = new Map<string, Promise<KnownRun | undefined>>();
  const unstored = new Map<string, ReadRun & { readonly stamps: readonly Stamp[] }>();
  const files = new RunStamps(stateDir);
  /**
   * The overviews that earlier processes stored, until this one knows every run: then a server frees their
   * memory.
   */
  let stored: EndedRuns | undefined = new EndedRuns(stateDir);
  const entriesOf = (run: string): Promise<readonly Entry[]> =>
    followed.get(run)?.entries() ?? readRun(stateDir, run);
  const follow = (run: string): void => {
    const growing = followed.get(run) ?? growingRun(stateDir, run);
    followed.delete(run);
    followed.set(run, growing); // the last one that changed is last
    const [oldest] = followed.keys();
    if (oldest !== undefined && followed.size > followedMax) followed.delete(oldest);
  };
  const readNow = async (run: string, stamps: Known['stamps']): Promise<KnownRun | undefined> => {
    const before = known.get(run)?.found;
    const wasOpen = before?.kind === 'read' && before.overview.isOpen;
    if (wasOpen) follow(run); // and it changed
    const whole = present(stamps);
    const isFresh = !areLasting(whole);
    let found = await foundIn(stateDir, run, () => entriesOf(run));
    if (followed.has(run) && !(found?.kind === 'read' && found.overview.isOpen)) {
      followed.delete(run);
      found = await foundIn(stateDir, run, () => entriesOf(run)); // verified as a whole at its end
    }
    if (isDeepStrictEqual(found, before)) found = before; // callers compare it
    known.set(run, { stamps, found, isFresh: isFresh && isEnded(found) });
    if (!isFresh && whole.length === stamps.length && isEnded(found)) {
      unstored.set(run, { ...found, stamps: whole });
    }
    return found;
  };
  /** An overview that an earlier process stored, if nothing was changed since. */
  const storedNow = (run: string, stamps: Known['stamps']): KnownRun | undefined => {
    const whole = present(stamps);
    const header = stored?.header(run, stamps[0]);
    const overview = header && stored?.find(overviewKind, run, whole);
    if (header === undefined || !isOverview(overview)) return undefined;
    const found = { kind: 'read', header, overview } as const;
    known.set(run, { stamps, found, isFresh: false });
    return found;
  };
  /** The header that was confirmed by its journal, if it is unchanged. */
  const confirmed = (run: string): RunHeader | undefined => {
    const { stamps: [before] = [], found } = known.get(run) ?? {};
    const file = files.header(run);
    if (file && before && isSameStamp(before, file) && found?.kind === 'read') return found.header;
    return stored?.header(run, file);
  };
  return {
    entries: entriesOf,
    header: async (run) => confirmed(run) ?? readHeader(stateDir, run).catch(undefinedWhenDamaged),
    named: async (run) => {
      const known = confirmed(run);
      if (known !== undefined) return { header: known };
      const header = await readHeader(stateDir, run).catch(undefinedWhenDamaged);
      const problem = await unnamedRun(stateDir, run);
      return { ...(header && { header }), ...(problem && { problem }) };
    },
    read: (run) => {
      const stamps = files.all(run); // before they are read
      const before = known.get(run);
      const isSame = before !== undefined && isSameFile(before.stamps, stamps);
      const isRead = isSame && !(before.isFresh && areLasting(present(stamps)));
      if (isRead) return Promise.resolve(before.found);
      const earlier = before === undefined ? storedNow(run, stamps) : undefined;
      if (earlier !== undefined) return Promise.resolve(earlier);
      // Callers at the same time share one reading.
      const now = reading.get(run) ?? readNow(run, stamps).finally(() => void reading.delete(run));
      reading.set(run, now);
      return now;
    },
    keep: (names, isLast = false) => {
      const all = new Set(names);
      for (const run of known.keys()) if (!all.has(run)) known.delete(run);
      for (const run of followed.keys()) if (!all.has(run)) followed.delete(run);
      if (known.size >= names.length) stored = undefined;
      if (unstored.size === 0 || (!isLast && unstored.size < known.size * newShare)) return;
      const runs = new EndedRuns(stateDir);
      for (const { header, overview, stamps } of unstored.values()) {
        runs.note(overviewKind, header, stamps, overview);
      }
      unstored.clear();
      runs.keep(names);
    },
  };
}

type ReadRun = Extract<KnownRun, { readonly kind: 'read' }>;

/** Whether a run has ended: nothing is stored of one without an end. */
function isEnded(found: KnownRun | undefined): found is ReadRun {
  return found?.kind === 'read' && !found.overview.isOpen;
}

function isSameFile(before: Known['stamps'], now: Known['stamps']): boolean {
  return before.every((each, at) => {
    const other = now[at];
    return each === undefined || other === undefined ? each === other : isSameStamp(each, other);
  });
}

/** The stamps of the files that exist. */
function present(stamps: Known['stamps']): readonly Stamp[] {
  return stamps.filter((each) => each !== undefined);
}

/**
 * Whether a value is an overview. The checksum proves that deskhand wrote it, and the kind what its fields
 * are.
 */
function isOverview(value: unknown): value is Overview {
  return isRecord(value) && typeof value['status'] === 'string' && isFigures(value['figures']);
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
