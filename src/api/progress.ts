/** How far a walk through a list is, and whether an answer takes it further. */
import type { Millis } from '../base/clock.ts';
import { DeskhandError, exits } from '../base/error.ts';
import { count } from '../base/text.ts';
import type { Next, Place } from './list-answer.ts';
import type { Listing } from './listing.ts';
import type { OperationName } from './operations/index.ts';
import { RecentRows } from './recent-rows.ts';
import type { TimeWindow } from './windows.ts';

/** Where a walk continues. */
export interface Bookmark {
  /** The window in progress, as it was cut; absent for an operation without times. */
  readonly window?: TimeWindow;
  readonly place: Place;
  /** The page before was not full: nothing may follow it. */
  readonly isEnd?: true;
  /** A window up to here was cut short: its rows came already and come again. */
  readonly againUntil?: Millis;
}

/** A list that does not go forward: its rows cannot be had whole. */
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

const pagesMax = 100_000; // ten million rows at the least; more is a list that never ends
/** How far a walk is, to be checked against the next answer. */
export interface Progress {
  readonly seen: RecentRows;
  cursors: Set<string>;
  pages: number;
  rows: number;
  rowsInWindow: number;
}

export function newProgress(id: readonly string[], known: Iterable<string> = []): Progress {
  const seen = new RecentRows(id);
  const names = [...known];
  // About as they came: pages of a list are in order, but not all of them together.
  for (let at = 0; at < names.length; at += 100) seen.add(names.slice(at, at + 100));
  return { seen, cursors: new Set(), pages: 0, rows: 0, rowsInWindow: 0 };
}

/** Rows not seen before, with what names them. */
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

/** Why an answer leads nowhere; undefined when it goes forward or ends the list. */
export function whyStuck(
  next: Next,
  goesForward: boolean,
  mark: Bookmark,
  { cursors, pages }: Progress,
): string | undefined {
  if (typeof next === 'string') return undefined;
  if (mark.isEnd) return 'a page was not full but others follow';
  if (cursors.has(JSON.stringify(next))) return 'the cursor was repeated';
  if (!goesForward && !comesAgain(mark)) return 'a page had no new rows';
  return pages >= pagesMax ? 'the list does not end' : undefined;
}

function comesAgain({ window, againUntil }: Bookmark): boolean {
  return window !== undefined && againUntil !== undefined && window.start <= againUntil;
}

/** Counts an answer that goes forward. */
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
