/** Reads as one answer: single calls as they are, lists walked over all windows and pages. */
import type { Millis } from '../base/clock.ts';
import type { Json } from '../base/json.ts';
import { checkInput } from '../contract/check.ts';
import type { Exchange } from '../contract/exchange.ts';
import { operationOf, type OperationName } from '../contract/operations/index.ts';
import { walk, type WalkedPage } from '../contract/pages.ts';
import type { CallOptions } from '../contract/exchange.ts';
import { toPlainJson } from './perform.ts';

/** Most rows of one answer that is kept in memory; larger ones belong in `write`. */
const rowsMax = 100_000;

export interface Reading {
  readonly exchange: Exchange;
  readonly options: CallOptions;
  readonly now: Millis;
}

type Fields = { readonly [field: string]: Json };

/** The answer of a read, with the rows of all its pages. @throws as Exchange.call does */
export async function read(
  operation: OperationName,
  input: Fields,
  reading: Reading,
): Promise<Json> {
  checkInput(operation, input);
  if (!isWalked(operation, input)) {
    return toPlainJson(await reading.exchange.call(operation, input, reading.options));
  }
  const rows: Json[] = [];
  for await (const page of pagesOf(operation, input, reading)) {
    rows.push(...page.rows.map(toPlainJson));
    if (rows.length > rowsMax) {
      throw new RangeError(`more than ${rowsMax} rows: use write, which needs no memory for them`);
    }
  }
  return merged(operation, rows);
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

/** An author who names a page or a cursor wants that one answer, not all of them. */
function isWalked(operation: OperationName, input: Fields): boolean {
  const { page, window } = operationOf(operation);
  if (page !== undefined) return !(page.parameter in input);
  return window !== undefined && !('orderId' in input);
}

/** The rows of all pages in the shape of one answer. */
function merged(operation: OperationName, rows: readonly Json[]): Json {
  const { page } = operationOf(operation);
  if (page?.kind === 'cursor' && page.rows) return { [page.rows]: rows, cursor: '' };
  if (page?.kind === 'older-than' && page.rows) return { [page.rows]: rows, endId: '' };
  return rows;
}
