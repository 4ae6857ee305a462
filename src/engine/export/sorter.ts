/** Sorts any number of rows in bounded memory: sorted runs on the disk, merged during the read. */
import { InternalError } from '../../base/error.ts';
import { linesIn, type DiskFile } from './disk.ts';
import { compareKeys, sortKeyOf, type SortKey } from './row-sort.ts';
import { isRow, type Row } from '../../exchange/api/listing.ts';

/** Rows with their arrival number, which decides between equal rows. */
export interface Numbered {
  readonly row: Row;
  /** Position of the row, from 1. */
  readonly number: number;
}

export interface Sorter {
  add(item: Numbered): Promise<void>;
  /** All rows in order; can be read once, after the last `add`. */
  sorted(): AsyncIterable<Numbered>;
  close(): Promise<void>;
}

export interface SorterOptions {
  /** Columns to sort by; none keeps the order of arrival. */
  readonly columns: readonly string[];
  /** Creates an empty file for a run; the sorter closes it. */
  readonly makeRun: () => Promise<DiskFile>;
  /** Approximate bytes in memory at once. */
  readonly bufferMax?: number;
}

const bufferedBytes = 16 * 1024 * 1024; // one export may use two sorters
const overhead = 300; // bytes of a row besides its text: its key and its position
const fanIn = 32; // runs merged at once; more are merged into one first

export function sorter({ columns, makeRun, bufferMax = bufferedBytes }: SorterOptions): Sorter {
  let buffered: Keyed[] = [];
  let bufferedSize = 0;
  let runs: DiskFile[] = [];

  const read = (file: DiskFile): AsyncIterable<Keyed> => readRun(file, columns);
  const store = async (items: AsyncIterable<Keyed> | Iterable<Keyed>): Promise<DiskFile> => {
    const file = await makeRun();
    try {
      await writeRun(file, items);
    } catch (error) {
      await file.close();
      throw error;
    }
    return file;
  };
  const spill = async (): Promise<void> => {
    runs.push(await store(buffered.sort(compareItems)));
    buffered = [];
    bufferedSize = 0;
    if (runs.length < fanIn) return;
    const merged = await store(mergedRuns(runs.map(read)));
    for (const run of runs) await run.close();
    runs = [merged];
  };

  return {
    add: async ({ row, number }) => {
      const text = JSON.stringify(row);
      buffered.push({ number, text, key: sortKeyOf(row, columns) });
      bufferedSize += text.length + overhead;
      if (bufferedSize >= bufferMax) await spill();
    },
    sorted: () => rowsIn(mergedRuns([...runs.map(read), inMemory(buffered.sort(compareItems))])),
    close: async () => {
      for (const run of runs) await run.close();
      runs = [];
    },
  };
}

/** A row as its JSON text, which is smaller than the row. */
interface Keyed {
  readonly number: number;
  readonly text: string;
  readonly key: SortKey;
}

function compareItems(a: Keyed, b: Keyed): number {
  return compareKeys(a.key, b.key) || a.number - b.number;
}

async function* inMemory(items: readonly Keyed[]): AsyncGenerator<Keyed> {
  yield* items;
}

/** Repeatedly takes the smallest head of the runs. */
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

async function* rowsIn(items: AsyncIterable<Keyed>): AsyncGenerator<Numbered> {
  for await (const { number, text } of items) yield { number, row: rowOf(text) };
}

const lineBatch = 64 * 1024; // characters

/** A run on the disk: a line for each row, its number before its text. */
async function writeRun(
  file: DiskFile,
  items: AsyncIterable<Keyed> | Iterable<Keyed>,
): Promise<void> {
  let lines = '';
  for await (const { number, text } of items) {
    lines += `${number} ${text}\n`;
    if (lines.length < lineBatch) continue;
    await file.write(lines);
    lines = '';
  }
  if (lines !== '') await file.write(lines);
}

async function* readRun(file: DiskFile, columns: readonly string[]): AsyncGenerator<Keyed> {
  for await (const line of linesIn(file.bytes())) {
    const blank = line.indexOf(' ');
    const text = line.slice(blank + 1);
    const key = sortKeyOf(rowOf(text), columns);
    yield { number: Number(line.slice(0, blank)), text, key };
  }
}

/** Parses a row that we wrote ourselves. */
function rowOf(text: string): Row {
  const value: unknown = JSON.parse(text);
  if (!isRow(value)) throw new InternalError('a line of a sorted run is not a row');
  return value;
}
