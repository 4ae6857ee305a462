/** The ended runs that stores have, unless this machine has files of a run that may say more. */
import { existsSync } from 'node:fs';
import type { Millis } from '../../base/clock.ts';
import { isRecord } from '../../base/json.ts';
import type { FactKind } from './catalogue.ts';
import { continuedIn } from './continued.ts';
import { endedIn, endedKind, headerIn, type EndedRun } from './ended-facts.ts';
import type { RunHeader } from './header.ts';
import type { TableRow } from './ended-table.ts';
import { newestFirst, type GroupUse } from './proved-runs.ts';
import type { RunGroup } from './run-columns.ts';
import { destinationsOf } from './account.ts';
import { runFolder } from './runs.ts';
import { storedRuns, type AllOfRows, type MadeOfRows, type StoredRuns } from './stored-runs.ts';

interface FoundRun {
  readonly header: RunHeader;
  readonly ended: EndedRun;
  /** The run as the table of the catalogue would have it. */
  readonly row: TableRow;
}

/** All runs by group, newest first, one object for each group, and the names of those whose facts do not count. */
interface GroupedRuns {
  readonly groups: readonly (readonly [RunGroup, readonly FoundRun[]])[];
  readonly unfound: readonly string[];
}

const found: MadeOfRows<FoundRun> = new WeakMap();
const all: AllOfRows<FoundRun> = new WeakMap();
const groups = new Map<string, RunGroup>();
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

  /** The headers of the listed runs. @param isAsked whether a run counts */
  headers(
    isAsked: (run: RunGroup & { readonly createdAt: Millis }) => boolean = () => true,
  ): readonly RunHeader[] {
    return [...this.#listed()].flatMap(({ header, row: { group, createdAt } }) =>
      isAsked({ ...group, createdAt }) ? [header] : [],
    );
  }

  /** The headers of the listed runs of some groups that a caller uses. */
  notable(
    isAsked: (group: RunGroup) => boolean,
    isUsed: (row: TableRow) => boolean,
  ): readonly RunHeader[] {
    const found: RunHeader[] = [];
    for (const { header, row } of this.#listed(isAsked)) if (isUsed(row)) found.push(header);
    return found;
  }

  /** The accounts of the listed runs. */
  uses(): readonly GroupUse[] {
    return this.#isListed ? this.#grouped().groups.flatMap(([group]) => this.#useOf(group)) : [];
  }

  #useOf(group: RunGroup): readonly GroupUse[] {
    const own = (): Iterable<FoundRun> => this.#listed((each) => each === group);
    for (const { row } of own()) {
      const runs = (): readonly string[] => Array.from(own(), ({ header }) => header.run);
      return [{ ...group, run: row.run, createdAt: row.createdAt, runs }]; // the first one is the newest
    }
    return [];
  }

  *#listed(isAsked: (group: RunGroup) => boolean = () => true): Generator<FoundRun> {
    if (!this.#isListed) return;
    for (const [group, runs] of this.#grouped().groups) {
      if (!isAsked(group)) continue;
      for (const run of runs) if (!this.#here.has(run.header.run)) yield run;
    }
  }

  #grouped(): GroupedRuns {
    const known = grouped.get(this.#runs) ?? groupedOf(this.#runs, (run) => this.#made(run));
    grouped.set(this.#runs, known);
    return known;
  }

  /** A fact of an ended run; undefined as for `find`. */
  fact(kind: FactKind, run: string): unknown {
    return this.has(run) ? this.#runs.fact(kind, run) : undefined;
  }

  #made(run: string): FoundRun | undefined {
    return this.#runs.made(run, found, () => this.#foundIn(run));
  }

  #foundIn(run: string): FoundRun | undefined {
    const value = this.#runs.fact(endedKind, run);
    const header = isRecord(value) ? headerIn(value['header'], run) : undefined;
    const ended = header && endedIn(value);
    return header && ended && { header, ended, row: rowOf(header, ended) };
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

function groupedOf(runs: StoredRuns, make: (run: string) => FoundRun | undefined): GroupedRuns {
  const names = new Set(runs.names());
  const found = new Map<RunGroup, FoundRun[]>();
  for (const run of runs.all(all, make)) {
    if (!names.delete(run.header.run)) continue; // of two stores that have it one is enough
    const own = found.get(run.row.group);
    if (own === undefined) found.set(run.row.group, [run]);
    else own.push(run);
  }
  const newest = [...found].map(
    ([group, own]) => [group, own.toSorted((a, b) => newestFirst(a.row, b.row))] as const,
  );
  return { groups: newest, unfound: [...names] };
}

function rowOf(header: RunHeader, ended: EndedRun): TableRow {
  const { run, createdAt } = header;
  const { time, at, signedAt = -Infinity, lasting } = ended;
  const isLasting = lasting !== undefined;
  return { run, group: groupOf(header), createdAt, time, at, signedAt, isLasting };
}

function groupOf(header: RunHeader): RunGroup {
  const { playbook } = header;
  const group = { playbook, accounts: destinationsOf(header) };
  const name = JSON.stringify(group);
  const known = groups.get(name) ?? group;
  groups.set(name, known);
  return known;
}

/** Whether this machine has only facts of a run, and a store has its record. */
export function isOnlyStored(stateDir: string, run: string): boolean {
  return storedRuns(stateDir).end(run) !== undefined && !existsSync(runFolder(stateDir, run));
}
