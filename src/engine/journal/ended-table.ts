/** The ended runs in blocks of the catalogue or of a store, by columns: what thousands of runs have in common,
 * such as their playbook and account, is looked at once, and nothing is made of a run that nobody asks about.
 *
 * The table has only blocks of the expected shape. Whatever is not in it is found by the facts of single runs
 * (catalogue.ts), or read from the files of the run.
 */
import type { Millis } from '../../base/clock.ts';
import { isRecord } from '../../base/json.ts';
import { numberAt, sharedOf, valueAt, valuesOf, type Column } from './columns.ts';
import { journalFormat } from './header.ts';
import {
  fieldsOf,
  filesOfRun,
  Groups,
  stampsIn,
  type RunGroup,
  type StampAt,
} from './run-columns.ts';
import { isSameStamp, type Stamp } from './stamp.ts';

/** A run in the table, as its block has it. */
export interface TableRow {
  readonly run: string;
  readonly group: RunGroup;
  readonly createdAt: Millis;
  /** The time when the run began, by the exchange's clock, and by the clock of its machine. */
  readonly time: Millis;
  readonly at: Millis;
  /** The time when the run signed its last write; -Infinity if it sent none. */
  readonly signedAt: Millis;
  /** Whether the run did writes that other runs look for. */
  readonly isLasting: boolean;
}

/** The facts of runs by columns; facts from a store have no files here. */
export interface EndedBlock {
  readonly runs: readonly string[];
  readonly files?: Column;
  readonly values: Column;
}

export class EndedTable {
  readonly groups: readonly RunGroup[];
  /** The runs of blocks of another shape, which are not in the table. */
  readonly left: readonly string[];
  readonly #parts: readonly Part[];
  readonly #places = new Map<string, number>();
  readonly #size: number;
  #last: Part | undefined;

  constructor(blocks: Iterable<EndedBlock>) {
    const groups = new Groups();
    const parts: Part[] = [];
    const left: string[] = [];
    let size = 0;
    for (const block of blocks) {
      const part = partOf(block, size, groups);
      if (part === undefined) {
        left.push(...block.runs);
        continue;
      }
      parts.push(part);
      for (const [at, run] of block.runs.entries()) {
        this.#places.set(run, size + at); // of two facts that are both true, either will do
      }
      size += block.runs.length;
    }
    this.#parts = parts;
    this.#size = size;
    this.groups = groups.all;
    this.left = left;
  }

  /** The number of places, of which some may have no run. */
  get size(): number {
    return this.#size;
  }

  /** The place of a run. */
  find(run: string): number | undefined {
    return this.#places.get(run);
  }

  /** The number of a run's group. */
  groupAt(place: number): number {
    const part = this.#partAt(place);
    return part.groups[place - part.from] ?? 0;
  }

  runAt(place: number): string {
    const part = this.#partAt(place);
    return part.names[place - part.from] ?? '';
  }

  createdAt(place: number): Millis {
    const part = this.#partAt(place);
    return part.numbers.createdAt(place - part.from);
  }

  /** Whether a file of a run is as it was. @param stamp its current one */
  isSame(place: number, file: (typeof filesOfRun)[number], stamp: Stamp | undefined): boolean {
    if (stamp === undefined) return false;
    const part = this.#partAt(place);
    return isSameStamp(part.stampOf(filesOfRun.indexOf(file), place - part.from), stamp);
  }

  /** The stamp of a run's header. */
  headerStamp(place: number): Stamp {
    const part = this.#partAt(place);
    return part.stampOf(0, place - part.from);
  }

  row(place: number): TableRow {
    const part = this.#partAt(place);
    const at = place - part.from;
    const { createdAt, time, at: begun, signedAt } = part.numbers;
    return {
      run: part.names[at] ?? '',
      group: this.groups[part.groups[at] ?? 0] ?? nothing,
      createdAt: createdAt(at),
      time: time(at),
      at: begun(at),
      signedAt: signedAt(at),
      isLasting: part.isLasting(at),
    };
  }

  /** The value of a run's fact. */
  valueAt(place: number): unknown {
    const part = this.#partAt(place);
    return part.valueOf(place - part.from);
  }

  /** The part with a place: mostly the one of the place before. */
  #partAt(place: number): Part {
    const last = this.#last;
    if (last !== undefined && place >= last.from && place < last.from + last.names.length)
      return last;
    const parts = this.#parts;
    let [low, high] = [0, parts.length - 1];
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((parts[middle]?.from ?? 0) <= place) low = middle;
      else high = middle - 1;
    }
    const part = parts[low];
    if (part === undefined) throw new RangeError(`no place ${place} in the catalogue`);
    this.#last = part;
    return part;
  }
}

/** A block by columns. */
interface Part {
  /** The place of the first run of the block. */
  readonly from: number;
  readonly names: readonly string[];
  readonly groups: Uint32Array;
  readonly numbers: {
    readonly createdAt: (at: number) => Millis;
    readonly time: (at: number) => Millis;
    readonly at: (at: number) => Millis;
    readonly signedAt: (at: number) => Millis;
  };
  readonly isLasting: (at: number) => boolean;
  readonly stampOf: StampAt;
  readonly valueOf: (at: number) => unknown;
}

const nothing: RunGroup = { playbook: '', accounts: [] };

/** The columns of the fields of records, also of a single one, or of equal ones; undefined for other values. */
function columnsIn(column: Column | undefined): Readonly<Record<string, Column>> | undefined {
  const isShared = column !== undefined && 'among' in column && column.at === undefined;
  const [record] = isShared ? column.among : [];
  if (!isRecord(record)) return fieldsOf(column);
  const fields = Object.entries(record).map(([key, value]) => [key, { among: [value] }] as const);
  return Object.fromEntries(fields);
}

const noStamp: StampAt = () => [NaN, NaN, NaN, NaN, NaN];

/** A block by columns; undefined unless this version wrote it. */
function partOf(
  { runs, files, values }: EndedBlock,
  from: number,
  groups: Groups,
): Part | undefined {
  const count = runs.length;
  const own = columnsIn(values);
  const header = columnsIn(own?.['header']);
  const names = header && namesIn(header, runs);
  const stampOf = files === undefined ? noStamp : stampsIn(files, count);
  const numbers = numbersIn(own, header, count);
  const isLasting = lastingAt(own?.['lasting']);
  const numbered = header && groups.numbersOf(header, count);
  if (!numbers || !stampOf || !numbered || names === undefined) return undefined;
  return {
    from,
    names,
    groups: numbered,
    numbers,
    isLasting,
    stampOf,
    valueOf: valueAt(values),
  };
}

/** The runs of the block, if its headers are of these runs, and of this version. */
function namesIn(
  { run, format, program }: Readonly<Record<string, Column>>,
  runs: readonly string[],
): readonly string[] | undefined {
  if (run === undefined || format === undefined || program === undefined) return undefined;
  const valueOf = valuesOf(run);
  const isOfThem = runs.every((each, at) => valueOf(at) === each);
  const isOfVersion = sharedOf(format, runs.length).values.every((each) => each === journalFormat);
  const hasProgram = sharedOf(program, runs.length).values.every(
    (each) => typeof each === 'string',
  );
  return isOfThem && isOfVersion && hasProgram ? runs : undefined;
}

function numbersIn(
  own: Readonly<Record<string, Column>> | undefined,
  header: Readonly<Record<string, Column>> | undefined,
  count: number,
): Part['numbers'] | undefined {
  const floats = (column: Column | undefined) => column && numberAt(column, count);
  const [createdAt, time, at] = [header?.['createdAt'], own?.['time'], own?.['at']].map(floats);
  const signed = own?.['signedAt'];
  const signedOf = signed && valuesOf(signed);
  if (!createdAt || !time || !at) return undefined;
  const signedAt = (place: number): Millis => {
    const value = signedOf?.(place);
    if (value === undefined) return -Infinity;
    return typeof value === 'number' ? value : Infinity; // not known: then its journal is read
  };
  return { createdAt, time, at, signedAt };
}

/** Whether each run has lasting writes, without a look at them. */
function lastingAt(column: Column | undefined): Part['isLasting'] {
  if (column === undefined) return () => false;
  if (!('some' in column)) return () => true;
  const some = new Set(column.some);
  return (at) => some.has(at);
}
