/** The rows of an export, stored as they arrive: a crashed run continues at its last checkpoint. */
import type { Millis } from '../../../base/clock.ts';
import type { CallEvent } from '../../../exchange/api/exchange.ts';
import { operationOf, type OperationName } from '../../../exchange/api/operations/index.ts';
import type { Bookmark } from '../../../exchange/api/progress.ts';
import type { Listing } from '../../../exchange/api/listing.ts';
import type { ListedPage } from '../../../exchange/api/pages.ts';
import { rowsOf } from '../../../exchange/api/reading.ts';
import { formats } from '../../../exchange/api/vocabulary.ts';
import { windowsOf } from '../../../exchange/api/windows.ts';
import { realDisk } from '../../export/disk.ts';
import { tooManyColumns } from '../../export/intake.ts';
import { openKept, removeKept, type Kept, type KeptPlace } from '../../export/kept.ts';
import type { Origin, Written } from '../../export/manifest.ts';
import type { Overwrite, TargetPlace } from '../../export/overwrite.ts';
import type { Row } from '../../../exchange/api/listing.ts';
import { openTarget, type Target } from '../../export/target.ts';
import type { TargetLock } from '../../export/target-lock.ts';
import type { Entry } from '../../journal/entry.ts';
import type { Reading } from '../../journal/replay.ts';
import { InterruptedError } from '../../interpreter/durable.ts';
import type { CallLimits } from '../../interpreter/jobs.ts';
import type { EffectContext } from '../effect-context.ts';
import { answersOf } from './answers.ts';
import { inPlace, tokenOf } from './in-place.ts';
import { originOf } from './origin.ts';
import { count, totalsOf, type Paged, type Section, type ExportTotals } from './totals.ts';

export interface Source {
  readonly address: string;
  readonly operation: OperationName;
  readonly input: Row;
  readonly file: string;
  /** Which files may be replaced; absent for continued files, which are checked once they are known. */
  readonly overwrite?: Overwrite;
  /** Finds where the files of earlier runs end, by the exchange's clock. */
  readonly since?: (folder: string, time: Millis) => Promise<Since>;
  readonly limits: CallLimits;
  /** Columns that the file has whatever its rows have, in order. */
  readonly fields: readonly string[];
  /** Rows in the form of the file. @throws EvaluationError before any is stored */
  readonly shape: (rows: Listing) => Listing;
  /** The stored form of rows, for the columns known until then. */
  readonly keep: (rows: Listing, columns: readonly string[]) => string | Uint8Array;
}

/** Where a read continues, recorded when it begins. */
export type Since = NonNullable<EntryOf<'reading'>['since']>;

export interface Gathered {
  /** Where the read continues; absent for a file that is written as a whole. */
  readonly since?: Since;
  /** The folder of the file, valid while the rows are used. */
  readonly folder: string;

  /** The stored rows between two offsets; may be read repeatedly. A chunk is valid until the next is requested. */
  readonly bytes: (from?: number, to?: number) => AsyncIterable<Uint8Array>;
  readonly lines: () => AsyncIterable<string>;
  /** Offsets at which columns were added. */
  readonly sections: readonly Section[];
  /** The number of stored rows. */
  readonly count: number;
  /** Every field of the rows, in order of appearance. */
  readonly columns: readonly string[];
  readonly origin: Origin;
  /** Number of rows of the export being replaced. */
  readonly replaces?: number;
  /** Part of the names of temporary files of this export. */
  readonly token: string;
  /** @throws ExportError when the file may no longer be replaced */
  readonly mayPublish: (made: Written) => Promise<void>;
}

type EntryOf<K extends Entry['kind']> = Extract<Entry, { readonly kind: K }>;

/**
 * Reads all pages, or the missing ones, and returns the rows; they stay on the disk until the end
 * is recorded, in case anything fails.
 */
export async function gathered<T>(
  asking: Source,
  context: EffectContext,
  use: (gathered: Gathered) => Promise<T>,
): Promise<T> {
  const { disk = realDisk } = context;
  const earlier = context.before.reading;
  return inPlace(asking, earlier !== undefined, context, async ({ target, lock, spot }) => {
    const began = earlier?.began ?? (await begin(asking, { target, spot }, context));
    const { since } = began;
    const source = { ...asking, input: { ...asking.input, ...(since && startOf(asking, since)) } };
    const token = tokenOf(source, context);
    const place: KeptPlace = { ...target, token };
    const kept = await openKept(disk, place, earlier?.marks.map((mark) => mark.kept) ?? []);
    try {
      if (earlier !== undefined) await forgetLost(earlier, kept.proven, context);
      const tally = totalsOf(earlier?.marks.slice(0, kept.proven) ?? []);
      if (!tally.isWhole) await readOn(source, began, { kept, tally, lock }, context);
      const { replaces } = began;
      return await use({
        ...(since && { since }),
        folder: target.folder,
        bytes: (from, to) => kept.bytes(from, to),
        lines: () => kept.lines(),
        sections: tally.sections,
        count: tally.rows,
        columns: tally.columns.size > 0 ? [...tally.columns] : source.fields,
        origin: originOf(asking, began, tally),
        ...(replaces !== undefined && { replaces }),
        token,
        mayPublish: async (made) => {
          lock.refuseLost();
          await spot.refuseOther(made);
        },
      });
    } finally {
      await kept.close();
    }
  });
}

/** Records again which checkpoint is intact, so that later checkpoints are not used. */
async function forgetLost(
  { began, marks }: Reading,
  proven: number,
  context: EffectContext,
): Promise<void> {
  if (proven === marks.length) return;
  const { seq: _seq, at: _at, ...event } = marks[proven - 1] ?? began;
  await context.record(event);
}

/** Removes the stored rows of an export that was done before its process crashed. */
export async function forgetGathered(
  source: Pick<Source, 'address' | 'file'>,
  context: EffectContext,
): Promise<void> {
  const { disk = realDisk, workspace } = context;
  const target = await openTarget(workspace, source.file);
  try {
    await removeKept(disk, { ...target, token: tokenOf(source, context) });
  } finally {
    await target.close();
  }
}

/** The start of a read that continues, as a field of its input. */
function startOf({ operation }: Source, { start }: Since): Row {
  const { window } = operationOf(operation);
  return window === undefined ? {} : { [window.start]: String(start) };
}

async function begin(
  source: Source,
  { target, spot: { replaces } }: { readonly target: Target; readonly spot: TargetPlace },
  context: EffectContext,
): Promise<Began> {
  const { address, operation, input, file } = source;
  const time = await context.exchange.serverTime(context.halt);
  const since = await source.since?.(target.folder, time);
  const { range } = windowsOf(operation, { ...input, ...(since && startOf(source, since)) }, time);
  const began = {
    kind: 'reading' as const,
    address,
    operation,
    file,
    time,
    ...(range && { asked: { from: range.asked.start, to: range.asked.end } }),
    ...(replaces !== undefined && { replaces }),
    ...(since && { since }),
  };
  await context.record(began);
  return began;
}

type Began = Omit<EntryOf<'reading'>, 'seq' | 'at'>;

const markEvery: Millis = 250; // at most this much reading is repeated after a crash

/** Reads the missing rows, and records checkpoints regularly and at every change. */
async function readOn(
  source: Source,
  began: Began,
  {
    kept,
    tally,
    lock,
  }: { readonly kept: Kept; readonly tally: ExportTotals; readonly lock: TargetLock },
  context: EffectContext,
): Promise<void> {
  const { address, operation, file, fields, shape, keep } = source;
  const { clock, drain } = context;
  const answers = answersOf(address, operation, context);
  const counts = { page: tally.pages, rows: tally.rows, duplicates: tally.duplicates };
  let last: ListedPage | undefined; // since the last checkpoint
  let markedAt = clock.monotonic();
  const mark = async (columns: readonly string[]): Promise<void> => {
    if (last === undefined) return;
    lock.touch();
    const place = placeOf(last, operation);
    const found = { ...counts, ...place, ...(columns.length > 0 && { columns }) };
    const paged = { kind: 'paged' as const, address, ...found, kept: await kept.mark() };
    last = undefined;
    markedAt = clock.monotonic();
    count(tally, paged);
    answers.recordAll();
    // The entry is not awaited, as responses are not: the sync of a later entry covers it.
    context.record(paged).catch(() => undefined);
  };
  const reading = { time: began.time, seen: kept.names, onEvent: answers.onEvent };
  for await (const page of pagesFrom(source, reading, tally.next, context)) {
    const rows = shape(page.rows);
    const initial = tally.columns.size === 0 ? fields : [];
    const known = new Set([...tally.columns, ...initial]);
    const columns = [...initial, ...newColumns(rows, known, file)];
    const isWider = columns.length > 0;
    if (isWider) await mark([]); // earlier rows do not have the new columns
    await kept.add(keep(rows, [...tally.columns, ...columns]), page.names);
    counts.page += 1;
    counts.rows += rows.length;
    counts.duplicates += page.duplicates;
    last = page;
    const isDue = clock.monotonic() - markedAt >= markEvery || drain.aborted;
    if (isWider || page.isLast || page.next === undefined || isDue) await mark(columns);
    if (drain.aborted && !tally.isWhole) throw new InterruptedError();
  }
}

/** The position of a page and of the next one. */
type PagePosition = Pick<Paged, 'window' | 'isLast' | 'reached' | 'next'>;

function placeOf(
  { rows, window, isLast, next }: ListedPage,
  operation: OperationName,
): PagePosition {
  const reached = oldestIn(rows, operation);
  return {
    ...(window && { window: { from: window.start, to: window.end } }),
    ...(isLast && { isLast }),
    ...(reached !== undefined && { reached }),
    ...(next && { next }),
  };
}

function pagesFrom(
  { operation, input, limits }: Source,
  {
    time,
    seen,
    onEvent,
  }: {
    readonly time: Millis;
    readonly seen: readonly string[];
    readonly onEvent: (event: CallEvent) => void;
  },
  from: Bookmark | undefined,
  context: EffectContext,
): AsyncGenerator<ListedPage> {
  const options = { signal: context.halt, ...limits, onEvent };
  const reading = { exchange: context.exchange, options, now: time };
  return rowsOf(operation, input, reading, { ...(from && { from }), seen });
}

function oldestIn(rows: Listing, operation: OperationName): Millis | undefined {
  const { window } = operationOf(operation);
  if (window === undefined) return undefined;
  const times = rows
    .column(window.time)
    .map(timeOf)
    .filter((time) => time !== undefined);
  return times.length === 0 ? undefined : times.reduce((a, b) => Math.min(a, b));
}

function timeOf(value: unknown): Millis | undefined {
  return typeof value === 'string' && formats.millis.test(value) ? Number(value) : undefined;
}

const columnsMax = 1000; // no response has 40 fields; more than this is keys made of data

function newColumns(rows: Listing, known: ReadonlySet<string>, file: string): string[] {
  const inOrder = [...known];
  const found = new Set<string>();
  for (const row of rows.objects()) {
    let at = 0;
    // Nearly always it is the expected column, so no lookup is needed.
    for (const column in row) if (column !== inOrder[at++] && !known.has(column)) found.add(column);
  }
  if (known.size + found.size > columnsMax) throw tooManyColumns(file);
  return [...found];
}
