/** The progress of a list read, and whether a response advances it. */
import type { Millis } from '../base/clock.ts';
import { DeskhandError, exits } from '../base/error.ts';
import { count } from '../base/text.ts';
import type { Next, Place } from './list-answer.ts';
import type { Listing } from './listing.ts';
import type { OperationName } from './operations/index.ts';
import { RecentRows } from './recent-rows.ts';
import type { TimeWindow } from './time-range.ts';

/** Where a walk continues. */
export interface Bookmark {
  /** The current window, as cut; absent for an operation without times. */
  readonly window?: TimeWindow;
  readonly place: Place;
  /** The page before was not full, so it may be the last. */
  readonly isEnd?: true;
  /** The window up to here was cut: its rows were returned and come again. */
  readonly againUntil?: Millis;
}

/** A list read does not advance, so its rows cannot be read completely. */
export class NoProgressError extends DeskhandError {
  constructor(name: OperationName, because: string, counts: Counts) {
    const after = `${count(counts.pages, 'page')} and ${count(counts.rows, 'row')}`;
    super(`${name}: ${because} after ${after}`, {
      code: 'no-progress',
      actor: 'exchange',
      exit: exits.stopped,
      hint: 'the list is not complete and was discarded; try again later',
    });
  }
}

interface Counts {
  pages: number;
  rows: number;
}

const endless = 100_000; // at least ten million rows; a longer list counts as endless
/** The progress of a read, to be compared with the next response. */
export interface Progress {
  readonly seen: RecentRows;
  cursors: Set<string>;
  pages: number;
  rows: number;
  rowsInWindow: number;
  /** Pages; a longer list counts as endless. */
  readonly most: number;
}

export function newProgress(
  id: readonly string[],
  { seen: known = [], pagesMax: most = endless }: { seen?: Iterable<string>; pagesMax?: number },
): Progress {
  const seen = new RecentRows(id);
  const names = [...known];
  // In order of arrival, roughly: each page is sorted, but not all of them together.
  for (let at = 0; at < names.length; at += 100) seen.add(names.slice(at, at + 100));
  return { seen, cursors: new Set(), pages: 0, rows: 0, rowsInWindow: 0, most };
}

/** New rows, with their names. */
export function freshIn(
  rows: Listing,
  seen: RecentRows,
): { readonly rows: Listing; readonly names: readonly string[] } {
  const names = seen.namesOf(rows);
  if (names === undefined) return { rows, names: [] };
  if (seen.areClearlyNew(names)) return { rows, names };
  const fresh = new Map<string, number>();
  for (const [row, name] of names.entries()) {
    if (!seen.has(name) && !fresh.has(name)) fresh.set(name, row);
  }
  if (fresh.size === rows.length) return { rows, names };
  return { rows: rows.only([...fresh.values()]), names: [...fresh.keys()] };
}

/** Why a response does not advance the read; undefined when it does or ends the list. */
export function whyStuck(
  next: Next,
  goesForward: boolean,
  mark: Bookmark,
  { cursors, pages, most }: Progress,
): string | undefined {
  if (typeof next === 'string') return undefined;
  if (mark.isEnd) return 'a page was not full but others follow';
  if (cursors.has(JSON.stringify(next))) return 'the cursor was repeated';
  if (!goesForward && !comesAgain(mark)) return 'a page had no new rows';
  return pages >= most ? 'the list does not end' : undefined;
}

function comesAgain({ window, againUntil }: Bookmark): boolean {
  return window !== undefined && againUntil !== undefined && window.start <= againUntil;
}

/** Counts a response that advances the read. */
export function take(
  fresh: { readonly rows: Listing; readonly names: readonly string[] },
  next: Next,
  progress: Progress,
): void {
  progress.seen.add(fresh.names);
  if (typeof next !== 'string') progress.cursors.add(JSON.stringify(next));
  progress.pages += 1;
  progress.rows += fresh.rows.length;
  progress.rowsInWindow += fresh.rows.length;
}
