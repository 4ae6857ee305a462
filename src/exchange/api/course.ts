/** The position where a read continues after a response: the next page, the next window, or parts of
 * the same one.
 */
import type { Millis } from '../../base/clock.ts';
import type { Next, Place } from './list-answer.ts';
import type { Listing } from './listing.ts';
import { operationOf, type OperationName } from './operations/index.ts';
import { cannotBeCut, NoProgressError, type Bookmark, type Progress } from './progress.ts';
import { RecentRows } from './recent-rows.ts';
import { olderHalf, windowAfter } from './windows.ts';

/** The parts of a paged request that stay the same from page to page. */
export interface Course<N extends OperationName = OperationName> {
  readonly name: N;
  readonly first: Place;
  /** The first and the last requested moment. */
  readonly start: Millis;
  readonly end: Millis;
}

/** One response of a read. */
export interface Found {
  readonly rows: Listing;
  readonly names: readonly string[];
  readonly duplicates: number;
  readonly next: Next;
  readonly isShort: boolean;
  /** Whether a short page has ids that do not fall: rows on a later page would show that rows are missing. */
  readonly isSuspect: boolean;
}

/** The position where a read continues: the next page, the next window, or the halves of the same one. */
export function markOf(
  found: Found,
  mark: Bookmark,
  course: Course,
  progress: Progress,
): Bookmark | undefined {
  const { next, isShort, isSuspect } = found;
  if (typeof next !== 'string') {
    // Numbered pages are read until one has no new rows: a short one is the last.
    const isEnd = isSuspect || (isShort && 'pageNo' in next);
    const { isEnd: _before, ...same } = mark;
    return { ...same, place: next, ...(isEnd && { isEnd }) };
  }
  const given = progress.rowsInWindow;
  progress.cursors = new Set();
  progress.rowsInWindow = 0;
  if (next === 'end') return markAfter(course, mark, growthAfter(found, course));
  const half = mark.window && olderHalf(mark.window);
  if (half === undefined || given > RecentRows.most) {
    throw new NoProgressError(course.name, cannotBeCut, progress);
  }
  const againUntil = Math.max(mark.againUntil ?? 0, mark.window?.end ?? 0);
  return { window: half, place: course.first, againUntil };
}

/** The next window; undefined after the last. */
export function markAfter(
  { name, first, end }: Course,
  mark: Bookmark,
  growth: number,
): Bookmark | undefined {
  const window = mark.window && windowAfter(name, mark.window, end, growth);
  if (window === undefined) return undefined;
  const { againUntil } = mark;
  return { window, place: first, ...(againUntil !== undefined && { againUntil }) };
}

/**
 * The factor by which the next window may be longer. Where a window is cut at every full page, it is as
 * long as three quarters of a page need: each cut costs a request.
 */
function growthAfter({ rows, duplicates }: Found, { name }: Course): number {
  const { page } = operationOf(name);
  if (page?.kind !== 'older-than' || page.answer !== undefined) return 2;
  const filled = (rows.length + duplicates) / page.size.maximum;
  return Math.min(2, Math.max(0.5, 0.75 / filled));
}
