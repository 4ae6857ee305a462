/** The rows of a list response, and where its next page starts. */
import { fieldOf } from '../base/json.ts';
import { AnswerError } from './exchange.ts';
import { listing, uniformListing, type Listing } from './listing.ts';
import type { Page } from './operation.ts';
import { operationOf, type OperationName, type Output } from './operations/index.ts';
import { uniformIn } from './uniform.ts';

/** One row of a list operation. */
export type RowOf<N extends OperationName> = RowIn<Output<N>>;

type RowIn<O> = O extends readonly (infer R)[]
  ? R
  : O extends { readonly list: readonly (infer R)[] }
    ? R
    : O extends { readonly bills: readonly (infer R)[] }
      ? R
      : never;

/** The fields that select one page. */
export type Place = Readonly<Record<string, string>>;

/** `cut`: the page is full and names no next one, so more rows may exist that cannot be read. */
export type Next = Place | 'end' | 'cut';

/** The fields that request the first page. */
export function firstPlace(page: Page | undefined): Place {
  return page?.kind === 'number' ? { [page.parameter]: '1' } : {};
}

/** The fields that request the largest page. */
export function sizeOf(page: Page | undefined): Place {
  return page === undefined ? {} : { [page.size.field]: String(page.size.maximum) };
}

/** Where the page after a response starts. */
export function nextOf(page: Page | undefined, rows: Listing, answer: unknown, place: Place): Next {
  if (page === undefined || rows.length === 0) return 'end';
  const isFull = rows.length >= page.size.maximum;
  switch (page.kind) {
    case 'cursor': {
      const named = placeAt(page.parameter, fieldOf(answer, 'cursor'));
      const unnamed = isFull ? (afterSmallest(page, rows) ?? 'cut') : 'end';
      return named ?? unnamed;
    }
    case 'older-than': {
      const named =
        page.answer === undefined
          ? rows.column(page.id[0] ?? '').at(-1)
          : fieldOf(answer, page.answer);
      return placeAt(page.parameter, named) ?? (isFull ? 'cut' : 'end');
    }
    case 'number':
      return { [page.parameter]: String(Number(place[page.parameter]) + 1) };
  }
}

/**
 * Orders below the smallest id of a page, if ids decrease from row to row: in any other order, rows
 * with larger ids could follow and would be missed.
 */
function afterSmallest(page: Extract<Page, { kind: 'cursor' }>, rows: Listing): Place | undefined {
  if (page.unnamed === undefined) return undefined;
  const ids = rows.column(page.id[0] ?? '').map(String);
  const isFalling = ids.every((id, at) => at === 0 || isBelow(id, ids[at - 1] ?? ''));
  return isFalling ? placeAt(page.parameter, ids.at(-1)) : undefined;
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

/** The rows of a response, parsed only as far as needed. @throws AnswerError if it has no list */
export function listingIn<N extends OperationName>(
  name: N,
  answer: Output<N>,
  page: Page | undefined,
): Listing {
  const uniform = uniformIn(answer);
  return uniform === undefined ? listing(rowsIn(name, answer, page)) : uniformListing(uniform);
}

function rowsIn<N extends OperationName>(
  name: N,
  answer: Output<N>,
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

/** Lists of the API contain only rows. */
function isRows<N extends OperationName>(value: unknown): value is readonly RowOf<N>[] {
  return Array.isArray(value);
}
