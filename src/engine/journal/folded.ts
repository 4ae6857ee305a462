/** Results that are computed from the entries of a run once, until more are appended. */
import type { Entry } from './entry.ts';

/** Keeps the last result for each list of entries. @param fold reads entries, which are only appended to, and never changed */
export function foldedOnce<T>(
  fold: (entries: readonly Entry[]) => T,
): (entries: readonly Entry[]) => T {
  const known = new WeakMap<
    readonly Entry[],
    { readonly length: number; readonly last: Entry | undefined; readonly made: T }
  >();
  return (entries) => {
    const { length } = entries;
    const last = entries.at(-1);
    const before = known.get(entries);
    if (before?.length === length && before.last === last) return before.made;
    const made = fold(entries);
    known.set(entries, { length, last, made });
    return made;
  };
}
