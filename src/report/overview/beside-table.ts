/** Compares the table of listed runs with the names that the folders have, by the hashes in the summaries of its blocks:
 * only a block that has a name that is not there, or that may have one of two names, is read.
 *
 * A run that came and one that went may have the same hash, of 32 bits. Then neither is found until all blocks are
 * read, and the names compared again.
 */
import { nameHash } from '../../engine/journal/block-summary.ts';
import type { ListedTable } from './listed-table.ts';

/** Names that the folders have and the table does not, and the reverse. */
export interface Beside {
  readonly others: readonly string[];
  readonly gone: readonly string[];
}

/** @param present the names of all runs */
export function besideTable(table: ListedTable, present: ReadonlySet<string>): Beside {
  const names = [...present].filter((run) => !table.hasRead(run));
  const hashes = new Uint32Array(names.length);
  for (const [at, run] of names.entries()) hashes[at] = nameHash(run);
  const { only, unclear } = compared(hashes.toSorted(), listedIn(table).sort());
  if (unclear.length > 0) table.read(({ mayHave }) => unclear.some(mayHave));
  const apart = new Set([...only, ...unclear]);
  const others = names.filter((run, at) => apart.has(hashes[at] ?? 0) && !table.hasRead(run));
  const read = Array.from(table.places(), (place) => table.runAt(place));
  return { others, gone: read.filter((run) => !present.has(run)) };
}

/** The hashes of the runs in the blocks that were not read. */
function listedIn({ unread }: ListedTable): Uint32Array {
  const hashes = new Uint32Array(unread.reduce((sum, { rows }) => sum + rows, 0));
  let from = 0;
  for (const summary of unread) {
    hashes.set(summary.hashes(), from);
    from += summary.rows;
  }
  return hashes;
}

interface Compared {
  /** The numbers that only the first list has. */
  readonly only: readonly number[];
  /** The remaining numbers that are not exactly once in each list. */
  readonly unclear: readonly number[];
}

/** Compares two sorted lists. */
function compared(first: Uint32Array, second: Uint32Array): Compared {
  const only: number[] = [];
  const unclear: number[] = [];
  for (let [a, b] = [0, 0]; a < first.length || b < second.length;) {
    const value = Math.min(first[a] ?? Infinity, second[b] ?? Infinity);
    const [fromA, fromB] = [a, b];
    while (first[a] === value) a += 1;
    while (second[b] === value) b += 1;
    if (b === fromB) only.push(value);
    else if (a - fromA !== 1 || b - fromB !== 1) unclear.push(value);
  }
  return { only, unclear };
}
