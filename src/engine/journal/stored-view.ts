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
  /** One object for all runs of a playbook on the same accounts. */
  readonly group: RunGroup;
}

const found: MadeOfRows<FoundRun> = new WeakMap();
const all: AllOfRows<FoundRun> = new WeakMap();
const groups = new Map<string, RunGroup>();

export class StoredView {
  readonly #stateDir: string;
  readonly #runs: StoredRuns;
  /** The runs that were continued or fetched here; read once, and only if there are stored runs. */
  #continued: ReadonlySet<string> | undefined;
  #isRead = false;
  /** The runs without a folder here. */
  #listed: readonly FoundRun[] = [];

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
    const known = new Set(here);
    const listed = new Map<string, FoundRun>();
    for (const run of this.#runs.all(all, (name) => this.#made(name))) {
      if (!known.has(run.header.run)) listed.set(run.header.run, run);
    }
    this.#listed = [...listed.values()];
    return [...this.#runs.names()].filter((name) => !known.has(name) && !listed.has(name));
  }

  /** The headers of the listed runs, of some groups, that a caller uses. */
  headers(
    isAsked: (run: RunGroup & { readonly createdAt: Millis }) => boolean = () => true,
    isUsed: (row: TableRow) => boolean = () => true,
  ): readonly RunHeader[] {
    return this.#listed.flatMap((run) => {
      const row = rowOf(run);
      return isAsked({ ...run.group, createdAt: row.createdAt }) && isUsed(row) ? [run.header] : [];
    });
  }

  /** The accounts of the listed runs. */
  uses(): readonly GroupUse[] {
    return usesOf(this.#listed);
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
    return header && ended && { header, ended, group: groupOf(header) };
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

/** A run as the table of the catalogue would have it. */
function rowOf({ header, ended, group }: FoundRun): TableRow {
  const { run, createdAt } = header;
  const { time, at, signedAt = -Infinity, lasting } = ended;
  return { run, group, createdAt, time, at, signedAt, isLasting: lasting !== undefined };
}

/** Runs by group. */
function usesOf(runs: readonly FoundRun[]): readonly GroupUse[] {
  const newest = new Map<RunGroup, RunHeader>();
  for (const { header, group } of runs) {
    const before = newest.get(group);
    if (before === undefined || newestFirst(header, before) < 0) newest.set(group, header);
  }
  return [...newest].map(([group, { run, createdAt }]) => {
    const own = (): readonly string[] =>
      runs.flatMap((each) => (each.group === group ? [each.header.run] : []));
    return { ...group, run, createdAt, runs: own };
  });
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
