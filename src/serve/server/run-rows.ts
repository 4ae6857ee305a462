/** The runs of a state folder in memory, newest first. A run is read again only when the file system
 * shows that its files changed: those in progress are looked at in every round, a tenth
 * of the others in turn, and all of them when a lock was taken or released.
 */
import { join } from 'node:path';
import { locksIn } from '../../engine/journal/lock.ts';
import type { KnownRun, Overviews } from '../../report/overview/overviews.ts';
import { hasEndedHere } from '../../stores/locks.ts';
import type { Claim } from '../../stores/store.ts';
import { folderStamp } from './folder-stamp.ts';
import { RunNames } from './run-names.ts';
import { rowOf, type ReadRun, type RunExtent, type RunRow } from './run-row.ts';

export interface RunRows {
  /** Looks at the files. @returns runs that changed, were added or removed */
  poll(): Promise<readonly string[]>;
  /** The rows that were read so far, newest first. */
  rows(): readonly RunRow[];
  row(run: string): RunRow | undefined;
  /** How much a run did, and until when. */
  extent(run: string): RunExtent | undefined;
  /** Whether a run contains this lower-case text. */
  hasText(run: string, text: string): boolean;
  /** The number of runs that were read, and of all runs. */
  progress(): { readonly done: number; readonly of: number };
  /** Stores data that the next server need not read. @param isLast whether the server ends */
  keep(isLast: boolean): void;
}

const batch = 50; // runs looked at before others have a turn
const roundMax = 400; // changed runs in one round

interface KnownRow {
  readonly found: KnownRun | undefined;
  /**
   * The data of a run; absent for what is not a run, or not yet: one that is being created has no
   * header.
   */
  readonly read?: ReadRun;
}

/**
 * The rows of a desk's runs. @param claims of runs that are executed now, here or on other machines
 */
export function runRows(
  stateDir: string,
  desk: string,
  overviews: Overviews,
  claims: () => readonly Claim[] = () => [],
): RunRows {
  return new RowsOfRuns(stateDir, desk, overviews, claims);
}

class RowsOfRuns implements RunRows {
  readonly #stateDir: string;
  readonly #desk: string;
  readonly #overviews: Overviews;
  readonly #claims: () => readonly Claim[];
  readonly #names: RunNames;
  readonly #known = new Map<string, KnownRow>();
  #locks = '';
  #alive: ReadonlySet<string> = new Set();
  #sorted: readonly RunRow[] | undefined;

  constructor(
    stateDir: string,
    desk: string,
    overviews: Overviews,
    claims: () => readonly Claim[],
  ) {
    this.#stateDir = stateDir;
    this.#desk = desk;
    this.#overviews = overviews;
    this.#claims = claims;
    this.#names = new RunNames(stateDir, overviews);
  }

  async poll(): Promise<readonly string[]> {
    const changed = new Set(await this.#list());
    const locks = folderStamp(join(this.#stateDir, 'locks'));
    const isEvery = locks !== this.#locks;
    this.#locks = locks;
    const isAnyOpen = [...this.#known.values()].some(({ read }) => read?.isOpen);
    if (isEvery || this.#alive.size > 0 || isAnyOpen) {
      for (const run of await this.#takeLocks()) changed.add(run);
    }
    const due = this.#names.next((run) => {
      const row = this.#known.get(run);
      return isEvery || row === undefined || row.read?.isOpen === true;
    });
    for (let at = 0; at < due.length && changed.size < roundMax; at += batch) {
      const some = due.slice(at, at + batch);
      const isChanged = await Promise.all(some.map((run) => this.#look(run)));
      for (const [index, run] of some.entries()) if (isChanged[index]) changed.add(run);
      await new Promise(setImmediate);
    }
    if (changed.size > 0) this.#sorted = undefined;
    return [...changed];
  }

  rows(): readonly RunRow[] {
    this.#sorted ??= [...this.#known.values()]
      .flatMap(({ read }) => (read === undefined ? [] : [shown(read, this.#alive)]))
      .toSorted(byStart);
    return this.#sorted;
  }

  row(run: string): RunRow | undefined {
    const read = this.#known.get(run)?.read;
    return read && shown(read, this.#alive);
  }

  extent(run: string): RunExtent | undefined {
    return this.#known.get(run)?.read?.extent;
  }

  hasText(run: string, text: string): boolean {
    return this.#known.get(run)?.read?.search.some((own) => own.includes(text)) === true;
  }

  progress(): { readonly done: number; readonly of: number } {
    return { done: this.#known.size, of: this.#names.all.length };
  }

  keep(isLast: boolean): void {
    this.#overviews.keep(this.#names.all, isLast);
  }

  /** Lists the runs again. @returns the runs that were removed */
  async #list(): Promise<readonly string[]> {
    const present = await this.#names.list();
    if (present === undefined) return [];
    const removed = [...this.#known].filter(([run]) => !present.has(run));
    for (const [run] of removed) this.#known.delete(run);
    return removed.flatMap(([run, { read }]) => (read === undefined ? [] : [run]));
  }

  /** Reads the locks. @returns the runs that are executed now and were not before, or the reverse */
  async #takeLocks(): Promise<readonly string[]> {
    const before = this.#alive;
    this.#alive = await runsAlive(this.#stateDir, this.#claims());
    return [...this.#alive, ...before].filter((run) => this.#alive.has(run) !== before.has(run));
  }

  /**
   * Reads a run again if its files changed.
   * @returns whether it is a run whose row changed, or was one
   */
  async #look(run: string): Promise<boolean> {
    const found = await this.#overviews.read(run);
    const before = this.#known.get(run);
    if (before !== undefined && before.found === found) return false;
    this.#known.set(run, { found, ...(found && { read: rowOf(this.#desk, run, found) }) });
    return found !== undefined || before?.read !== undefined;
  }
}

/**
 * The state that is shown: a run without an end is running while a process holds its lock or its
 * claim.
 */
function shown(found: ReadRun, alive: ReadonlySet<string>): RunRow {
  const { row, isOpen, recordedDoubts: doubts } = found;
  return isOpen && alive.has(row.run) ? { ...row, state: 'running', doubts } : row;
}

function byStart(a: RunRow, b: RunRow): number {
  return b.startedAt - a.startedAt || (a.run < b.run ? 1 : -1);
}

/** Runs whose lock a living process holds, or whose claim is valid. */
async function runsAlive(stateDir: string, claims: readonly Claim[]): Promise<ReadonlySet<string>> {
  const locks = await locksIn(stateDir);
  const held = locks.filter(({ life }) => life.state === 'alive');
  const claimed = claims.filter((claim) => !hasEndedHere(claim, locks));
  return new Set([
    ...held.flatMap(({ record }) => (record === undefined ? [] : [record.holder])),
    ...claimed.map(({ run }) => run),
  ]);
}
