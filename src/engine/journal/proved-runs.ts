/** The runs of the catalogue's table whose files are as they were. A file is looked at once, when a caller
 * asks about its run: first the header, and the journal and its mark when it matters how the run ended.
 *
 * Beside more than 20,000 runs, a command looks at the files of the last 10,000 in the table. It takes the
 * others for unchanged when all were looked at within the last hour, except those that this program continued
 * (looked.ts). When a file that it does look at was changed by another program, it looks at all of them.
 */
import type { Millis } from '../../base/clock.ts';
import type { EndedTable } from './ended-table.ts';
import type { RunGroup } from './run-columns.ts';
import type { RunStamps } from './run-stamps.ts';
import type { Stamp } from './stamp.ts';

/** The proof about a run in the table. */
const unknown = 0;
/** All files of the run were unchanged when the same command looked at them, or within the hour. */
const proved = 1;
const headerUnchanged = 2;
const allUnchanged = 3;

/** The number of runs whose files are looked at by each command; beside more, it is half of it. */
export const lookedMax = 20_000;

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

  /**
   * @param before what the same command proved, except of the runs that were continued since
   * @param changed the runs whose files must be looked at; undefined if that holds for all
   */
  constructor(
    table: EndedTable,
    stamps: RunStamps,
    before?: { readonly runs: ProvedRuns; readonly continued: ReadonlySet<string> },
    changed?: ReadonlySet<string>,
  ) {
    this.table = table;
    this.#stamps = stamps;
    this.#known = new Uint8Array(table.size);
    if (changed !== undefined) {
      this.#known.fill(proved, 0, Math.max(0, table.size - lookedMax / 2));
      this.#doubt(changed);
    }
    if (before?.runs.table !== table) return;
    for (let place = 0; place < table.size; place++) {
      if (before.runs.#known[place] === allUnchanged) this.#known[place] = proved;
    }
    this.#doubt(before.continued);
  }

  #doubt(runs: ReadonlySet<string>): void {
    for (const run of runs) {
      const place = this.table.find(run);
      if (place !== undefined) this.#known[place] = unknown;
    }
  }

  /** Looks at the files that nobody asked about. @returns the runs that are not as the table has them */
  changed(): readonly string[] {
    const places = Array.from(this.#known.keys());
    return places
      .filter((place) => !this.#isListed(place) || !this.isUnchanged(place))
      .map((place) => this.table.runAt(place));
  }

  /** Whether a run was proved a moment ago, or within the hour; it is listed from now on. */
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

  /** The places of the newest listed runs, newest first, and the number of all. @param isAsked whether a run counts */
  newest(isAsked: (run: RunGroup & { readonly createdAt: Millis }) => boolean, max: number) {
    const { table } = this;
    const asked = Array.from(this.places(), (place) => {
      const group = table.groups[table.groupAt(place)];
      const own = { place, run: table.runAt(place), createdAt: table.createdAt(place) };
      return group !== undefined && isAsked({ ...group, createdAt: own.createdAt }) ? [own] : [];
    }).flat();
    const places = asked.toSorted(newestFirst).slice(0, max);
    return { places: places.map(({ place }) => place), count: asked.length };
  }

  /** The listed runs by group. */
  uses(): readonly GroupUse[] {
    const newest: (number | undefined)[] = this.table.groups.map(() => undefined);
    const isNewer = (one: number, other: number): boolean => {
      const [a, b] = [this.table.createdAt(one), this.table.createdAt(other)];
      return a === b ? this.table.runAt(one) > this.table.runAt(other) : a > b;
    };
    for (const place of this.places()) {
      const group = this.table.groupAt(place);
      const before = newest[group];
      if (before === undefined || isNewer(place, before)) newest[group] = place;
    }
    return newest.flatMap((place) => {
      if (place === undefined) return [];
      const { group, run, createdAt } = this.table.row(place);
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
