/** The pages of an export, kept as they come: a run that died goes on after the last one. */
import type { Millis } from '../base/clock.ts';
import { digestOf, sha256 } from '../base/json.ts';
import { rowFields } from '../contract/list-answer.ts';
import { operationOf, type OperationName } from '../contract/operations/index.ts';
import { rowsOf, type Fields, type RowsPage } from '../contract/reading.ts';
import { formats } from '../contract/vocabulary.ts';
import { windowsOf } from '../contract/windows.ts';
import { realDisk } from '../export/disk.ts';
import { tooManyColumns } from '../export/intake.ts';
import { openKept, removeKept, type Kept, type KeptPlace } from '../export/kept.ts';
import type { Clamp, Origin, TimeWindow } from '../export/manifest.ts';
import { replacedBy, type Overwrite } from '../export/overwrite.ts';
import type { Row } from '../export/row.ts';
import { openTarget } from '../export/target.ts';
import type { Entry } from '../journal/entry.ts';
import { InterruptedError } from '../run/durable.ts';
import type { CallLimits } from '../run/jobs.ts';
import type { Bench } from './bench.ts';
import { tell } from './perform.ts';

export interface Source {
  readonly address: string;
  readonly operation: OperationName;
  readonly input: Row;
  readonly file: string;
  readonly overwrite: Overwrite;
  readonly limits: CallLimits;
  /** A row as the file will have it. @throws EvaluationError before it is kept */
  readonly shape: (row: Row) => Row;
}

export interface Gathered {
  /** May be read more than once. */
  readonly rows: AsyncIterable<Row>;
  /** Every field of the rows, in the order they first appeared. */
  readonly columns: readonly string[];
  readonly origin: Origin;
  /** Rows of the earlier export that stands under the name. */
  readonly replaces?: number;
  /** Temporary files of this export carry it in their names. */
  readonly token: string;
}

type EntryOf<K extends Entry['kind']> = Extract<Entry, { readonly kind: K }>;

/**
 * Reads all pages, or those that are missing, and hands them on; they stay until they are
 * forgotten, for the next life when anything fails.
 */
export async function gathered<T>(
  source: Source,
  bench: Bench,
  use: (gathered: Gathered) => Promise<T>,
): Promise<T> {
  const { file } = source;
  const { disk = realDisk, workspace } = bench;
  const earlier = bench.before.reading;
  const began = earlier?.began ?? (await begin(source, bench));
  const target = await openTarget(workspace, file);
  const token = tokenOf(source, bench);
  const place: KeptPlace = { ...target, token };
  try {
    const kept = await openKept(disk, place, earlier?.pages.map((page) => page.kept) ?? []);
    try {
      const tally = tallyOf(earlier?.pages.slice(0, kept.held) ?? []);
      if (!tally.isWhole) await readOn(source, began, { kept, tally }, bench);
      const { replaces } = began;
      return await use({
        rows: { [Symbol.asyncIterator]: () => kept.rows()[Symbol.asyncIterator]() },
        columns:
          tally.columns.size > 0 ? [...tally.columns] : [...rowFields(source.operation).keys()],
        origin: originOf(source, began, tally),
        ...(replaces !== undefined && { replaces }),
        token,
      });
    } finally {
      await kept.close();
    }
  } finally {
    await target.close();
  }
}

/** Forgets what an export kept that was done before its process died. */
export async function forgetGathered(
  source: Pick<Source, 'address' | 'file'>,
  bench: Bench,
): Promise<void> {
  const { disk = realDisk, workspace } = bench;
  const target = await openTarget(workspace, source.file);
  try {
    await removeKept(disk, { ...target, token: tokenOf(source, bench) });
  } finally {
    await target.close();
  }
}

function tokenOf({ address }: Pick<Source, 'address'>, { runId }: Bench): string {
  return sha256(`${runId} ${address}`).slice(0, 10);
}

async function begin(source: Source, bench: Bench): Promise<Began> {
  const { address, operation, input, file, overwrite } = source;
  const replaces = await replacedBy(bench.workspace, file, overwrite);
  const time = await bench.exchange.serverTime(bench.halt);
  const { windows, clamp } = windowsOf(operation, input, time);
  const [first, last] = [windows[0], windows.at(-1)];
  const began = {
    kind: 'reading' as const,
    address,
    operation,
    file,
    time,
    ...(first && last && { asked: { from: clamp?.asked ?? first.start, to: last.end } }),
    ...(replaces !== undefined && { replaces }),
  };
  await bench.record(began);
  return began;
}

type Began = Omit<EntryOf<'reading'>, 'seq' | 'at'>;
type Paged = Omit<EntryOf<'paged'>, 'seq' | 'at'>;

/** What the pages so far come to. */
interface Tally {
  pages: number;
  rows: number;
  duplicates: number;
  readonly columns: Set<string>;
  readonly covered: TimeWindow[];
  next?: Paged['next'];
  isWhole: boolean;
}

function tallyOf(pages: readonly Paged[]): Tally {
  const tally: Tally = {
    pages: 0,
    rows: 0,
    duplicates: 0,
    columns: new Set(),
    covered: [],
    isWhole: false,
  };
  for (const page of pages) count(tally, page);
  return tally;
}

function count(
  tally: Tally,
  { page, rows, duplicates, columns, window, isLast, next }: Paged,
): void {
  tally.pages = page;
  tally.rows = rows;
  tally.duplicates = duplicates;
  for (const column of columns ?? []) tally.columns.add(column);
  if (isLast && window) tally.covered.push(window);
  delete tally.next;
  if (next) tally.next = next;
  tally.isWhole = next === undefined;
}

async function readOn(
  source: Source,
  began: Began,
  { kept, tally }: { readonly kept: Kept; readonly tally: Tally },
  bench: Bench,
): Promise<void> {
  const { file, shape } = source;
  for await (const page of pagesFrom(source, began.time, { kept, tally }, bench)) {
    const rows = page.rows.map((row) => shape(row));
    const columns = newColumns(rows, tally.columns, file);
    const mark = await kept.add({ rows, names: page.names });
    const paged = pagedEntry(source, page, { tally, columns, kept: mark });
    count(tally, paged);
    // Not awaited, as answers are not: a later entry's sync covers it.
    bench.record(paged).catch(() => undefined);
    if (bench.drain.aborted && !tally.isWhole) throw new InterruptedError();
  }
}

function pagedEntry(
  { address, operation }: Source,
  { rows, duplicates, window, isLast, next }: RowsPage,
  {
    tally,
    columns,
    kept,
  }: Pick<Paged, 'kept'> & {
    readonly tally: Tally;
    readonly columns: readonly string[];
  },
): Paged {
  const reached = oldestIn(rows, operation);
  return {
    kind: 'paged',
    address,
    page: tally.pages + 1,
    rows: tally.rows + rows.length,
    duplicates: tally.duplicates + duplicates,
    ...(window && { window: { from: window.start, to: window.end } }),
    ...(isLast && { isLast }),
    ...(reached !== undefined && { reached }),
    ...(columns.length > 0 && { columns }),
    ...(next && { next }),
    kept,
  };
}

function pagesFrom(
  { address, operation, input, limits }: Source,
  time: Millis,
  { kept, tally }: { readonly kept: Kept; readonly tally: Tally },
  bench: Bench,
): AsyncGenerator<RowsPage> {
  const options = { signal: bench.halt, ...limits, onEvent: tell(address, bench) };
  const reading = { exchange: bench.exchange, options, now: time };
  return rowsOf(operation, untilNow(operation, input, time), reading, {
    ...(tally.next && { from: tally.next }),
    seen: kept.names,
  });
}

/** What is not over yet is read up to now: rows that arrive meanwhile are left to the next export. */
function untilNow(operation: OperationName, input: Fields, time: Millis): Fields {
  const { window } = operationOf(operation);
  const end = window && timeIn(input, window.end);
  const start = window && timeIn(input, window.start);
  if (window === undefined || end === undefined || end <= time) return input;
  return start !== undefined && start > time ? input : { ...input, [window.end]: String(time) };
}

function oldestIn(rows: readonly Fields[], operation: OperationName): Millis | undefined {
  const { window } = operationOf(operation);
  if (window === undefined) return undefined;
  const times = rows.map((row) => timeIn(row, window.time)).filter((time) => time !== undefined);
  return times.length === 0 ? undefined : times.reduce((a, b) => Math.min(a, b));
}

function timeIn(fields: Fields, name: string): Millis | undefined {
  const value = fields[name];
  return typeof value === 'string' && formats.millis.test(value) ? Number(value) : undefined;
}

const columnsMax = 1000; // no answer has 40 fields; more than this is keys made of data

function newColumns(rows: readonly Row[], known: ReadonlySet<string>, file: string): string[] {
  const found = new Set<string>();
  for (const row of rows) {
    for (const column in row) if (!known.has(column)) found.add(column);
  }
  if (known.size + found.size > columnsMax) throw tooManyColumns(file);
  return [...found];
}

function originOf({ operation, input }: Source, began: Began, tally: Tally): Origin {
  const { asked, time } = began;
  const { window } = operationOf(operation);
  const covered = tally.covered
    .map(({ from, to }) => ({ from, to: Math.min(to, time) }))
    .filter(({ from, to }) => from <= to);
  const fields = Object.entries(input).filter(
    ([name]) => name !== window?.start && name !== window?.end,
  );
  return {
    operation,
    input: Object.fromEntries(fields),
    ...(asked && { asked }),
    covered,
    clamps: asked ? clampsOf(asked, covered) : [],
    pages: tally.pages,
    duplicatesDropped: tally.duplicates,
    exchangeTime: time,
    contract: digestOf(operationOf(operation).output.json),
  };
}

function clampsOf(asked: TimeWindow, covered: readonly TimeWindow[]): Clamp[] {
  const [first, last] = [covered[0], covered.at(-1)];
  const clamps: Clamp[] = [];
  if (first && first.from > asked.from) {
    clamps.push({ bound: 'from', asked: asked.from, used: first.from, because: 'not kept' });
  }
  if (last && last.to < asked.to) {
    clamps.push({ bound: 'to', asked: asked.to, used: last.to, because: 'not over' });
  }
  return clamps;
}
