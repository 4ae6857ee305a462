/** The size and the depth of a value when written out: parts that are used twice count twice. */
import { isPlainMap } from './helpers/define.ts';
import { isList, TooManyError, type Value } from './value.ts';

const partsMax = 1_000_000; // members of all lists and maps; responses of the exchange have fewer
const textPart = 64; // characters of text that count as one member
const depthMax = 24; // so that a plan, which nests a value up to 8 deep, is JSON that `parseJson` reads

/**
 * Nested lists of shared parts double with every step, and take no memory until they are written
 * out.
 * @throws TooManyError for a value that is too large, or too deep, to write out
 */
export function refuseHuge(value: Value): void {
  const extent = extentOf(value);
  if (extent > partsMax) {
    throw new TooManyError(
      `the value would have more than ${partsMax} parts`,
      'select what is needed: pluck, filter, first',
    );
  }
  if (extent > depthMax) refuseDeep(value); // each level is a part
}

/** @throws TooManyError for a value that plans and journals could not hold */
export function refuseDeep(value: Value): void {
  if (!isDeeper(value, depthMax)) return;
  throw new TooManyError(
    `the value would be nested deeper than ${depthMax}`,
    'give less of it: a part by its path, or pluck',
  );
}

function isDeeper(value: Value, levels: number): boolean {
  const parts = isList(value) ? value : isPlainMap(value) ? Object.values(value) : undefined;
  if (parts === undefined) return false;
  return levels === 0 || parts.some((part) => isDeeper(part, levels - 1));
}

/** The known sizes of values. Values are immutable, so each list and map is counted once. */
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
