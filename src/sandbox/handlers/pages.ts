/** Pages of a list: the first rows that fit, or a numbered page. */
import { assert } from '../../base/error.ts';
import { operationOf, type OperationName } from '../../exchange/api/operations/index.ts';
import { Refusal } from '../refusal.ts';

/** The first `size` rows of a list; the rest is not created. */
export function take<T>(rows: Iterable<T>, size: number): T[] {
  const taken: T[] = [];
  for (const row of rows) {
    if (taken.length === size) break;
    taken.push(row);
  }
  return taken;
}

/** The page `number` (from 1) of a complete list. */
export function numbered<T>(
  name: OperationName,
  rows: readonly T[],
  { pageNo, pageSize }: { readonly pageNo?: string; readonly pageSize?: string },
): readonly T[] {
  const size = sizeOf(name, pageSize);
  const first = (Number(pageNo ?? '1') - 1) * size;
  return rows.slice(first, first + size);
}

/** A validated page size, or the default. */
export function sizeOf(name: OperationName, given: string | undefined): number {
  const { page } = operationOf(name);
  assert(page !== undefined, `${name} has pages`);
  return given === undefined ? page.size.initial : Number(given);
}

/** A validated cursor. Our cursors are digits; anything else is invalid. */
export function cursorOf(given: string | undefined): string | undefined {
  if (given !== undefined && !/^\d{1,40}$/.test(given)) throw new Refusal('25200', 'cursor');
  return given;
}
