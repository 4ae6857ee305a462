/** Reads every window and page of a list, so that no row is missing or duplicated. */
import type { Millis } from '../../base/clock.ts';
import { checkInput } from './check.ts';
import { markAfter, markOf, type Course, type Found } from './course.ts';
import { RefusedError, type CallOptions, type Exchange } from './exchange.ts';
import {
  firstPlace,
  idsIn,
  isProbe,
  listingIn,
  nextOf,
  sizeOf,
  typedRows,
  type RowOf,
} from './list-answer.ts';
import type { Listing } from './listing.ts';
import type { Page } from './operation.ts';
import { operationOf, type Input, type OperationName, type AnswerOf } from './operations/index.ts';
import { rowId } from './row-schema.ts';
import {
  freshIn,
  newProgress,
  NoProgressError,
  take,
  whyStuck,
  type Bookmark,
  type Progress,
} from './progress.ts';
import { isOutOfReach, keptSince, type TimeWindow } from './time-range.ts';
import { givenEarlier, windowsOf } from './windows.ts';

export type WalkedPage<N extends OperationName = OperationName> = PageOf<readonly RowOf<N>[]>;

/** A page whose rows are parsed only on demand. */
export type ListedPage = PageOf<Listing>;

interface PageOf<R> {
  /** The window of the page, as sent; absent for an operation without times. */
  readonly window?: TimeWindow;
  /** The number of the page: starts at 1, counted through all windows. */
  readonly page: number;
  /** The rows that were not on earlier pages. */
  readonly rows: R;
  /** The names of the rows; empty if they have none. */
  readonly names: readonly string[];
  /** Rows that were already on an earlier page and were dropped. */
  readonly duplicates: number;
  /** Whether the list, or its window, ends with this page. */
  readonly isLast: boolean;
  /** The position where the read continues; absent after the last page. */
  readonly next?: Bookmark;
}

export interface WalkOptions {
  /** The exchange's clock; requested when absent. */
  readonly now?: Millis;
  readonly signal?: AbortSignal;
  readonly callOptions?: CallOptions;
  /** Continues an earlier read of the same input and the same `now`. */
  readonly from?: Bookmark;
  /** Names of the rows returned earlier, oldest first; only the newest matter. */
  readonly seen?: Iterable<string>;
  readonly pagesMax?: number; // a longer list counts as endless
}

const asksMax = 3; // for a page without new rows: a cache may have answered

/**
 * All rows of a list, page by page: windows oldest first, pages in the exchange's order. The
 * exchange's cursor is sent back unchanged and never computed. A list ends with an empty page or a
 * page without a next one; a short page does not end it.
 * @throws NoProgressError when a cursor repeats, a page has no new rows, or a window has more rows
 * than the exchange returns; else as `call` does
 */
export async function* walk<N extends OperationName>(
  exchange: Exchange,
  name: N,
  input: object,
  options: WalkOptions = {},
): AsyncGenerator<WalkedPage<N>> {
  for await (const page of walkListed(exchange, name, input, options)) {
    yield { ...page, rows: typedRows<N>(page.rows) };
  }
}

/** Walks through the pages of a list, for callers that may not need objects. */
export async function* walkListed<N extends OperationName>(
  exchange: Exchange,
  name: N,
  input: object,
  options: WalkOptions = {},
): AsyncGenerator<ListedPage> {
  const { page } = operationOf(name);
  const now = options.now ?? (await exchange.serverTime(options.signal));
  const { windows } = windowsOf(name, input, now);
  const course: Course<N> = {
    name,
    first: firstPlace(page),
    start: windows[0]?.start ?? 0,
    end: windows.at(-1)?.end ?? 0,
  };
  let reached = course.start;
  const progress = newProgress(rowId(name), options);
  const [window] = windows;
  let mark: Bookmark | undefined = options.from ?? {
    ...(window && { window }),
    place: course.first,
  };
  while (mark !== undefined) {
    const read = await readAt(exchange, { course, input, mark, page }, progress, options);
    if (read === undefined) {
      mark = markAfter(course, mark, 2);
      continue;
    }
    const { span, found }: Reached = read;
    const next = markOf(found, mark, course, progress);
    // The look-back advances while the first window is read, so its oldest rows may be missing.
    if (span && mark.window?.start === course.start) reached = Math.max(reached, span.start);
    const given = { ...course, start: reached };
    const { rows, names, duplicates } = span ? newIn(span, given, found) : found;
    yield {
      ...(span && { window: span }),
      page: progress.pages,
      rows,
      names,
      duplicates,
      isLast: found.next === 'end',
      ...(next && { next }),
    };
    mark = next;
  }
}

/** Omits rows that an earlier window returned by their other time. */
function newIn(span: TimeWindow, course: Course, found: Found): Found {
  const isEarlier = givenEarlier(course, span, found.rows);
  if (!isEarlier.includes(true)) return found;
  const left = [...isEarlier.keys()].filter((row) => !isEarlier[row]);
  return {
    ...found,
    rows: found.rows.only(left),
    names: left.map((row) => found.names[row] ?? ''),
    duplicates: found.duplicates + found.rows.length - left.length,
  };
}

interface Reached {
  /** The part of a window that was requested. */
  readonly span: TimeWindow | undefined;
  readonly found: Found;
}

interface Asking<N extends OperationName> {
  readonly course: Course<N>;
  readonly input: object;
  readonly mark: Bookmark;
  readonly page: Page | undefined;
}

/**
 * The page at a mark; undefined when its window is not kept anymore. A suspended machine learns the
 * current time from the response that refuses it.
 */
async function readAt<N extends OperationName>(
  exchange: Exchange,
  { course, input, mark, page }: Asking<N>,
  progress: Progress,
  options: WalkOptions,
): Promise<Reached | undefined> {
  const { name } = course;
  const { window: cut, place } = mark;
  let refusedAt: Millis = 0;
  for (let asked = 1; ; asked++) {
    const span = cut && (await stillKept(exchange, name, cut, { refusedAt, ...options }));
    if (cut !== undefined && span === undefined) return undefined;
    const times = span && { startTime: String(span.start), endTime: String(span.end) };
    const request: unknown = { ...input, ...times, ...sizeOf(page), ...place };
    try {
      return {
        span,
        found: await ask(exchange, { course, request, mark, page }, progress, options),
      };
    } catch (error) {
      if (!(error instanceof RefusedError) || span === undefined || asked >= asksMax) throw error;
      refusedAt = exchange.latestTime?.() ?? (await exchange.serverTime(options.signal));
      if (!isOutOfReach(name, span.start, refusedAt)) throw error;
    }
  }
}

/** Requests one page; again when it has no new rows, because a cache may have answered. */
async function ask<N extends OperationName>(
  exchange: Exchange,
  at: {
    readonly course: Course<N>;
    readonly request: unknown;
    readonly mark: Bookmark;
    readonly page: Page | undefined;
  },
  progress: Progress,
  options: WalkOptions,
): Promise<Found> {
  const { course, request, mark, page } = at;
  const { name } = course;
  checkInput(name, request);
  for (let asked = 1; ; asked++) {
    const answer = await callWith(exchange, name, request, options);
    const rows = listingIn(name, answer, page);
    const next = nextOf(page, rows, answer, mark);
    // The rows of a window that is cut into parts come again in the parts.
    const isAgain =
      next === 'cut' && mark.window !== undefined && mark.window.start < mark.window.end;
    const fresh = freshIn(isAgain ? rows.only([]) : rows, progress.seen);
    // Whether all orders of a page were created in an earlier window and closed in this one.
    const areKnown =
      mark.window !== undefined &&
      rows.length > 0 &&
      rows.length === givenEarlier(course, mark.window, rows).filter(Boolean).length;
    const ids = (): readonly string[] => (page === undefined ? [] : idsIn(page, rows));
    const goesForward = fresh.rows.length > 0 || areKnown;
    const stuck = whyStuck(next, { goesForward, ids }, mark, progress);
    if (stuck === undefined) {
      take(fresh, next, progress);
      const isShort = page !== undefined && rows.length < page.size.maximum;
      const isSuspect = isShort && isProbe(page, rows, next);
      const duplicates = isAgain ? 0 : rows.length - fresh.rows.length;
      return { ...fresh, duplicates, next, isShort, isSuspect };
    }
    if (asked >= asksMax) throw new NoProgressError(name, stuck, progress);
  }
}

/** The part of a window that is still kept: the look-back advances while a long window is read. */
async function stillKept(
  exchange: Exchange,
  name: OperationName,
  window: TimeWindow,
  { refusedAt, signal }: { readonly refusedAt: Millis; readonly signal?: AbortSignal },
): Promise<TimeWindow | undefined> {
  const now = Math.max(refusedAt, await exchange.serverTime(signal));
  const start = Math.max(window.start, keptSince(name, now));
  return start > window.end ? undefined : { start, end: window.end };
}

async function callWith<N extends OperationName>(
  exchange: Exchange,
  name: N,
  input: Input<N>,
  { signal, callOptions }: WalkOptions,
): Promise<AnswerOf<N>> {
  return exchange.call(name, input, { ...callOptions, ...(signal && { signal }) });
}
