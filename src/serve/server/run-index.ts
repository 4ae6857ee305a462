/** The runs of a desk in the order of lists: most are places of the catalogue's table, of which a row is made when
 * a page shows it; those in progress, and those that ended lately, have rows in memory.
 */
import type { Millis } from '../../base/clock.ts';
import { plainText } from '../../base/text.ts';
import type { RunGroup } from '../../engine/journal/run-columns.ts';
import type { ListedTable } from '../../report/overview/listed-table.ts';
import type { KnownRun } from '../../report/overview/overviews.ts';
import { isWanted, type RunFilter, type Selected } from './run-filter.ts';
import { rowOfLine, type ReadRun, type RunRow } from './run-row.ts';

/** A run that was read; without a row if it is not a run, or not yet. */
export interface KnownRow {
  readonly found: KnownRun | undefined;
  readonly read?: ReadRun;
}

/** The values that the filters of lists offer. */
export interface RunValues {
  readonly playbooks: readonly string[];
  readonly accounts: readonly string[];
  readonly people: readonly string[];
}

/** A place of the table; or, below zero, the number of a row in memory. */
type Position = number;

interface Order {
  readonly positions: readonly Position[];
  /** The rows in memory, newest first. */
  readonly rows: readonly RunRow[];
}

export class RunIndex {
  readonly desk: string;
  /** The runs that were read, with what is not a run. */
  readonly live = new Map<string, KnownRow>();
  #table: ListedTable;
  /** The places of the table, newest first. */
  #places: readonly number[] = [];
  /** Those that may need a person. */
  #notable: readonly number[] = [];
  #alive: ReadonlySet<string> = new Set();
  #order: Order | undefined;
  #values: RunValues | undefined;

  constructor(desk: string, table: ListedTable) {
    this.desk = desk;
    this.#table = table;
    this.replaceTable(table);
  }

  get table(): ListedTable {
    return this.#table;
  }

  replaceTable(table: ListedTable): void {
    this.#table = table;
    this.#places = sortedPlaces(table);
    this.#notable = this.#places.filter((place) => isNotable(table, place));
    this.changed();
  }

  /** The runs whose process is alive. */
  get alive(): ReadonlySet<string> {
    return this.#alive;
  }

  setAlive(runs: ReadonlySet<string>): void {
    this.#alive = runs;
    this.changed();
  }

  /** To be called after a run was added, changed or removed. */
  changed(): void {
    this.#order = undefined;
    this.#values = undefined;
  }

  row(run: string): RunRow | undefined {
    const known = this.live.get(run);
    if (known !== undefined) return known.read && shown(known.read, this.#alive);
    const place = this.#table.find(run);
    return place === undefined ? undefined : this.#rowAt(place);
  }

  select(wanted: RunFilter = {}): Selected {
    const { positions, rows } = this.#ordered();
    if (Object.keys(wanted).length === 0) return this.#selected(positions, rows);
    const isPlaceWanted = placeFilter(this.#table, wanted);
    const isRowWanted = rows.map((row) => isWanted(row, wanted));
    const found = positions.filter((at) => (at < 0 ? isRowWanted[~at] : isPlaceWanted(at)));
    return this.#selected(found, rows);
  }

  /** The runs of the table, newest first. */
  places(): readonly string[] {
    const table = this.#table;
    return this.#places.filter((place) => table.has(place)).map((place) => table.runAt(place));
  }

  /** Some of the wanted runs. */
  narrowed(
    wanted: RunFilter,
    isPlaceKept: (place: number) => boolean,
    isRowKept: (row: RunRow) => boolean,
  ): Selected {
    const { positions, rows } = this.#ordered();
    const isPlaceWanted = placeFilter(this.#table, wanted);
    const found = positions.filter((at) => {
      const row = rows[~at];
      if (at >= 0 || row === undefined) return isPlaceWanted(at) && isPlaceKept(at);
      return isWanted(row, wanted) && isRowKept(row);
    });
    return this.#selected(found, rows);
  }

  /** The rows of runs in progress, newest first. */
  running(): readonly RunRow[] {
    return this.#ordered().rows.filter(({ state }) => state === 'running');
  }

  /** The rows in memory and those of the table that may need a person, newest first. */
  notable(): readonly RunRow[] {
    const { rows } = this.#ordered();
    const listed = this.#notable.filter((place) => this.#table.has(place));
    return [...rows, ...listed.map((place) => this.#rowAt(place))].toSorted(byStart);
  }

  values(): RunValues {
    return (this.#values ??= valuesOf(this.#ordered().rows, this.#table));
  }

  #rowAt(place: number): RunRow {
    return rowOfLine(this.desk, this.#table.runAt(place), this.#table.lineAt(place));
  }

  #ordered(): Order {
    return (this.#order ??= this.#orderNow());
  }

  /** Merges the places of the table with the rows in memory. */
  #orderNow(): Order {
    const table = this.#table;
    const rows = [...this.live.values()]
      .flatMap(({ read }) => (read === undefined ? [] : [shown(read, this.#alive)]))
      .toSorted(byStart);
    const positions: Position[] = [];
    let at = 0;
    for (const place of this.#places) {
      if (!table.has(place)) continue;
      const start = { startedAt: table.startedAt(place), run: table.runAt(place) };
      for (let row = rows[at]; row !== undefined && byStart(row, start) < 0; row = rows[at])
        positions.push(~at++);
      positions.push(place);
    }
    while (at < rows.length) positions.push(~at++);
    return { positions, rows };
  }

  #selected(positions: readonly Position[], rows: readonly RunRow[]): Selected {
    const table = this.#table;
    const of =
      <T>(ofRow: (row: RunRow) => T, ofPlace: (place: number) => T) =>
      (at: number): T => {
        const position = positions[at];
        if (position === undefined) throw new RangeError(`no run ${at} in the list`);
        const row = rows[~position];
        return row === undefined ? ofPlace(position) : ofRow(row);
      };
    return {
      length: positions.length,
      row: of<RunRow>(
        (row) => row,
        (place) => this.#rowAt(place),
      ),
      startedAt: of<Millis>(
        (row) => row.startedAt,
        (place) => table.startedAt(place),
      ),
      state: of<RunRow['state']>(
        (row) => row.state,
        (place) => table.statusAt(place),
      ),
      doubts: of<number>(
        (row) => row.doubts,
        (place) => table.doubtsAt(place),
      ),
      lastAt: of<Millis | undefined>(
        (row) => this.live.get(row.run)?.read?.extent.lastAt,
        (place) => table.lastAt(place),
      ),
    };
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

/** The order of lists. */
function byStart(
  a: Pick<RunRow, 'startedAt' | 'run'>,
  b: Pick<RunRow, 'startedAt' | 'run'>,
): number {
  return b.startedAt - a.startedAt || (a.run === b.run ? 0 : a.run < b.run ? 1 : -1);
}

function sortedPlaces(table: ListedTable): readonly number[] {
  const places = Array.from({ length: table.size }, (_none, place) => place);
  return places.sort((a, b) => {
    const later = table.startedAt(b) - table.startedAt(a);
    return later || (table.runAt(a) < table.runAt(b) ? 1 : -1);
  });
}

/** Whether a run of the table may need a person. */
function isNotable(table: ListedTable, place: number): boolean {
  const status = table.statusAt(place);
  const isOver = status === 'done' || status === 'stopped';
  return !isOver || table.doubtsAt(place) > 0 || table.asksAt(place);
}

/** A filter of places. What runs have in common is compared once. */
function placeFilter(table: ListedTable, wanted: RunFilter): (place: number) => boolean {
  const { state, playbook, account, profile, person, since, until, prefix } = wanted;
  const groups = table.groups.map((group) => {
    const [own, ...others] = accountsIn(group);
    if (playbook !== undefined && playbookIn(group) !== playbook) return false;
    if (profile !== undefined && own !== profile) return false;
    return account === undefined || own === account || others.includes(account);
  });
  const people = table.people.map((each) => person === undefined || each.includes(person));
  return (place) => {
    if (!table.has(place) || groups[table.groupAt(place)] !== true) return false;
    if (state !== undefined && table.statusAt(place) !== state) return false;
    if (people[table.peopleAt(place)] !== true) return false;
    const startedAt = table.startedAt(place);
    if (since !== undefined && startedAt < since) return false;
    if (until !== undefined && startedAt >= until) return false;
    return prefix === undefined || table.runAt(place).startsWith(prefix);
  };
}

/** As the rows of the runs have them. */
export function accountsIn({ accounts }: RunGroup): readonly string[] {
  return [...new Set(accounts.map(({ profile }) => plainText(profile, 60)))];
}

export function playbookIn({ playbook }: RunGroup): string {
  return plainText(playbook, 80);
}

/** The values of runs that are there, each once. */
function valuesOf(rows: readonly RunRow[], table: ListedTable): RunValues {
  const groups = new Set<number>();
  const people = new Set<number>();
  for (let place = 0; place < table.size; place++) {
    if (!table.has(place)) continue;
    groups.add(table.groupAt(place));
    people.add(table.peopleAt(place));
  }
  const used = [...groups].flatMap((group) => table.groups[group] ?? []);
  const sorted = (values: readonly string[]): readonly string[] =>
    [...new Set(values)].filter((value) => value !== '').toSorted();
  return {
    playbooks: sorted([...rows.map(({ playbook }) => playbook), ...used.map(playbookIn)]),
    accounts: sorted([
      ...rows.flatMap(({ profile, otherAccounts = [] }) => [profile, ...otherAccounts]),
      ...used.flatMap(accountsIn),
    ]),
    people: sorted([
      ...rows.flatMap((row) => row.people),
      ...[...people].flatMap((each) => table.people[each] ?? []),
    ]),
  };
}
