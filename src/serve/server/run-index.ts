/** The runs of a desk in the order of lists: most are places of the catalogue's table, of which a row is made when
 * a page shows it; those in progress, and those that ended lately, have rows in memory.
 */
import type { Millis } from '../../base/clock.ts';
import type { ListedTable } from '../../report/overview/listed-table.ts';
import { isNotable, mayBeNotable } from '../../report/overview/notable.ts';
import type { KnownRun } from '../../report/overview/overviews.ts';
import { isWanted, ShorterListError, type RunFilter, type Selected } from './run-filter.ts';
import {
  byStart,
  mayMatch,
  placeFilter,
  sortedPlaces,
  valuesOf,
  type RunValues,
} from './run-places.ts';
import { rowOfLine, type ReadRun, type RunRow } from './run-row.ts';

/** A run that was read; without a row if it is not a run, or not yet. */
export interface KnownRow {
  readonly found: KnownRun | undefined;
  readonly read?: ReadRun;
}

/** A place of the table; or, below zero, the number of a row in memory. */
type Position = number;

interface Order {
  /** The positions of the runs that were read. */
  readonly positions: readonly Position[];
  /** The rows in memory, newest first. */
  readonly rows: readonly RunRow[];
  /** How many of the positions are newer than all runs that were not read. */
  readonly certain: number;
}

/** The places of the runs that were read. */
interface Places {
  /** Number of blocks that were read. */
  readonly read: number;
  /** All places, that of the newest run first. */
  readonly sorted: readonly number[];
  /** The places of the runs that may need a person. */
  readonly notable: readonly number[];
}

export class RunIndex {
  readonly desk: string;
  /** The runs that were read, with what is not a run. */
  readonly live = new Map<string, KnownRow>();
  #table: ListedTable;
  #places: Places | undefined;
  #alive: ReadonlySet<string> = new Set();
  #order: Order | undefined;
  #values: RunValues | undefined;

  constructor(desk: string, table: ListedTable) {
    this.desk = desk;
    this.#table = table;
  }

  get table(): ListedTable {
    return this.#table;
  }

  replaceTable(table: ListedTable): void {
    this.#table = table;
    this.#places = undefined;
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
    const table = this.#table;
    if (Object.keys(wanted).length === 0) return this.#all();
    table.read((summary) => mayMatch(wanted, summary));
    const { positions, rows } = this.#ordered();
    const isPlaceWanted = placeFilter(table, wanted);
    const isRowWanted = rows.map((row) => isWanted(row, wanted));
    const found = positions.filter((at) => (at < 0 ? isRowWanted[~at] : isPlaceWanted(at)));
    return this.#found(found, rows);
  }

  /** The runs of the table, newest first. */
  places(): readonly string[] {
    const table = this.#table;
    table.read();
    const { sorted } = this.#readPlaces();
    return sorted.filter((place) => table.has(place)).map((place) => table.runAt(place));
  }

  /** Some of the wanted runs. */
  narrowed(
    wanted: RunFilter,
    isPlaceKept: (place: number) => boolean,
    isRowKept: (row: RunRow) => boolean,
  ): Selected {
    this.#table.read((summary) => mayMatch(wanted, summary));
    const { positions, rows } = this.#ordered();
    const isPlaceWanted = placeFilter(this.#table, wanted);
    const found = positions.filter((at) => {
      const row = rows[~at];
      if (at >= 0 || row === undefined) return isPlaceWanted(at) && isPlaceKept(at);
      return isWanted(row, wanted) && isRowKept(row);
    });
    return this.#found(found, rows);
  }

  /** The rows of runs in progress, newest first. */
  running(): readonly RunRow[] {
    return this.#rows().filter(isRunning);
  }

  /** The rows in memory and those of the table that may need a person, newest first. */
  notable(): readonly RunRow[] {
    this.#table.read(mayBeNotable);
    const { rows } = this.#ordered();
    const listed = this.#readPlaces().notable.filter((place) => this.#table.has(place));
    return [...rows, ...listed.map((place) => this.#rowAt(place))].toSorted(byStart);
  }

  values(): RunValues {
    return (this.#values ??= valuesOf(this.#ordered().rows, this.#table));
  }

  #rowAt(place: number): RunRow {
    return rowOfLine(this.desk, this.#table.runAt(place), this.#table.lineAt(place));
  }

  #readPlaces(): Places {
    const table = this.#table;
    const read = table.blocksRead;
    if (this.#places?.read === read) return this.#places;
    this.#order = undefined;
    const sorted = sortedPlaces(table);
    const notable = sorted.filter((place) => isNotable(table, place));
    return (this.#places = { read, sorted, notable });
  }

  #ordered(): Order {
    const { sorted } = this.#readPlaces();
    return (this.#order ??= this.#merged(sorted, this.#rows()));
  }

  /** The rows in memory, newest first. */
  #rows(): readonly RunRow[] {
    return [...this.live.values()]
      .flatMap(({ read }) => (read === undefined ? [] : [shown(read, this.#alive)]))
      .toSorted(byStart);
  }

  /** Merges places of the table with rows. */
  #merged(places: readonly number[], rows: readonly RunRow[]): Order {
    const table = this.#table;
    const positions: Position[] = [];
    let certain = 0;
    const add = (position: Position, startedAt: Millis): void => {
      if (startedAt > table.unreadUntil) certain += 1;
      positions.push(position);
    };
    let at = 0;
    for (const place of places) {
      if (!table.has(place)) continue;
      const start = { startedAt: table.startedAt(place), run: table.runAt(place) };
      for (let row = rows[at]; row !== undefined && byStart(row, start) < 0; row = rows[at])
        add(~at++, row.startedAt);
      add(place, start.startedAt);
    }
    for (let row = rows[at]; row !== undefined; row = rows[at]) add(~at++, row.startedAt);
    return { positions, rows, certain };
  }

  /** All runs: blocks are read up to the run that is asked for. */
  #all(): Selected {
    const table = this.#table;
    let order = this.#ordered();
    const { rows } = order;
    return this.#selected(rows.length + table.count, rows, rows.filter(isRunning), (at) => {
      while (at >= order.certain && table.readNewest(at + 1 - order.certain)) {
        order = this.#merged(this.#readPlaces().sorted, rows);
      }
      return order.positions[at];
    });
  }

  #found(positions: readonly Position[], rows: readonly RunRow[]): Selected {
    const own = positions.filter((at) => at < 0).flatMap((at) => rows[~at] ?? []);
    return this.#selected(positions.length, rows, own.filter(isRunning), (at) => positions[at]);
  }

  #selected(
    length: number,
    rows: readonly RunRow[],
    running: readonly RunRow[],
    positionAt: (at: number) => Position | undefined,
  ): Selected {
    const table = this.#table;
    const of =
      <T>(ofRow: (row: RunRow) => T, ofPlace: (place: number) => T) =>
      (at: number): T => {
        const position = positionAt(at);
        if (position === undefined) throw new ShorterListError(`no run ${at} in the list`);
        const row = rows[~position];
        return row === undefined ? ofPlace(position) : ofRow(row);
      };
    return {
      length,
      running,
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
  if (!isOpen || !alive.has(row.run)) return row;
  const { lastAt } = found.extent;
  return { ...row, state: 'running', doubts, ...(lastAt !== undefined && { lastAt }) };
}

function isRunning({ state }: RunRow): boolean {
  return state === 'running';
}
