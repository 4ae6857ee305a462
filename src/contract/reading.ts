/** Reads as one answer: single calls as they are, lists walked over all windows and pages. */
import type { Millis } from '../base/clock.ts';
import { DeskhandError, exits } from '../base/error.ts';
import { plainJson, type Json } from '../base/json.ts';
import { checkInput } from './check.ts';
import type { CallOptions, Exchange } from './exchange.ts';
import { operationOf, type OperationName } from './operations/index.ts';
import { walk, type WalkedPage } from './pages.ts';

/** Most rows of one answer that is kept in memory; larger ones go to a file page by page. */
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
  /** Rows of a list; absent for an answer that is none. */
  readonly rows?: number;
}

type Fields = { readonly [field: string]: Json };

/** The answer of a read, with the rows of all its pages. @throws as `Exchange.call` does */
export async function readAll(
  operation: OperationName,
  input: Fields,
  reading: Reading,
): Promise<WholeAnswer> {
  checkInput(operation, input);
  if (!isWalked(operation, input)) {
    const answer = plainJson(await reading.exchange.call(operation, input, reading.options));
    return { answer, calls: 1, ...(Array.isArray(answer) && { rows: answer.length }) };
  }
  const rows: Json[] = [];
  let calls = 0;
  for await (const page of pagesOf(operation, input, reading)) {
    calls += 1;
    for (const row of page.rows) rows.push(plainJson(row));
    if (rows.length > rowsMax) throw new TooManyRowsError(operation);
  }
  return { answer: merged(operation, rows), calls, rows: rows.length };
}

/** The pages of a list. */
export function pagesOf(
  operation: OperationName,
  input: Fields,
  { exchange, options, now }: Reading,
): AsyncGenerator<WalkedPage> {
  checkInput(operation, input);
  return walk(exchange, operation, input, {
    now,
    callOptions: options,
    ...(options.signal && { signal: options.signal }),
  });
}

/** Whether a read is walked. An author who names a page or cursor wants that one answer. */
export function isWalked(operation: OperationName, input: Fields): boolean {
  const { page, window } = operationOf(operation);
  if (page !== undefined) return !(page.parameter in input);
  return window !== undefined && !('orderId' in input);
}

/** An answer that does not fit in memory. */
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

/** The rows of all pages in the shape of one answer. */
function merged(operation: OperationName, rows: readonly Json[]): Json {
  const { page } = operationOf(operation);
  if (page?.kind === 'cursor' && page.rows) return { [page.rows]: rows, cursor: '' };
  if (page?.kind === 'older-than' && page.rows) return { [page.rows]: rows, endId: '' };
  return rows;
}
