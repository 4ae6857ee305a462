/** The rows of a list response, and where its next page starts. */
import type { Millis } from '../../base/clock.ts';
import { fieldOf } from '../../base/json.ts';
import { AnswerError } from './exchange.ts';
import { listing, type Listing } from './listing.ts';
import type { Page } from './operation.ts';
import type { TimeWindow } from './time-range.ts';
import { operationOf, type OperationName, type AnswerOf } from './operations/index.ts';

/** One row of a list operation. */
export type RowOf<N extends OperationName> = RowIn<AnswerOf<N>>;

type RowIn<O> = O extends readonly (infer R)[]
  ? R
  : O extends { readonly list: readonly (infer R)[] }
    ? R
    : O extends { readonly bills: readonly (infer R)[] }
      ? R
      : O extends { readonly entrustedList: readonly (infer R)[] }
        ? R
        : never;

/** The fields that select one page. */
export type Place = Readonly<Record<string, string>>;

/**
 * `cut`: the page is full and names no next one, so more rows may exist that cannot be read.
 * `unordered`: they exist in the same millisecond, and no order of ids says which.
 */
export type Next = Place | 'end' | 'cut' | 'unordered';

/** The position of a response in a read, as far as it decides where the list continues. */
interface Position {
  readonly place: Place;
  readonly window?: TimeWindow;
  /** The end of a window that was cut at a full page; its presence proves that the exchange fills its pages. */
  readonly againUntil?: Millis;
}

/** The fields that request the first page. */
export function firstPlace(page: Page | undefined): Place {
  return page?.kind === 'number' ? { [page.parameter]: '1' } : {};
}

/** The fields that request the largest page. */
export function sizeOf(page: Page | undefined): Place {
  return page === undefined ? {} : { [page.size.field]: String(page.size.maximum) };
}

/** The position where the page after a response starts. */
export function nextOf(
  page: Page | undefined,
  rows: Listing,
  answer: unknown,
  position: Position,
): Next {
  if (page === undefined || rows.length === 0) return 'end';
  const isFull = rows.length >= page.size.maximum;
  switch (page.kind) {
    case 'cursor': {
      const named = placeAt(page.parameter, fieldOf(answer, 'cursor'));
      const unnamed = isFull ? (afterSmallest(page, rows) ?? 'cut') : 'end';
      return isFull && named && losesRows(page, rows, named, position) ? 'cut' : (named ?? unnamed);
    }
    case 'older-than': {
      if (page.answer === undefined) return afterLast(page, rows, position);
      const named = placeAt(page.parameter, fieldOf(answer, page.answer));
      if (named === undefined) return isFull ? 'cut' : 'end';
      const ids = idsIn(page, rows);
      const isLastId = named[page.parameter] === ids.at(-1);
      return isLastId && !areFalling(ids) ? afterLast(page, rows, position) : named;
    }
    case 'number':
      return { [page.parameter]: String(Number(position.place[page.parameter]) + 1) };
  }
}

/**
 * Orders below the smallest id of a page, if ids decrease from row to row: in any other order, rows
 * with larger ids could follow and would be missed.
 */
function afterSmallest(page: Extract<Page, { kind: 'cursor' }>, rows: Listing): Place | undefined {
  if (page.unnamed === undefined) return undefined;
  const ids = idsIn(page, rows);
  return areFalling(ids) ? placeAt(page.parameter, ids.at(-1)) : undefined;
}

/**
 * Whether a cursor is the smallest id of a page whose ids do not fall: rows with larger ids would be
 * missed. A list without times cannot be read otherwise.
 */
function losesRows(page: Page, rows: Listing, named: Place, { window }: Position): boolean {
  if (window === undefined || window.start === window.end) return false;
  const ids = idsIn(page, rows);
  const [cursor] = Object.values(named);
  return cursor !== ids.at(-1) && cursor === smallest(ids) && !areFalling(ids);
}

/**
 * Rows below the last id of a page are all the others only if ids fall through the whole list, which
 * no page proves. A full page is therefore read again in shorter windows; a page that is not full
 * is the last, once the exchange has filled one. Until then, the rows below its smallest id are
 * requested: the exchange may return short pages.
 */
function afterLast(
  page: Extract<Page, { kind: 'older-than' }>,
  rows: Listing,
  { window, againUntil }: Position,
): Next {
  const ids = idsIn(page, rows);
  const least = smallest(ids);
  // A page of exactly the default size may be full, because the limit was ignored. Unless ids fall, one
  // that is larger may be, too: rows below its smallest id are not all the others.
  const { size } = page;
  const isSorted = least !== undefined && areFalling(ids);
  const isFull =
    rows.length === size.initial || rows.length >= (isSorted ? size.maximum : size.initial);
  if (isFull && window !== undefined && window.start < window.end) return 'cut';
  if (!isFull && againUntil !== undefined) return 'end';
  if (isFull && !(page.fallsById === true && areFalling(ids))) return 'unordered';
  return placeAt(page.parameter, least) ?? 'end';
}

/** Whether the next request only proves that a page with ids in any order was the last. */
export function isProbe(page: Page, rows: Listing, next: Next): boolean {
  if (page.kind !== 'older-than' || typeof next === 'string') return false;
  const ids = idsIn(page, rows);
  return !areFalling(ids) && next[page.parameter] === smallest(ids);
}

/** The ids of the rows as text. */
export function idsIn({ id }: Page, rows: Listing): readonly string[] {
  return rows.column(id[0] ?? '').map(String);
}

/** Whether ids decrease from row to row. */
export function areFalling(ids: readonly string[]): boolean {
  return ids.every((id, at) => at === 0 || isBelow(id, ids[at - 1] ?? ''));
}

/** The smallest id that can be read. */
function smallest(ids: readonly string[]): string | undefined {
  return ids.reduce<string | undefined>(
    (least, id) => (isId(id) && (least === undefined || isBelow(id, least)) ? id : least),
    undefined,
  );
}

function isBelow(id: string, other: string): boolean {
  return isId(id) && isId(other) && BigInt(id) < BigInt(other);
}

function isId(text: string): boolean {
  return /^\d{1,40}$/.test(text);
}

function placeAt(parameter: string, cursor: unknown): Place | undefined {
  if (typeof cursor === 'number') return { [parameter]: String(cursor) };
  return typeof cursor === 'string' && cursor !== '' ? { [parameter]: cursor } : undefined;
}

/** The rows of a response. @throws AnswerError if it has no list */
export function listingIn<N extends OperationName>(
  name: N,
  answer: AnswerOf<N>,
  page: Page | undefined,
): Listing {
  return listing(rowsIn(name, answer, page));
}

function rowsIn<N extends OperationName>(
  name: N,
  answer: AnswerOf<N>,
  page: Page | undefined,
): readonly unknown[] {
  const field = page === undefined ? operationOf(name).rows : page.rows;
  const rows = field === undefined || field === '' ? answer : fieldOf(answer, field);
  if (Array.isArray(rows)) return rows;
  throw new AnswerError(name, 'it holds no list');
}

/** Rows of a response that was validated against the API schema. */
export function typedRows<N extends OperationName>(rows: Listing): readonly RowOf<N>[] {
  const objects: unknown = rows.objects();
  return isRows<N>(objects) ? objects : [];
}

/** Whether a value is a list of rows: lists of the API contain only rows. */
function isRows<N extends OperationName>(value: unknown): value is readonly RowOf<N>[] {
  return Array.isArray(value);
}
