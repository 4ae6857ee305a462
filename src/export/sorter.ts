/** Sorts any number of rows in bounded memory: sorted runs on the disk, merged when read. */
import { isRecord, type Json } from '../base/json.ts';
import { InternalError } from '../base/error.ts';
import type { DiskFile } from './disk.ts';
import { compareKeys, sortKeyOf, type SortKey } from './order.ts';
import type { Row } from './row.ts';

/** Rows with their place of arrival, which decides between equals. */
export interface Numbered {
  readonly row: Row;
  /** From 1. */
  readonly number: number;
}

export interface Sorter {
  add(item: Numbered): Promise<void>;
  /** All rows in order; to be read once, after the last `add`. */
  sorted(): AsyncIterable<Numbered>;
  close(): Promise<void>;
}

export interface SorterOptions {
  /** Columns to sort by; none keeps the order of arrival. */
  readonly columns: readonly string[];
  /** Makes an empty file to hold a run; it is closed by the sorter. */
  readonly makeRun: () => Promise<DiskFile>;
  /** Characters of JSON held in memory at once. */
  readonly heldMax?: number;
}

const heldCharacters = 8 * 1024 * 1024; // about 50 MB of objects
const fanIn = 32; // runs read side by side; more are merged into one first

export function sorter({ columns, makeRun, heldMax = heldCharacters }: SorterOptions): Sorter {
  let held: Keyed[] = [];
  let heldSize = 0;
  let runs: DiskFile[] = [];

  const keyed = (item: Numbered): Keyed => ({ ...item, key: sortKeyOf(item.row, columns) });
  const read = (file: DiskFile): AsyncIterable<Keyed> => parsedLines(file, keyed);

  const store = async (items: AsyncIterable<Keyed> | Iterable<Keyed>): Promise<DiskFile> => {
    const file = await makeRun();
    try {
      await writeLines(file, items);
    } catch (error) {
      await file.close();
      throw error;
    }
    return file;
  };
  const spill = async (): Promise<void> => {
    runs.push(await store(held.sort(compareItems)));
    held = [];
    heldSize = 0;
    if (runs.length < fanIn) return;
    const merged = await store(mergedRuns(runs.map(read)));
    for (const run of runs) await run.close();
    runs = [merged];
  };

  return {
    add: async (item) => {
      held.push(keyed(item));
      heldSize += JSON.stringify(item.row).length;
      if (heldSize >= heldMax) await spill();
    },
    sorted: () => mergedRuns([...runs.map(read), inMemory(held.sort(compareItems))]),
    close: async () => {
      for (const run of runs) await run.close();
      runs = [];
    },
  };
}

interface Keyed extends Numbered {
  readonly key: SortKey;
}

function compareItems(a: Keyed, b: Keyed): number {
  return compareKeys(a.key, b.key) || a.number - b.number;
}

async function* inMemory(items: readonly Keyed[]): AsyncGenerator<Keyed> {
  yield* items;
}

/** Takes the smallest head of the runs again and again. */
async function* mergedRuns(runs: readonly AsyncIterable<Keyed>[]): AsyncGenerator<Keyed> {
  const heads: { item: Keyed; readonly rest: AsyncIterator<Keyed> }[] = [];
  for (const run of runs) {
    const rest = run[Symbol.asyncIterator]();
    const first = await rest.next();
    if (first.done !== true) heads.push({ item: first.value, rest });
  }
  while (heads.length > 0) {
    let least = 0;
    for (let at = 1; at < heads.length; at++) {
      const [candidate, best] = [heads[at], heads[least]];
      if (candidate && best && compareItems(candidate.item, best.item) < 0) least = at;
    }
    const head = heads[least];
    if (head === undefined) return;
    yield head.item;
    const next = await head.rest.next();
    if (next.done === true) heads.splice(least, 1);
    else head.item = next.value;
  }
}

const lineBatch = 64 * 1024; // characters

async function writeLines(
  file: DiskFile,
  items: AsyncIterable<Keyed> | Iterable<Keyed>,
): Promise<void> {
  let text = '';
  for await (const { number, row } of items) {
    text += `${JSON.stringify({ number, row })}\n`;
    if (text.length < lineBatch) continue;
    await file.write(text);
    text = '';
  }
  if (text !== '') await file.write(text);
}

async function* parsedLines(
  file: DiskFile,
  keyed: (item: Numbered) => Keyed,
): AsyncGenerator<Keyed> {
  for await (const line of file.lines()) yield keyed(numberedOf(line));
}

/** A line that we wrote ourselves a moment ago. */
function numberedOf(line: string): Numbered {
  const value: Json = JSON.parse(line);
  if (isRecord(value)) {
    const { number, row } = value;
    if (typeof number === 'number' && isRow(row)) return { number, row };
  }
  throw new InternalError('a line of a sorted run is not a row');
}

function isRow(value: unknown): value is Row {
  return isRecord(value);
}
