/** The ended runs that stores have, unless this machine has files of a run that may say more. */
import { existsSync } from 'node:fs';
import type { Millis } from '../../base/clock.ts';
import { isRecord } from '../../base/json.ts';
import type { FactKind } from './catalogue.ts';
import { continuedIn } from './continued.ts';
import { endedIn, endedKind, headerIn, type EndedRun } from './ended-facts.ts';
import { EndedTable, type TableRow } from './ended-table.ts';
import { InternalError } from '../../base/error.ts';
import type { RunHeader } from './header.ts';
import { newestFirst, type GroupUse } from './proved-runs.ts';
import type { RunGroup } from './run-columns.ts';
import { runFolder } from './runs.ts';
import { storedRuns, type MadeOfRows, type StoredRuns } from './stored-runs.ts';

interface FoundRun {
  readonly header: RunHeader;
  readonly ended: EndedRun;
}

/** All runs as a table, their places by group, newest first, and the names of those whose facts do not count. */
interface GroupedRuns {
  readonly table: EndedTable;
  readonly groups: readonly (readonly [RunGroup, readonly number[]])[];
  readonly unfound: readonly string[];
}

const found: MadeOfRows<FoundRun> = new WeakMap();
const grouped = new WeakMap<StoredRuns, GroupedRuns>();

export class StoredView {
  readonly #stateDir: string;
  readonly #runs: StoredRuns;
  /** The runs that were continued or fetched here; read once, and only if there are stored runs. */
  #continued: ReadonlySet<string> | undefined;
  #isRead = false;
  /** The runs with a folder here, when runs were listed. */
  #here: ReadonlySet<string> = new Set();
  #isListed = false;

  constructor(stateDir: string) {
    this.#stateDir = stateDir;
    this.#runs = storedRuns(stateDir);
  }

  /** An ended run; undefined if this machine must read its own files of the run, or fetch them. */
  find(run: string): FoundRun | undefined {
    return this.has(run) ? this.#made(run) : undefined;
  }

  /**
   * Lists the runs that have no folder here.
   * @param here the names of those that have one @returns the others whose facts do not count
   */
  list(here: readonly string[]): readonly string[] {
    this.#isListed = true;
    this.#here = new Set(here.filter((run) => this.#runs.end(run) !== undefined));
    return this.#grouped().unfound.filter((run) => !this.#here.has(run));
  }

  /** The headers of the listed runs. */
  headers(): readonly RunHeader[] {
    return Array.from(this.#listed(), (place) => this.#headerAt(place));
  }

  /** The listed runs, without their headers. */
  rows(): readonly TableRow[] {
    const { table } = this.#grouped();
    return Array.from(this.#listed(), (place) => table.row(place));
  }

  /** The headers of the newest listed runs, newest first, and the number of all. @param isAsked whether a run counts */
  newest(isAsked: (run: RunGroup & { readonly createdAt: Millis }) => boolean, max: number) {
    const asked = this.rows().filter(({ group, createdAt }) => isAsked({ ...group, createdAt }));
    const newest = asked.toSorted(newestFirst).slice(0, max);
    return { headers: newest.map(({ run }) => this.headerOf(run)), count: asked.length };
  }

  /** The headers of the listed runs of some groups that a caller uses. */
  notable(
    isAsked: (group: RunGroup) => boolean,
    isUsed: (row: TableRow) => boolean,
  ): readonly RunHeader[] {
    const { table } = this.#grouped();
    const used: RunHeader[] = [];
    for (const place of this.#listed(isAsked)) {
      if (isUsed(table.row(place))) used.push(this.#headerAt(place));
    }
    return used;
  }

  /** The accounts of the listed runs. */
  uses(): readonly GroupUse[] {
    return this.#isListed ? this.#grouped().groups.flatMap(([group]) => this.#useOf(group)) : [];
  }

  #useOf(group: RunGroup): readonly GroupUse[] {
    const { table } = this.#grouped();
    const own = (): Iterable<number> => this.#listed((each) => each === group);
    for (const place of own()) {
      const runs = (): readonly string[] => Array.from(own(), (each) => table.runAt(each));
      const { run, createdAt } = table.row(place); // the first one is the newest
      return [{ ...group, run, createdAt, runs }];
    }
    return [];
  }

  *#listed(isAsked: (group: RunGroup) => boolean = () => true): Generator<number> {
    if (!this.#isListed) return;
    const { table, groups } = this.#grouped();
    for (const [group, places] of groups) {
      if (!isAsked(group)) continue;
      for (const place of places) if (!this.#here.has(table.runAt(place))) yield place;
    }
  }

  #grouped(): GroupedRuns {
    const known = grouped.get(this.#runs) ?? groupedOf(this.#runs);
    grouped.set(this.#runs, known);
    return known;
  }

  /** A fact of an ended run; undefined as for `find`. */
  fact(kind: FactKind, run: string, fields?: readonly string[]): unknown {
    return this.has(run) ? this.#runs.fact(kind, run, fields) : undefined;
  }

  #headerAt(place: number): RunHeader {
    return this.headerOf(this.#grouped().table.runAt(place));
  }

  /** The header of a listed run. */
  headerOf(run: string): RunHeader {
    const { header } = this.#made(run) ?? {};
    if (header === undefined) throw new InternalError('the facts of a store have no header');
    return header;
  }

  #made(run: string): FoundRun | undefined {
    return this.#runs.made(run, found, () => this.#foundIn(run));
  }

  #foundIn(run: string): FoundRun | undefined {
    const value = this.#runs.fact(endedKind, run);
    const header = isRecord(value) ? headerIn(value['header'], run) : undefined;
    const ended = header && endedIn(value);
    return header && ended && { header, ended };
  }

  /** Whether the facts of a store count: nothing of the run was continued, or replaced, in its folder here. */
  has(run: string): boolean {
    if (this.#runs.end(run) === undefined) return false;
    if (!this.#isRead) this.#continued = continuedIn(this.#stateDir);
    this.#isRead = true;
    const mayDiffer = this.#continued === undefined || this.#continued.has(run);
    return !(mayDiffer && existsSync(runFolder(this.#stateDir, run)));
  }
}

function groupedOf(runs: StoredRuns): GroupedRuns {
  const table = new EndedTable(runs.blocks(endedKind));
  const unfound = new Set(table.left);
  const own = table.groups.map((group) => [group, new Array<Placed>()] as const);
  for (let place = 0; place < table.size; place++) {
    const run = table.runAt(place);
    // If two stores have the run, one of them is enough.
    if (table.find(run) !== place || unfound.has(run)) continue;
    own[table.groupAt(place)]?.[1].push({ run, createdAt: table.createdAt(place), place });
  }
  const groups = own.map(
    ([group, all]) => [group, all.toSorted(newestFirst).map(({ place }) => place)] as const,
  );
  return { table, groups, unfound: [...unfound] };
}

interface Placed {
  readonly run: string;
  readonly createdAt: Millis;
  readonly place: number;
}

/** Whether this machine has only facts of a run, and a store has its record. */
export function isOnlyStored(stateDir: string, run: string): boolean {
  return storedRuns(stateDir).end(run) !== undefined && !existsSync(runFolder(stateDir, run));
}
