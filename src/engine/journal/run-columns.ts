/** The columns that blocks of facts about runs have in common: the stamps of the files, and the groups, which
 * are runs of one playbook on the same accounts.
 */
import { isRecord } from '../../base/json.ts';
import { numberAt, sharedOf, type Column, type Shared } from './columns.ts';
import type { Destination } from './entry.ts';
import { isDestination } from './header.ts';
import { isSameStamp, type Stamp } from './stamp.ts';

/** The common facts of runs of one playbook on the same accounts. */
export interface RunGroup {
  readonly playbook: string;
  /** The account of the runs, and those that their headers name beside it. */
  readonly accounts: readonly Destination[];
}

/** The files of a run, in the order of their stamps in a fact. */
export const filesOfRun = ['header', 'journal', 'mark'] as const;
const stampLength = 5; // numbers, see `Stamp`

/** The stamp of a file, by its number among those of a run, at a place of a block. */
export type StampAt = (file: number, at: number) => Stamp;

/** The columns of the fields of records; undefined for other values. */
export function fieldsOf(column: Column | undefined): Readonly<Record<string, Column>> | undefined {
  return column !== undefined && 'fields' in column && isRecord(column.fields)
    ? column.fields
    : undefined;
}

/** The stamps of the files of each run; undefined unless each run has as many. */
export function stampsIn(column: Column, count: number): StampAt | undefined {
  const files = itemsOf(column, filesOfRun.length);
  const columns = files?.flatMap((file) => itemsOf(file, stampLength) ?? []);
  if (columns?.length !== filesOfRun.length * stampLength) return undefined;
  const numbers = columns.map((each) => numberAt(each, count) ?? (() => NaN)); // like no stamp
  return (file, at) => {
    const number = (part: number): number => numbers[file * stampLength + part]?.(at) ?? NaN;
    return [number(0), number(1), number(2), number(3), number(4)];
  };
}

/** Whether the files of a run have the stamps of a block. @param stamps current ones, of header, journal and mark */
export function areStamps(
  stamps: readonly (Stamp | undefined)[],
  at: number,
  stampOf: StampAt,
): boolean {
  return filesOfRun.every((_file, file) => {
    const stamp = stamps[file];
    return stamp !== undefined && isSameStamp(stampOf(file, at), stamp);
  });
}

function itemsOf(column: Column, length: number): readonly Column[] | undefined {
  return 'items' in column && column.items.length === length ? column.items : undefined;
}

/** The groups of all blocks, each once. */
export class Groups {
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
