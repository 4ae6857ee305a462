/** The ended runs that stores have, unless this machine has files of a run that may say more. */
import { existsSync } from 'node:fs';
import { isRecord } from '../../base/json.ts';
import type { FactKind } from './catalogue.ts';
import { continuedIn } from './continued.ts';
import { endedIn, endedKind, headerIn, type EndedRun } from './ended-facts.ts';
import type { RunHeader } from './header.ts';
import { runFolder } from './runs.ts';
import { storedRuns, type MadeOfRows, type StoredRuns } from './stored-runs.ts';

interface FoundRun {
  readonly header: RunHeader;
  readonly ended: EndedRun;
}

const found: MadeOfRows<FoundRun> = new WeakMap();

export class StoredView {
  readonly #stateDir: string;
  readonly #runs: StoredRuns;
  /** The runs that were continued or fetched here; read once, and only if there are stored runs. */
  #continued: ReadonlySet<string> | undefined;
  #isRead = false;

  constructor(stateDir: string) {
    this.#stateDir = stateDir;
    this.#runs = storedRuns(stateDir);
  }

  /** An ended run; undefined if this machine must read its own files of the run, or fetch them. */
  find(run: string): FoundRun | undefined {
    return this.has(run) ? this.#runs.made(run, found, () => this.#foundIn(run)) : undefined;
  }

  /** A fact of an ended run; undefined as for `find`. */
  fact(kind: FactKind, run: string): unknown {
    return this.has(run) ? this.#runs.fact(kind, run) : undefined;
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

/** Whether this machine has only facts of a run, and a store has its record. */
export function isOnlyStored(stateDir: string, run: string): boolean {
  return storedRuns(stateDir).end(run) !== undefined && !existsSync(runFolder(stateDir, run));
}
