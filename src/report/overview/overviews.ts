/** The known runs of a state folder. The files of a run are read again only when the file system shows that
 * they changed: overviews of ended runs are in the catalogue (catalogue.ts). They are only shown: decisions
 * about sending depend on journals, and on what the engine itself keeps of them.
 */
import { isDeepStrictEqual } from 'node:util';
import { UsageError } from '../../base/error.ts';
import { isRecord } from '../../base/json.ts';
import type { Entry } from '../../engine/journal/entry.ts';
import { JournalError, undefinedWhenDamaged } from '../../engine/journal/error.ts';
import { areLasting, catalogueOf, type Catalogue } from '../../engine/journal/catalogue.ts';
import { EndedRuns } from '../../engine/journal/ended.ts';
import type { RunHeader } from '../../engine/journal/header.ts';
import { areStamps, type StampAt } from '../../engine/journal/run-columns.ts';
import { unnamedRun } from '../../engine/journal/run-list.ts';
import { RunStamps } from '../../engine/journal/run-stamps.ts';
import { readHeader } from '../../engine/journal/runs.ts';
import { isSameStamp, type Stamp } from '../../engine/journal/stamp.ts';
import { StoredView } from '../../engine/journal/stored-view.ts';
import { isFigures } from '../telemetry/figures.ts';
import { figureBlock, type FigureBlock } from './figure-blocks.ts';
import { FollowedRuns } from './followed-runs.ts';
import { idsIn } from './ids-in-catalogue.ts';
import { listedKind, listedOf } from './listed.ts';
import { ListedTable } from './listed-table.ts';
import { overviewKind, overviewOf, type Overview } from './overview.ts';

export type KnownRun =
  | { readonly kind: 'read'; readonly header: RunHeader; readonly overview: Overview }
  /** The run ended before its first entry was written. */
  | { readonly kind: 'not-begun'; readonly header: RunHeader }
  | { readonly kind: 'damaged'; readonly header: RunHeader; readonly error: JournalError }
  /** The header of the run cannot be read. */
  | { readonly kind: 'unnamed'; readonly because: string };

export interface Overviews {
  /** The header of a run; undefined for anything but a run, and for one that `read` calls unnamed. */
  header(run: string): Promise<RunHeader | undefined>;
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
  /** The ended runs that are stored now, as lists show them: their files are not looked at. */
  table(): ListedTable;
  /** Whether the files of a run are as a table has them; false for a run that a store has. */
  isUnchanged(run: string, place: number, table: ListedTable): boolean;
  /** The figures of ended runs that are stored now, by blocks: their files are not looked at. */
  figureBlocks(): Iterable<FigureBlock | undefined>;
  /** Whether the files of a run are as a block has them; false for a run that a store has. */
  hasStamps(run: string, at: number, stampOf: StampAt): boolean;
  /** The runs of a table that have texts in the ids and symbols of their orders. @param texts in lower case */
  havingIds(
    texts: readonly string[],
    table: ListedTable,
  ): Promise<ReadonlyMap<string, ReadonlySet<string>>>;
  /** Frees the memory of runs that a caller has in a table. */
  release(runs: Iterable<string>): void;
}

interface Known {
  /** The stamps that the file system reported for the run's files before they were read. */
  readonly stamps: readonly (Stamp | undefined)[];
  readonly found: KnownRun | undefined;
  /** Whether the files had changed a moment before: they may have changed again at the same time. */
  readonly isFresh: boolean;
}

/** The share of new runs at which a server stores overviews: it must read the catalogue for that. */
const newShare = 0.01;

export function openOverviews(stateDir: string): Overviews {
  return new KnownRuns(stateDir);
}

class KnownRuns implements Overviews {
  readonly #stateDir: string;
  readonly #files: RunStamps;
  readonly #followed: FollowedRuns;
  readonly #known = new Map<string, Known>();
  /** Readings in progress: callers at the same time share one. */
  readonly #reading = new Map<string, Promise<KnownRun | undefined>>();
  readonly #unstored = new Map<string, ReadRun & { readonly stamps: readonly Stamp[] }>();
  /** The overviews that earlier processes stored: opened when a run needs it, and until the next `keep`. */
  #stored: EndedRuns | undefined;
  /** The catalogue with the same overviews, from which nothing else is read. */
  #catalogue: Catalogue | undefined;
  /** The view of the runs of stores in this turn of the event loop. */
  #inStores: StoredView | undefined;

  constructor(stateDir: string) {
    this.#stateDir = stateDir;
    this.#files = new RunStamps(stateDir);
    this.#followed = new FollowedRuns(stateDir);
  }

  table(): ListedTable {
    return new ListedTable(catalogueOf(this.#stateDir).pieces(listedKind));
  }

  isUnchanged(run: string, place: number, table: ListedTable): boolean {
    return !this.#storesNow().has(run) && table.isUnchanged(place, this.#files.all(run));
  }

  *figureBlocks(): Generator<FigureBlock | undefined> {
    for (const piece of catalogueOf(this.#stateDir).pieces(overviewKind)) yield figureBlock(piece);
  }

  hasStamps(run: string, at: number, stampOf: StampAt): boolean {
    return !this.#storesNow().has(run) && areStamps(this.#files.all(run), at, stampOf);
  }

  async havingIds(
    texts: readonly string[],
    table: ListedTable,
  ): Promise<ReadonlyMap<string, ReadonlySet<string>>> {
    const pieces = catalogueOf(this.#stateDir).pieces(overviewKind);
    const { having, searched } = await idsIn(pieces, texts);
    const found = new Map([...having].map(([text, runs]) => [text, new Set(runs)]));
    for (const run of table.runs()) {
      if (searched.has(run)) continue;
      const read = await this.read(run); // its line is damaged, or another process removed it
      const ids = read?.kind === 'read' ? read.overview.ids : '';
      for (const [text, runs] of found) if (ids.includes(text)) runs.add(run);
    }
    return found;
  }

  release(runs: Iterable<string>): void {
    for (const run of runs) this.#known.delete(run);
  }

  entries(run: string): Promise<readonly Entry[]> {
    return this.#followed.entries(run);
  }

  async header(run: string): Promise<RunHeader | undefined> {
    return this.#confirmed(run) ?? readHeader(this.#stateDir, run).catch(undefinedWhenDamaged);
  }

  read(run: string): Promise<KnownRun | undefined> {
    const inStore = this.#inStore(run);
    if (inStore !== undefined) return Promise.resolve(inStore);
    const stamps = this.#files.all(run); // before they are read
    const before = this.#known.get(run);
    const isSame = before !== undefined && isSameFile(before.stamps, stamps);
    if (isSame && !(before.isFresh && areLasting(present(stamps)))) {
      return Promise.resolve(before.found);
    }
    const earlier = before === undefined ? this.#storedNow(run, stamps) : undefined;
    if (earlier !== undefined) return Promise.resolve(earlier);
    const reading = this.#reading.get(run);
    if (reading !== undefined) return reading;
    const now = this.#readNow(run, stamps).finally(() => void this.#reading.delete(run));
    this.#reading.set(run, now);
    return now;
  }

  keep(names: readonly string[], isLast = false): void {
    const all = new Set(names);
    for (const run of this.#known.keys()) if (!all.has(run)) this.#known.delete(run);
    this.#followed.keepOnly(all);
    this.#stored = undefined;
    this.#catalogue = undefined;
    const { size } = this.#unstored;
    if (size === 0 || (!isLast && size < names.length * newShare)) return;
    const runs = new EndedRuns(this.#stateDir);
    for (const { header, overview, stamps } of this.#unstored.values()) {
      if (header.seal !== undefined) {
        runs.note(listedKind, header, stamps, listedOf(header, overview));
      }
      runs.note(overviewKind, header, stamps, overview);
    }
    this.#unstored.clear();
    runs.keep(names);
  }

  async #readNow(run: string, stamps: Known['stamps']): Promise<KnownRun | undefined> {
    const before = this.#known.get(run)?.found;
    if (before?.kind === 'read' && before.overview.isOpen) this.#followed.follow(run); // and it changed
    const whole = present(stamps);
    const isFresh = !areLasting(whole);
    let found = await this.#foundIn(run);
    if (this.#followed.has(run) && !(found?.kind === 'read' && found.overview.isOpen)) {
      this.#followed.forget(run);
      found = await this.#foundIn(run); // verified as a whole at its end
    }
    if (isDeepStrictEqual(found, before)) found = before; // callers compare it
    this.#known.set(run, { stamps, found, isFresh: isFresh && isEnded(found) });
    if (!isFresh && whole.length === stamps.length && isEnded(found)) {
      this.#unstored.set(run, { ...found, stamps: whole });
    }
    return found;
  }

  #foundIn(run: string): Promise<KnownRun | undefined> {
    return foundIn(this.#stateDir, run, () => this.#followed.entries(run));
  }

  /** An overview that an earlier process stored, if nothing was changed since. */
  #storedNow(run: string, stamps: Known['stamps']): KnownRun | undefined {
    if (!areLasting(present(stamps))) return undefined; // no process has stored what has just changed
    this.#catalogue ??= catalogueOf(this.#stateDir);
    const overview = this.#catalogue.find(overviewKind, run, present(stamps));
    const header = isOverview(overview) ? this.#storedRuns().header(run, stamps[0]) : undefined;
    if (header === undefined || !isOverview(overview)) return undefined;
    const found = { kind: 'read', header, overview } as const;
    this.#known.set(run, { stamps, found, isFresh: false });
    return found;
  }

  /** A run as a store has it, if that counts. */
  #inStore(run: string): ReadRun | undefined {
    const stored = this.#storesNow();
    const { header } = stored.find(run) ?? {};
    const overview = header && stored.fact(overviewKind, run);
    if (header === undefined || !isOverview(overview)) return undefined;
    const found = { kind: 'read', header, overview } as const;
    const before = this.#known.get(run)?.found;
    const known = isDeepStrictEqual(found, before) && before?.kind === 'read' ? before : found;
    this.#known.set(run, { stamps: [], found: known, isFresh: false }); // callers compare it
    return known;
  }

  #storesNow(): StoredView {
    if (this.#inStores === undefined) setImmediate(() => (this.#inStores = undefined));
    return (this.#inStores ??= new StoredView(this.#stateDir));
  }

  /** The header that was confirmed by its journal, if it is unchanged. */
  #confirmed(run: string): RunHeader | undefined {
    const inStore = this.#storesNow().find(run);
    if (inStore !== undefined) return inStore.header;
    const { stamps: [before] = [], found } = this.#known.get(run) ?? {};
    const file = this.#files.header(run);
    if (file && before && isSameStamp(before, file) && found?.kind === 'read') return found.header;
    return file && areLasting([file]) ? this.#storedRuns().header(run, file) : undefined;
  }

  #storedRuns(): EndedRuns {
    return (this.#stored ??= new EndedRuns(this.#stateDir));
  }
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
    if (entries.length === 0) return { kind: 'not-begun', header };
    return { kind: 'read', header, overview: overviewOf(entries) };
  } catch (error) {
    if (error instanceof JournalError) return { kind: 'damaged', header, error };
    throw error;
  }
}
