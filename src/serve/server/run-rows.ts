/** The runs of a state folder, newest first. A server begins with the table of the catalogue, which has the runs
 * that ended, and looks at their files afterwards (run-looks.ts). A run is read again only when the file system
 * shows that its files changed.
 */
import { join } from 'node:path';
import { besideTable, type Beside } from '../../report/overview/beside-table.ts';
import type { ListedTable } from '../../report/overview/listed-table.ts';
import type { Overviews } from '../../report/overview/overviews.ts';
import type { Claim } from '../../stores/store.ts';
import { folderStamp } from './folder-stamp.ts';
import type { RunFilter, Selected } from './run-filter.ts';
import { RunIndex } from './run-index.ts';
import { RunLooks, runsAlive } from './run-looks.ts';
import { RunNames } from './run-names.ts';
import type { RunValues } from './run-places.ts';
import { extentOf, rowOf, type RunExtent, type RunRow } from './run-row.ts';
import {
  havingWords,
  newestHaving,
  withOrders,
  type DatedRun,
  type OrderTime,
} from './run-texts.ts';

export interface RunRows {
  /** Lists the runs that the catalogue has, so that the first page has them. */
  open(): Promise<void>;
  /** Looks at the files. @returns runs that changed, were added or removed */
  poll(): Promise<readonly string[]>;
  /** Runs that were read so far or that the catalogue has, newest first. */
  select(wanted?: RunFilter): Selected;
  /** Selects the runs that have all of some lower-case words. */
  having(words: readonly string[], wanted?: RunFilter): Promise<Selected>;
  /** The newest run that has each lower-case text. */
  newestHaving(texts: readonly string[]): Promise<ReadonlyMap<string, string>>;
  /** Runs in progress, newest first. */
  running(): readonly RunRow[];
  /** Runs that may need a person, and others that were read lately. */
  notable(): readonly RunRow[];
  values(): RunValues;
  row(run: string): RunRow | undefined;
  /** How much a run did, and until when. */
  extent(run: string): RunExtent | undefined;
  /** The runs that may have orders of a time; undefined while not all runs are known. */
  withOrders(wanted: OrderTime): Promise<readonly DatedRun[] | undefined>;
  /** The number of runs that are known, and of all runs. */
  progress(): { readonly done: number; readonly of: number };
  /** Whether files were not looked at yet. */
  isBehind(): boolean;
  /** Stores data that the next server need not read. @param isLast whether the server ends */
  keep(isLast: boolean): void;
}

const batch = 50; // runs looked at before others have a turn
const roundMax = 400; // changed runs in one round
const inMemoryMax = 500; // ended runs that are not in the table

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
  readonly #overviews: Overviews;
  readonly #claims: () => readonly Claim[];
  readonly #names: RunNames;
  readonly #index: RunIndex;
  readonly #looks: RunLooks;
  #locks = '';
  /** Runs that were removed, of which the catalogue may have facts. */
  readonly #gone = new Set<string>();
  /** Whether all blocks of the table were read. */
  #isRead = false;
  /** Whether the table is older than the catalogue, which has more runs. */
  #mayFold = false;

  constructor(
    stateDir: string,
    desk: string,
    overviews: Overviews,
    claims: () => readonly Claim[],
  ) {
    this.#stateDir = stateDir;
    this.#overviews = overviews;
    this.#claims = claims;
    this.#names = new RunNames(stateDir);
    this.#index = new RunIndex(desk, overviews.table());
    this.#looks = new RunLooks(stateDir, this.#names, this.#index, overviews);
  }

  async open(): Promise<void> {
    const noted = this.#names.begin();
    if (noted && this.#take(noted) === noted.count) return;
    this.#take(await this.#compared()); // also when the catalogue lost runs
  }

  async poll(): Promise<readonly string[]> {
    if (!this.#isRead) await this.#readTable();
    if (this.#mayFold) await this.#fold();
    const changed = new Set(await this.#list());
    const locks = folderStamp(join(this.#stateDir, 'locks'));
    const isEvery = locks !== this.#locks;
    this.#locks = locks;
    const open = this.#open();
    if (isEvery || this.#index.alive.size > 0 || open.length > 0) {
      for (const run of await this.#takeLocks()) changed.add(run);
    }
    const due = this.#looks.due(isEvery, open);
    for (let at = 0; at < due.length && changed.size < roundMax; at += batch) {
      const some = due.slice(at, at + batch);
      const isChanged = await Promise.all(some.map((run) => this.#look(run)));
      for (const [index, run] of some.entries()) if (isChanged[index]) changed.add(run);
      await new Promise(setImmediate);
    }
    if (changed.size > 0) this.#index.changed();
    this.#looks.endRound();
    return [...changed];
  }

  select(wanted?: RunFilter): Selected {
    return this.#index.select(wanted);
  }

  having(words: readonly string[], wanted?: RunFilter): Promise<Selected> {
    return havingWords(words, this.#index, this.#overviews, wanted);
  }

  newestHaving(texts: readonly string[]): Promise<ReadonlyMap<string, string>> {
    return newestHaving(texts, this.#index, this.#overviews);
  }

  running(): readonly RunRow[] {
    return this.#index.running();
  }

  notable(): readonly RunRow[] {
    return this.#index.notable();
  }

  values(): RunValues {
    return this.#index.values();
  }

  row(run: string): RunRow | undefined {
    return this.#index.row(run);
  }

  extent(run: string): RunExtent | undefined {
    const { live, table } = this.#index;
    const known = live.get(run);
    if (known !== undefined) return known.read?.extent;
    const place = table.find(run);
    return place === undefined ? undefined : extentOf(table.lineAt(place));
  }

  async withOrders(wanted: OrderTime): Promise<readonly DatedRun[] | undefined> {
    const { done, of } = this.progress();
    if (!this.#looks.isComplete || done < of) return undefined;
    return withOrders(wanted, this.#index, this.#overviews);
  }

  progress(): { readonly done: number; readonly of: number } {
    const { live, table } = this.#index;
    return { done: live.size + table.count, of: this.#names.count };
  }

  isBehind(): boolean {
    const { done, of } = this.progress();
    return done < of || !this.#looks.isComplete;
  }

  keep(isLast: boolean): void {
    this.#overviews.keep(this.#names.all, isLast);
    const ended = [...this.#index.live.values()].filter(({ read }) => read?.isOpen === false);
    this.#mayFold = ended.length > inMemoryMax;
    if (this.isBehind()) return;
    this.#names.note((run) => this.#index.table.find(run) !== undefined, [...this.#gone]);
  }

  async #readTable(): Promise<void> {
    const { table } = this.#index;
    await readInTurns(table);
    if (table.isDamaged) this.#names.forget(); // it lacks names
    this.#isRead = true;
  }

  /** Takes names beside those of the table. @returns the number of all */
  #take({ others, gone }: Beside): number {
    const { table } = this.#index;
    for (const run of gone) table.remove(run);
    for (const run of gone) this.#gone.add(run);
    const changed = this.#looks.begin();
    const unlisted = others.filter((run) => !this.#gone.has(run) && table.find(run) === undefined);
    const names = new Set([...changed, ...unlisted]);
    this.#names.take([...names], table.count, () => this.#index.places());
    this.#index.changed();
    return this.#names.count;
  }

  /** The runs that came since the last server, and those that went. */
  async #compared(): Promise<Beside> {
    const { others, gone } = besideTable(this.#index.table, await this.#names.find());
    if (others.length <= roundMax) return { others, gone }; // all are read in the first round
    return { others: await this.#byHeaders(others), gone };
  }

  /** Lists the runs again. @returns the runs that were removed */
  async #list(): Promise<readonly string[]> {
    const { live, table } = this.#index;
    const present = await this.#names.list((runs) => this.#newestFirst(runs));
    if (present === undefined) return [];
    const gone = [...table.runs()].filter((run) => !present.has(run));
    for (const run of gone) table.remove(run);
    const removed = [...live].filter(([run]) => !present.has(run));
    for (const [run] of removed) live.delete(run);
    for (const run of this.#gone) if (present.has(run)) this.#gone.delete(run);
    for (const run of [...gone, ...removed.map(([run]) => run)]) this.#gone.add(run);
    return [...gone, ...removed.flatMap(([run, { read }]) => (read === undefined ? [] : [run]))];
  }

  /** Sorts runs: those that must be read, newest first, then those of the table. */
  async #newestFirst(runs: ReadonlySet<string>): Promise<readonly string[]> {
    const listed = this.#index.places().filter((run) => runs.has(run));
    if (listed.length === runs.size) return listed;
    const known = new Set(listed);
    return [...(await this.#byHeaders([...runs].filter((run) => !known.has(run)))), ...listed];
  }

  /** Runs in the order of their headers, the newest first. */
  async #byHeaders(runs: readonly string[]): Promise<readonly string[]> {
    const headers = await Promise.all(runs.map((run) => this.#overviews.header(run)));
    const dated = runs.map((run, at) => ({ run, at: headers[at]?.createdAt ?? -Infinity }));
    return dated.toSorted((a, b) => b.at - a.at).map(({ run }) => run);
  }

  /** Reads the locks. @returns the runs that are executed now and were not before, or the reverse */
  async #takeLocks(): Promise<readonly string[]> {
    const before = this.#index.alive;
    const alive = await runsAlive(this.#stateDir, this.#claims());
    const other = [...alive, ...before].filter((run) => alive.has(run) !== before.has(run));
    if (other.length > 0) this.#index.setAlive(alive);
    return other;
  }

  /** The runs that a process may be writing to. */
  #open(): readonly string[] {
    return [...this.#index.live].flatMap(([run, { read }]) => (read?.isOpen === true ? [run] : []));
  }

  /**
   * Reads a run again if its files changed.
   * @returns whether it is a run whose row changed, or was one
   */
  async #look(run: string): Promise<boolean> {
    const { live, table, desk } = this.#index;
    const place = live.has(run) ? undefined : table.find(run);
    if (place !== undefined && this.#looks.isAsListed(run, place)) return false;
    const found = await this.#overviews.read(run);
    const before = live.get(run);
    if (before !== undefined && before.found === found) return false;
    table.remove(run);
    live.set(run, { found, ...(found && { read: rowOf(desk, run, found) }) });
    return found !== undefined || before?.read !== undefined || place !== undefined;
  }

  /** Puts the ended runs that the catalogue has by now into the table. */
  async #fold(): Promise<void> {
    this.#mayFold = false;
    const { live } = this.#index;
    const table = this.#overviews.table();
    await readInTurns(table);
    const folded: string[] = [];
    for (const [number, [run, { read }]] of [...live].entries()) {
      if (number % batch === batch - 1) await new Promise(setImmediate);
      const place = read?.isOpen === false ? table.find(run) : undefined;
      if (place !== undefined && this.#overviews.isUnchanged(run, place, table)) {
        folded.push(run);
      } else table.remove(run);
    }
    const present = new Set(this.#names.all);
    for (const run of table.runs()) if (!present.has(run)) table.remove(run);
    for (const run of folded) live.delete(run);
    this.#overviews.release(folded);
    this.#index.replaceTable(table);
    this.#looks.forget();
  }
}

/** Reads the blocks of a table that nobody asked for. */
async function readInTurns(table: ListedTable): Promise<void> {
  while (table.readNewest(1)) await new Promise(setImmediate);
}
