/** The ended runs in blocks of the catalogue, by columns: what thousands of runs have in common, such as
 * their playbook and account, is looked at once, and nothing is made of a run that nobody asks about.
 *
 * The table has only blocks of the expected shape. Whatever is not in it is found by the facts of single runs
 * (catalogue.ts), or read from the files of the run.
 */
import { isRecord } from '../../base/json.ts';
import type { Millis } from '../../base/clock.ts';
import type { Block, CatalogueLines } from './catalogue-lines.ts';
import { numberAt, sharedOf, valueAt, valuesOf, type Column, type Shared } from './columns.ts';
import type { Destination } from './entry.ts';
import { isDestination, journalFormat } from './header.ts';
import { isSameStamp, type Stamp } from './stamp.ts';

/** The common facts of runs of one playbook on the same accounts. */
export interface RunGroup {
  readonly playbook: string;
  /** The account of the runs, and those that their headers name beside it. */
  readonly accounts: readonly Destination[];
}

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
  /** Whether other runs use what the run did: then its entries are in its fact. */
  readonly hasEntries: boolean;
}

/** The files of a run, in the order of their stamps in a fact. */
const filesOfRun = ['header', 'journal', 'mark'] as const;
const stampLength = 5; // numbers, see `Stamp`

export class EndedTable {
  readonly groups: readonly RunGroup[];
  readonly #parts: readonly Part[];
  readonly #places = new Map<string, number>();
  readonly #size: number;
  #last: Part | undefined;

  constructor(lines: CatalogueLines, kind: string) {
    const groups = new Groups();
    const parts: Part[] = [];
    let size = 0;
    for (const block of lines.blocks(kind)) {
      const part = partOf(block, size, groups);
      if (part === undefined) continue;
      parts.push(part);
      for (const [at, run] of block.runs.entries()) {
        this.#places.set(run, size + at); // of two facts that are both true, either will do
      }
      size += block.runs.length;
    }
    this.#parts = parts;
    this.#size = size;
    this.groups = groups.all;
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
      hasEntries: part.hasEntries(at),
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
  /** The place of its first run. */
  readonly from: number;
  readonly names: readonly string[];
  readonly groups: Uint32Array;
  readonly numbers: {
    readonly createdAt: (at: number) => Millis;
    readonly time: (at: number) => Millis;
    readonly at: (at: number) => Millis;
    readonly signedAt: (at: number) => Millis;
  };
  readonly hasEntries: (at: number) => boolean;
  readonly stampOf: (file: number, at: number) => Stamp;
  readonly valueOf: (at: number) => unknown;
}

const nothing: RunGroup = { playbook: '', accounts: [] };

/** A block by columns; undefined unless this version wrote it. */
function partOf({ runs, files, values }: Block, from: number, groups: Groups): Part | undefined {
  const count = runs.length;
  const own = fieldsOf(values);
  const header = fieldsOf(own?.['header']);
  const names = header && namesIn(header, runs);
  const stampOf = stampsIn(files, count);
  const numbers = numbersIn(own, header, count);
  const hasEntries = entriesIn(own?.['entries'], count);
  const numbered = header && groups.numbersOf(header, count);
  if (!numbers || !hasEntries || !stampOf || !numbered || names === undefined) return undefined;
  return {
    from,
    names,
    groups: numbered,
    numbers,
    hasEntries,
    stampOf,
    valueOf: valueAt(values),
  };
}

function fieldsOf(column: Column | undefined): Readonly<Record<string, Column>> | undefined {
  return column !== undefined && 'fields' in column && isRecord(column.fields)
    ? column.fields
    : undefined;
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

function entriesIn(column: Column | undefined, count: number): Part['hasEntries'] | undefined {
  if (column === undefined) return undefined;
  const { values, numberOf } = sharedOf(column, count);
  const isSome = values.map((each) => !Array.isArray(each) || each.length > 0);
  return (at) => isSome[numberOf(at)] !== false;
}

/** The stamps of the files of each run; undefined unless each run has as many. */
function stampsIn(column: Column, count: number): Part['stampOf'] | undefined {
  const files = itemsOf(column, filesOfRun.length);
  const columns = files?.flatMap((file) => itemsOf(file, stampLength) ?? []);
  if (columns?.length !== filesOfRun.length * stampLength) return undefined;
  const numbers = columns.map((each) => numberAt(each, count) ?? (() => NaN)); // like no stamp
  return (file, at) => {
    const number = (part: number): number => numbers[file * stampLength + part]?.(at) ?? NaN;
    return [number(0), number(1), number(2), number(3), number(4)];
  };
}

function itemsOf(column: Column, length: number): readonly Column[] | undefined {
  return 'items' in column && column.items.length === length ? column.items : undefined;
}

/** The groups of all blocks, each once. */
class Groups {
  readonly all: RunGroup[] = [];
  readonly #known = new Map<string, number>();

  /** The number of the group of each run; undefined if the columns are not those of headers. */
  numbersOf(header: Readonly<Record<string, Column>>, count: number): Uint32Array | undefined {
    const { playbook, destination, accounts = { among: [undefined] } } = header;
    if (playbook === undefined || destination === undefined) return undefined;
    const columns = [playbook, destination].map((each) => sharedOf(each, count));
    const others = othersOf(accounts, count);
    const isOne = [...columns, others].every(({ values }) => values.length === 1);
    const here = new Map<string, number>();
    const numbers = new Uint32Array(count);
    const parts = [...columns, others];
    for (let at = 0; at < (isOne ? 1 : count); at++) {
      const key = parts.map(({ numberOf }) => numberOf(at)).join(' ');
      const number =
        here.get(key) ?? this.#numberOf(parts.map((each) => each.values[each.numberOf(at)]));
      if (number === undefined) return undefined;
      here.set(key, number);
      numbers[at] = number;
    }
    return isOne ? numbers.fill(numbers[0] ?? 0) : numbers;
  }

  #numberOf([playbook, destination, others = []]: readonly unknown[]): number | undefined {
    if (typeof playbook !== 'string' || !Array.isArray(others)) return undefined;
    const accounts: readonly unknown[] = [destination, ...others];
    if (!accounts.every(isDestination)) return undefined;
    const key = JSON.stringify([playbook, accounts]);
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    this.#known.set(key, this.all.length);
    return this.all.push({ playbook, accounts }) - 1;
  }
}

/** The accounts beside the first, which few runs have. */
function othersOf(column: Column, count: number): Shared {
  if (!('some' in column)) return sharedOf(column, count);
  const { values, numberOf } = sharedOf(column.of, column.some.length);
  const places = new Map(column.some.map((at, place) => [at, numberOf(place)]));
  return { values: [undefined, ...values], numberOf: (at) => (places.get(at) ?? -1) + 1 };
}
