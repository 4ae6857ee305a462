/** The runs of the catalogue's table whose files are as they were. A file is looked at once, when a caller
 * asks about its run: first the header, and the journal and its mark when it matters how the run ended.
 */
import type { Millis } from '../../base/clock.ts';
import type { EndedTable, RunGroup, TableRow } from './ended-table.ts';
import type { RunStamps } from './run-stamps.ts';
import type { Stamp } from './stamp.ts';

/** What is known of a run in the table. */
const unknown = 0;
/** All of its files were unchanged a moment ago, when the same command looked at them. */
const proved = 1;
const headerUnchanged = 2;
const allUnchanged = 3;

/** The runs of a group that are listed now. */
export interface GroupUse extends RunGroup {
  /** The run that was created last, and when. */
  readonly run: string;
  readonly createdAt: Millis;
  readonly runs: () => readonly string[];
}

export class ProvedRuns {
  readonly table: EndedTable;
  readonly #stamps: RunStamps;
  readonly #known: Uint8Array;

  /** @param before what the same command proved, except of the runs that were continued since */
  constructor(
    table: EndedTable,
    stamps: RunStamps,
    before?: { readonly runs: ProvedRuns; readonly continued: ReadonlySet<string> },
  ) {
    this.table = table;
    this.#stamps = stamps;
    this.#known = new Uint8Array(table.size);
    if (before?.runs.table !== table) return;
    for (let place = 0; place < table.size; place++) {
      if (before.runs.#known[place] === allUnchanged) this.#known[place] = proved;
    }
    for (const run of before.continued) {
      const place = table.find(run);
      if (place !== undefined) this.#known[place] = unknown;
    }
  }

  /** Whether a run was proved a moment ago; it is listed from now on. */
  wasProved(run: string): boolean {
    const place = this.table.find(run);
    if (place === undefined || this.#known[place] !== proved) return false;
    this.#known[place] = allUnchanged;
    return true;
  }

  /** Whether the header of a run is unchanged; it is listed from now on. @param file its current stamp */
  hasHeader(run: string, file: Stamp | undefined): boolean {
    const place = this.table.find(run);
    if (place === undefined || !this.table.isSame(place, 'header', file)) return false;
    this.#known[place] = Math.max(this.#known[place] ?? unknown, headerUnchanged);
    return true;
  }

  /** The place of a run that is listed. */
  placeOf(run: string): number | undefined {
    const place = this.table.find(run);
    return place !== undefined && this.#isListed(place) ? place : undefined;
  }

  /** Whether the journal and the mark of a listed run are unchanged, too. */
  isUnchanged(place: number): boolean {
    if (this.#known[place] === allUnchanged) return true;
    const [journal, mark] = this.#stamps.journal(this.table.runAt(place)) ?? [];
    const isSame =
      this.table.isSame(place, 'journal', journal) && this.table.isSame(place, 'mark', mark);
    if (isSame) this.#known[place] = allUnchanged;
    return isSame;
  }

  /** The places of the listed runs of some groups. */
  *places(isAsked: (group: RunGroup) => boolean = () => true): Generator<number> {
    const asked = this.table.groups.map(isAsked);
    for (let place = 0; place < this.#known.length; place++) {
      if (this.#isListed(place) && asked[this.table.groupAt(place)] === true) yield place;
    }
  }

  /** The listed runs by group. */
  uses(): readonly GroupUse[] {
    const newest: (TableRow | undefined)[] = this.table.groups.map(() => undefined);
    for (const place of this.places()) {
      const group = this.table.groupAt(place);
      const row = this.table.row(place);
      const before = newest[group];
      if (before === undefined || newestFirst(row, before) < 0) newest[group] = row;
    }
    return newest.flatMap((row) => {
      if (row === undefined) return [];
      const { group, run, createdAt } = row;
      const runs = (): readonly string[] =>
        Array.from(
          this.places((each) => each === group),
          (place) => this.table.runAt(place),
        );
      return [{ ...group, run, createdAt, runs }];
    });
  }

  #isListed(place: number): boolean {
    return (this.#known[place] ?? unknown) >= headerUnchanged;
  }
}

interface Created {
  readonly run: string;
  readonly createdAt: Millis;
}

/** The order of lists: runs that were created at one time by their names. */
export function newestFirst(a: Created, b: Created): number {
  if (a.createdAt !== b.createdAt) return b.createdAt - a.createdAt;
  return a.run === b.run ? 0 : a.run < b.run ? 1 : -1;
}
