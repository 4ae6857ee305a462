/** Walks every window and every page of a list, so that no row is missed and none comes twice. */
import type { Millis } from '../base/clock.ts';
import { DeskhandError, exits } from '../base/error.ts';
import { fieldOf } from '../base/json.ts';
import { checkInput } from './check.ts';
import type { CallOptions, Exchange } from './exchange.ts';
import type { Page } from './operation.ts';
import { operationOf, type Input, type OperationName, type Output } from './operations/index.ts';
import { keptSince, windowsOf, type TimeWindow } from './windows.ts';

/** One row of a list operation. */
export type RowOf<N extends OperationName> = RowIn<Output<N>>;

type RowIn<O> = O extends readonly (infer R)[]
  ? R
  : O extends { readonly list: readonly (infer R)[] }
    ? R
    : O extends { readonly bills: readonly (infer R)[] }
      ? R
      : never;

export interface WalkedPage<N extends OperationName = OperationName> {
  /** The window it belongs to; absent for an operation without times. */
  readonly window?: TimeWindow;
  /** From 1, counted through all windows. */
  readonly page: number;
  /** Rows not seen before. */
  readonly rows: readonly RowOf<N>[];
  /** Rows that stood on the page before as well and were dropped. */
  readonly duplicates: number;
}

export interface WalkOptions {
  /** The exchange's clock; asked when it is not given. */
  readonly now?: Millis;
  readonly signal?: AbortSignal;
  readonly callOptions?: CallOptions;
}

/** A list that does not go forward: its rows cannot be had whole. */
export class NoProgressError extends DeskhandError {
  constructor(name: OperationName, because: string, counts: { pages: number; rows: number }) {
    super(`${name}: ${because} after ${counts.pages} pages and ${counts.rows} rows`, {
      code: 'no-progress',
      actor: 'exchange',
      exit: exits.stopped,
      hint: 'the list is not complete; nothing of it was kept. Try again later',
    });
  }
}

const pagesMax = 100_000; // ten million rows at the least; more is a list that never ends

/**
 * All rows of a list, page by page: windows oldest first, pages as the exchange orders them. The
 * exchange's own cursor is sent back as it came and never computed.
 * @throws NoProgressError when a cursor repeats or a page brings nothing new; else as `call` does
 */
export async function* walk<N extends OperationName>(
  exchange: Exchange,
  name: N,
  input: object,
  options: WalkOptions = {},
): AsyncGenerator<WalkedPage<N>> {
  const { page } = operationOf(name);
  const now = options.now ?? (await exchange.serverTime(options.signal));
  const seen = new RecentRows(page?.id ?? []);
  const counts = { pages: 0, rows: 0 };
  const { windows } = windowsOf(name, input, now);
  for (const window of windows.length === 0 ? [undefined] : windows) {
    const cursors = new Set<string>();
    for (let place = firstPlace(page); place !== undefined;) {
      const span = window && (await stillKept(exchange, name, window, options.signal));
      if (window !== undefined && span === undefined) break;
      const times = span && { startTime: String(span.start), endTime: String(span.end) };
      const request: unknown = { ...input, ...times, ...sizeOf(page), ...place };
      checkInput(name, request);
      const answer = await callWith(exchange, name, request, options);
      const rows = rowsIn(name, answer, page);
      const fresh = rows.filter((row) => seen.isNew(row));
      counts.pages += 1;
      counts.rows += fresh.length;
      const next = page && nextPlace(page, rows, answer, place);
      if (next === undefined) requireEnd(name, { page, rows, counts });
      else requireProgress(name, { next, fresh, rows, cursors, counts });
      yield {
        ...(span && { window: span }),
        page: counts.pages,
        rows: fresh,
        duplicates: rows.length - fresh.length,
      };
      place = next;
    }
  }
}

type Place = Readonly<Record<string, string>>;

/** The look-back moves on while a long window is read, and its oldest part falls out of reach. */
async function stillKept(
  exchange: Exchange,
  name: OperationName,
  window: TimeWindow,
  signal: AbortSignal | undefined,
): Promise<TimeWindow | undefined> {
  const start = Math.max(window.start, keptSince(name, await exchange.serverTime(signal)));
  return start > window.end ? undefined : { start, end: window.end };
}

function firstPlace(page: Page | undefined): Place | undefined {
  return page?.kind === 'number' ? { [page.parameter]: '1' } : {};
}

function sizeOf(page: Page | undefined): Place {
  return page === undefined ? {} : { [page.size.field]: String(page.size.maximum) };
}

async function callWith<N extends OperationName>(
  exchange: Exchange,
  name: N,
  input: Input<N>,
  { signal, callOptions }: WalkOptions,
): Promise<Output<N>> {
  return exchange.call(name, input, { ...callOptions, ...(signal && { signal }) });
}

/**
 * Where the next page begins; undefined at the end. A short page is the end, except where the
 * exchange hands out a cursor: that is followed until it is empty or the page is.
 */
function nextPlace(
  page: Page,
  rows: readonly unknown[],
  answer: unknown,
  place: Place,
): Place | undefined {
  if (rows.length === 0) return undefined;
  const isShort = rows.length < page.size.maximum;
  switch (page.kind) {
    case 'cursor':
      return placeAt(page.parameter, fieldOf(answer, 'cursor'));
    case 'older-than':
      if (page.answer !== undefined) return placeAt(page.parameter, fieldOf(answer, page.answer));
      return isShort ? undefined : placeAt(page.parameter, fieldOf(rows.at(-1), page.id[0] ?? ''));
    case 'number':
      return isShort ? undefined : placeAt(page.parameter, Number(place[page.parameter]) + 1);
  }
}

function placeAt(parameter: string, cursor: unknown): Place | undefined {
  if (typeof cursor === 'number') return { [parameter]: String(cursor) };
  return typeof cursor === 'string' && cursor !== '' ? { [parameter]: cursor } : undefined;
}

/**
 * An answer that should name where the next page begins, and does not though its page is full,
 * may have been cut: such a list is not believed to be whole.
 */
function requireEnd(
  name: OperationName,
  at: {
    readonly page: Page | undefined;
    readonly rows: readonly unknown[];
    readonly counts: { pages: number; rows: number };
  },
): void {
  if (at.page?.kind !== 'older-than' || at.page.answer === undefined) return;
  if (at.rows.length < at.page.size.maximum) return;
  throw new NoProgressError(name, `a full page names no ${at.page.answer}`, at.counts);
}

function requireProgress(
  name: OperationName,
  at: {
    readonly next: Place;
    readonly fresh: readonly unknown[];
    readonly rows: readonly unknown[];
    readonly cursors: Set<string>;
    readonly counts: { pages: number; rows: number };
  },
): void {
  const cursor = JSON.stringify(at.next);
  if (at.cursors.has(cursor)) throw new NoProgressError(name, 'the cursor came back', at.counts);
  at.cursors.add(cursor);
  if (at.fresh.length === 0) {
    throw new NoProgressError(name, 'a page brought no new row', at.counts);
  }
  if (at.counts.pages >= pagesMax) throw new NoProgressError(name, 'no end', at.counts);
}

/** The rows of an answer. */
function rowsIn<N extends OperationName>(
  name: N,
  answer: Output<N>,
  page: Page | undefined,
): readonly RowOf<N>[] {
  const rows = page?.rows === undefined ? answer : fieldOf(answer, page.rows);
  if (isRows<N>(rows)) return rows;
  throw new NoProgressError(name, 'the answer is no list', { pages: 0, rows: 0 });
}

/** The answer was checked against the contract, so a list is a list of its rows. */
function isRows<N extends OperationName>(value: unknown): value is readonly RowOf<N>[] {
  return Array.isArray(value);
}

const remembered = 20_000; // rows; repeated ones stand on the next page, never further off

/** Remembers the newest rows by what names them, in bounded memory. */
class RecentRows {
  readonly #fields: readonly string[];
  readonly #seen = new Set<string>();

  constructor(fields: readonly string[]) {
    this.#fields = fields;
  }

  isNew(row: unknown): boolean {
    if (this.#fields.length === 0) return true;
    const name = JSON.stringify(this.#fields.map((field) => fieldOf(row, field)));
    if (this.#seen.has(name)) return false;
    this.#seen.add(name);
    if (this.#seen.size > remembered) {
      const [oldest] = this.#seen;
      if (oldest !== undefined) this.#seen.delete(oldest);
    }
    return true;
  }
}
