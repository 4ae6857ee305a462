/** A list in an object: entries are added at its end, and removed from its beginning.
 *
 * Each page is a separate value, so that an entry costs the same beside any number of others.
 */
import type { Invocation } from './object.ts';

const pageSize = 100; // entries

/** Positions of the first stored entry, and after the last one. */
export interface LogEnds {
  readonly from: number;
  readonly to: number;
}

export async function endsOf(invocation: Invocation, log: string): Promise<LogEnds> {
  const to = (await invocation.get<number>(log)) ?? 0;
  return { from: (await invocation.get<number>(fromName(log))) ?? 0, to };
}

export async function addTo(invocation: Invocation, log: string, entry: unknown): Promise<void> {
  const { to } = await endsOf(invocation, log);
  const name = pageName(log, to);
  invocation.set(name, [...((await invocation.get<readonly unknown[]>(name)) ?? []), entry]);
  invocation.set(log, to + 1);
}

/** The entries of a page from a position on; null for an entry that was removed between others. */
export interface LogPage<Entry> {
  readonly entries: readonly (Entry | null)[];
  /** The position after the entries. */
  readonly next: number;
}

export async function pageAt<Entry>(
  invocation: Invocation,
  log: string,
  position: number,
): Promise<LogPage<Entry>> {
  const all = (await invocation.get<readonly (Entry | null)[]>(pageName(log, position))) ?? [];
  const start = position % pageSize;
  return { entries: all.slice(start), next: position - start + pageSize };
}

/** Removes entries from the page of a position: the entries after them keep their positions. */
export async function removeAt<Entry>(
  invocation: Invocation,
  log: string,
  position: number,
  isRemoved: (entry: Entry) => boolean,
): Promise<void> {
  const { entries } = await pageAt<Entry>(invocation, log, position - (position % pageSize));
  const left = entries.map((entry) => (entry === null || isRemoved(entry) ? null : entry));
  invocation.set(pageName(log, position), left);
}

/** Removes the entries before a position. */
export async function dropBefore(
  invocation: Invocation,
  log: string,
  position: number,
): Promise<void> {
  const { from } = await endsOf(invocation, log);
  for (let each = from - (from % pageSize); each + pageSize <= position; each += pageSize) {
    invocation.clear(pageName(log, each));
  }
  if (position > from) invocation.set(fromName(log), position);
}

const fromName = (log: string): string => `${log} from`;
const pageName = (log: string, position: number): string =>
  `${log} ${Math.floor(position / pageSize)}`;
