/** What the answer of a list holds: its rows, and where its next page begins. */
import { fieldOf, isJsonRecord, type Json } from '../base/json.ts';
import { AnswerError } from './exchange.ts';
import type { Page } from './operation.ts';
import type { JsonSchema } from './schema.ts';
import { operationOf, type OperationName, type Output } from './operations/index.ts';

/** One row of a list operation. */
export type RowOf<N extends OperationName> = RowIn<Output<N>>;

type RowIn<O> = O extends readonly (infer R)[]
  ? R
  : O extends { readonly list: readonly (infer R)[] }
    ? R
    : O extends { readonly bills: readonly (infer R)[] }
      ? R
      : never;

/** The fields that ask for one page. */
export type Place = Readonly<Record<string, string>>;

/** `cut`: the page is full and names no next one, so there may be more that cannot be had. */
export type Next = Place | 'end' | 'cut';

/** What asks for the first page. */
export function firstPlace(page: Page | undefined): Place {
  return page?.kind === 'number' ? { [page.parameter]: '1' } : {};
}

/** What asks for as many rows as one page may have. */
export function sizeOf(page: Page | undefined): Place {
  return page === undefined ? {} : { [page.size.field]: String(page.size.maximum) };
}

/** Where the page after an answer begins. */
export function nextOf(
  page: Page | undefined,
  rows: readonly unknown[],
  answer: unknown,
  place: Place,
): Next {
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
          ? fieldOf(rows.at(-1), page.id[0] ?? '')
          : fieldOf(answer, page.answer);
      return placeAt(page.parameter, named) ?? (isFull ? 'cut' : 'end');
    }
    case 'number':
      return { [page.parameter]: String(Number(place[page.parameter]) + 1) };
  }
}

/**
 * Orders below the smallest id of a page, where ids fall from row to row: in any other order rows
 * with larger ids could follow, and would be missed.
 */
function afterSmallest(
  page: Extract<Page, { kind: 'cursor' }>,
  rows: readonly unknown[],
): Place | undefined {
  if (page.unnamed === undefined) return undefined;
  const ids = rows.map((row) => String(fieldOf(row, page.id[0] ?? '')));
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

/** The rows of an answer. @throws AnswerError when it holds no list */
export function rowsIn<N extends OperationName>(
  name: N,
  answer: Output<N>,
  page: Page | undefined,
): readonly RowOf<N>[] {
  const field = page === undefined ? operationOf(name).rows : page.rows;
  const rows = field === undefined || field === '' ? answer : fieldOf(answer, field);
  if (isRows<N>(rows)) return rows;
  throw new AnswerError(name, 'it holds no list');
}

/** The answer was checked against the contract, so a list is a list of its rows. */
function isRows<N extends OperationName>(value: unknown): value is readonly RowOf<N>[] {
  return Array.isArray(value);
}

/** The fields of a row by the contract, in its order, each with its schema. */
export function rowFields(name: OperationName): ReadonlyMap<string, JsonSchema> {
  const { output, page, rows } = operationOf(name);
  const field = page?.rows ?? rows;
  const list = field === undefined || field === '' ? output.json : property(output.json, field);
  const row = isSchema(list['items']) ? list['items'] : list;
  const properties = isSchema(row['properties']) ? Object.keys(row['properties']) : [];
  return new Map(properties.map((key) => [key, property(row, key)]));
}

function property(schema: JsonSchema, key: string): JsonSchema {
  const { properties } = schema;
  const found = isSchema(properties) ? properties[key] : undefined;
  return isSchema(found) ? found : {};
}

function isSchema(value: Json | undefined): value is JsonSchema {
  return value !== undefined && isJsonRecord(value);
}
