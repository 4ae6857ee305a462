/** How large a value is when it is written out: parts that are used twice count twice. */
import { isPlainMap } from './helpers/define.ts';
import { isList, TooManyError, type Value } from './value.ts';

const partsMax = 1_000_000; // members of all lists and maps; what an exchange answers has fewer
const textPart = 64; // letters of a text that weigh as much as a member

/**
 * Lists of lists that are used twice double with every step, and take no memory until they are written.
 * @throws TooManyError for a value that no one could write down
 */
export function refuseHuge(value: Value): void {
  if (extentOf(value) <= partsMax) return;
  throw new TooManyError(
    `the value would have more than ${partsMax} parts`,
    'select what is needed: pluck, filter, first',
  );
}

/** Values never change, so that each list and map is counted once. */
const known = new WeakMap<object, number>();

/** Parts of a value, as far as counted. */
export function extentOf(value: Value): number {
  if (typeof value === 'string') return 1 + Math.floor(value.length / textPart);
  if (typeof value !== 'object' || value === null) return 1;
  const found = known.get(value);
  if (found !== undefined) return found;
  let extent = 1;
  for (const part of isList(value) ? value : isPlainMap(value) ? Object.values(value) : []) {
    extent += extentOf(part);
    if (extent > partsMax) break;
  }
  known.set(value, extent);
  return extent;
}
