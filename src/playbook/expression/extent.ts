/** The size of a value when written out: parts that are used twice count twice. */
import { isPlainMap } from './helpers/define.ts';
import { isList, TooManyError, type Value } from './value.ts';

const partsMax = 1_000_000; // members of all lists and maps; responses of the exchange have fewer
const textPart = 64; // characters of text that count as one member

/**
 * Nested lists of shared parts double with every step, and take no memory until they are written
 * out.
 * @throws TooManyError for a value that is too large to write out
 */
export function refuseHuge(value: Value): void {
  if (extentOf(value) <= partsMax) return;
  throw new TooManyError(
    `the value would have more than ${partsMax} parts`,
    'select what is needed: pluck, filter, first',
  );
}

/** Values are immutable, so each list and map is counted once. */
const known = new WeakMap<object, number>();

/** Size of a value, up to the limit. */
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
