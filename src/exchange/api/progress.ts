/** The progress of a list read, and whether a response advances it. */
import type { Millis } from '../../base/clock.ts';
import { DeskhandError, exits } from '../../base/error.ts';
import { count, listed, plainText } from '../../base/text.ts';
import { areFalling, type Next, type Place } from './list-answer.ts';
import type { Listing } from './listing.ts';
import type { OperationName } from './operations/index.ts';
import { RecentRows } from './recent-rows.ts';
import type { TimeWindow } from './time-range.ts';

/** The position where a walk continues. */
export interface Bookmark {
  /** The current window, as cut; absent for an operation without times. */
  readonly window?: TimeWindow;
  readonly place: Place;
  /** Whether the page before was not full, so that this one may be the last. */
  readonly isEnd?: true;
  /** The window up to here was cut, because it had a full page: its rows come again. */
  readonly againUntil?: Millis;
}

/** A list read does not advance, so its rows cannot be read completely. */
export class NoProgressError extends DeskhandError {
  constructor(name: OperationName, { because, hint }: Stuck, counts: Counts) {
    const after = `${count(counts.pages, 'page')} and ${count(counts.rows, 'row')}`;
    super(`${name}: ${because} after ${after}`, {
      code: 'no-progress',
      actor: 'exchange',
      exit: exits.stopped,
      hint: `the list is not complete and was discarded; ${hint}`,
    });
  }
}

/** The reason why a read does not advance, with a remedy. */
export interface Stuck {
  readonly because: string;
  readonly hint: string;
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
  // The names are roughly in the order of their arrival: each page is sorted, but not all of them together.
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

const narrower = 'repeating it cannot help: read a shorter time range, or select fewer rows';

/**
 * The reason if a window of one millisecond, or a list without times, has more rows than the exchange
 * returns.
 */
export const cannotBeCut: Stuck = { because: 'a full page has no cursor', hint: narrower };

/**
 * Why a response does not advance the read; undefined when it does or ends the list.
 * @param ids the ids of the response's rows
 */
export function whyStuck(
  next: Next,
  { goesForward, ids }: { readonly goesForward: boolean; readonly ids: () => readonly string[] },
  mark: Bookmark,
  { cursors, pages, most }: Progress,
): Stuck | undefined {
  if (next === 'unordered') {
    const because = `a full page of ${ids().length} rows has one time, and its ids (${shown(ids())}) do not select the rows that follow`;
    return { because, hint: narrower };
  }
  if (typeof next === 'string') return undefined;
  if (mark.isEnd && !('pageNo' in next)) {
    const because = `a page was not full but others follow, and ids do not fall (${shown(ids())})`;
    return { because, hint: narrower };
  }
  if (mark.isEnd) {
    const because = 'a page was not full but others follow';
    return { because, hint: 'rows may have been removed during the read: repeat it' };
  }
  if (cursors.has(JSON.stringify(next))) {
    return { because: 'the cursor was repeated', hint: narrower };
  }
  if (!goesForward && !comesAgain(mark)) {
    if (!('pageNo' in next) && !areFalling(ids())) {
      const because = `a page had no new rows, and ids do not fall (${shown(ids())})`;
      return { because, hint: narrower };
    }
    const hint = 'the exchange returned the same rows three times: repeat it in some minutes';
    return { because: 'a page had no new rows', hint };
  }
  return pages >= most ? { because: 'the list does not end', hint: narrower } : undefined;
}

const shown = (ids: readonly string[]): string =>
  `${listed(ids.slice(0, 3).map((id) => plainText(id, 40)))}${ids.length > 3 ? ' …' : ''}`;

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
