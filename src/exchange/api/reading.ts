/** Reads as one response: single calls, and lists over all windows and pages. */
import type { Millis } from '../../base/clock.ts';
import { DeskhandError, exits } from '../../base/error.ts';
import { plainJson, type Json, type JsonRecord } from '../../base/json.ts';
import { checkInput, inputProblems } from './check.ts';
import { InputError, type CallOptions, type Exchange } from './exchange.ts';
import { operationOf, type OperationName } from './operations/index.ts';
import { listingIn } from './list-answer.ts';
import { listing } from './listing.ts';
import { walkListed, type ListedPage, type WalkOptions } from './pages.ts';
import type { TimeWindow } from './time-range.ts';
import { windowsOf } from './windows.ts';

/** Maximum rows of a response kept in memory; larger ones are written to a file page by page. */
const rowsMax = 100_000;

export interface Reading {
  readonly exchange: Exchange;
  readonly options: CallOptions;
  /** The exchange's clock, for windows and the look-back. */
  readonly now: Millis;
}

export interface WholeAnswer {
  readonly answer: Json;
  readonly calls: number;
  /** Rows of a list; absent for a response that is not a list. */
  readonly rows?: number;
  /** The time range that the rows cover; absent for an operation without times. */
  readonly range?: ReadRange;
}

/** The time range of a completed read; all bounds are included. */
export interface ReadRange {
  readonly from: Millis;
  readonly to: Millis;
  /** The requested range, if it was not available completely. */
  readonly asked?: { readonly from: Millis; readonly to: Millis };
}

/**
 * Checks the input of a read. If all pages are read, endTime may be absent where the interface
 * requires it: the read ends now.
 * @throws InputError with all problems
 */
export function checkRead(operation: OperationName, input: JsonRecord): void {
  const problems = inputProblems(operation, input).filter(
    ({ keyword, path: [field] }) =>
      keyword !== 'required' || typeof field !== 'string' || !isCompleted(operation, input, field),
  );
  if (problems.length > 0) throw new InputError(operation, problems);
}

/** Whether a required field may be absent, because a read of all pages completes it. */
export function isCompleted(operation: OperationName, input: JsonRecord, field: string): boolean {
  const { window } = operationOf(operation);
  if (window === undefined || field !== window.end) return false;
  return window.start in input && isWalked(operation, input);
}

/** The response of a read, with the rows of all its pages. @throws as `Exchange.call` does */
export async function readAll(
  operation: OperationName,
  input: JsonRecord,
  reading: Reading,
): Promise<WholeAnswer> {
  checkRead(operation, input);
  if (!isWalked(operation, input)) {
    checkInput(operation, input);
    const answer = plainJson(await reading.exchange.call(operation, input, reading.options));
    return { answer, calls: 1, ...(Array.isArray(answer) && { rows: answer.length }) };
  }
  const rows: Json[] = [];
  let calls = 0;
  let first: TimeWindow | undefined;
  for await (const page of pagesOf(operation, input, reading)) {
    calls += 1;
    first ??= page.window;
    for (const row of page.rows.objects()) rows.push(plainJson(row));
    if (rows.length > rowsMax) throw new TooManyRowsError(operation);
  }
  const range = rangeRead(operation, input, reading.now, first);
  return { answer: merged(operation, rows), calls, rows: rows.length, ...(range && { range }) };
}

/** @param first the first window, as sent: the look-back advances during a read */
function rangeRead(
  operation: OperationName,
  input: JsonRecord,
  now: Millis,
  first: TimeWindow | undefined,
): ReadRange | undefined {
  const { range } = windowsOf(operation, input, now);
  if (range === undefined) return undefined;
  const { asked, available } = range;
  const [from, to] = [first?.start ?? available.start, available.end];
  const { window } = operationOf(operation);
  const isFromStart = from <= asked.start || (window !== undefined && !(window.start in input));
  const isWhole = isFromStart && to === asked.end;
  return {
    from,
    to,
    ...(!isWhole && { asked: { from: isFromStart ? from : asked.start, to: asked.end } }),
  };
}

/**
 * All pages of a read; a response that is not a list is one row.
 * @param goOn where an earlier read of the same input and time ended
 */
export async function* rowsOf(
  operation: OperationName,
  input: JsonRecord,
  reading: Reading,
  goOn: Pick<WalkOptions, 'from' | 'seen'> = {},
): AsyncGenerator<ListedPage> {
  if (isWalked(operation, input)) {
    yield* pagesOf(operation, input, reading, goOn);
    return;
  }
  checkInput(operation, input);
  const answer = await reading.exchange.call(operation, input, reading.options);
  const { page, rows: field } = operationOf(operation);
  const isList = (page ?? field) !== undefined;
  const rows = isList ? listingIn(operation, answer, page) : listing([answer]);
  yield { page: 1, rows, names: [], duplicates: 0, isLast: true };
}

/** The pages of a list. */
function pagesOf(
  operation: OperationName,
  input: JsonRecord,
  { exchange, options, now }: Reading,
  goOn: Pick<WalkOptions, 'from' | 'seen'> = {},
): AsyncGenerator<ListedPage> {
  checkRead(operation, input);
  return walkListed(exchange, operation, input, {
    ...goOn,
    now,
    callOptions: options,
    ...(options.signal && { signal: options.signal }),
  });
}

/** Whether all pages are read. An input with a page or cursor requests a single response. */
export function isWalked(operation: OperationName, input: JsonRecord): boolean {
  const { page, window } = operationOf(operation);
  if (page !== undefined) return !(page.parameter in input);
  return window !== undefined && !('orderId' in input);
}

/** The response does not fit in memory. */
class TooManyRowsError extends DeskhandError {
  constructor(operation: OperationName) {
    super(`${operation} has more than ${rowsMax} rows`, {
      code: 'too-many-rows',
      actor: 'author',
      exit: exits.stopped,
      hint: 'use write: it streams rows to a file',
    });
  }
}

/** The rows of all pages in the shape of one response. */
function merged(operation: OperationName, rows: readonly Json[]): Json {
  const { page } = operationOf(operation);
  if (page?.kind === 'cursor' && page.rows) return { [page.rows]: rows, cursor: '' };
  if (page?.kind === 'older-than' && page.rows) return { [page.rows]: rows, endId: '' };
  return rows;
}
