/** Walks every window and every page of a list, so that no row is missed and none comes twice. */
import type { Millis } from '../base/clock.ts';
import { DeskhandError, exits } from '../base/error.ts';
import { count } from '../base/text.ts';
import { checkInput } from './check.ts';
import type { CallOptions, Exchange } from './exchange.ts';
import {
  firstPlace,
  nextOf,
  rowsIn,
  sizeOf,
  type Next,
  type Place,
  type RowOf,
} from './list-answer.ts';
import type { Page } from './operation.ts';
import { operationOf, type Input, type OperationName, type Output } from './operations/index.ts';
import { RecentRows } from './recent-rows.ts';
import { keptSince, olderHalf, windowAfter, windowsOf, type TimeWindow } from './windows.ts';

/** Where a walk goes on. */
export interface Bookmark {
  /** The window under way, as it was cut; absent for an operation without times. */
  readonly window?: TimeWindow;
  readonly place: Place;
  /** The page before was not full: nothing may follow it. */
  readonly isEnd?: true;
  /** A window up to here was cut short: its rows came already and come again. */
  readonly againUntil?: Millis;
}

export interface WalkedPage<N extends OperationName = OperationName> {
  /** The window it belongs to, as it was sent; absent for an operation without times. */
  readonly window?: TimeWindow;
  /** From 1, counted through all windows. */
  readonly page: number;
  /** Rows not seen before. */
  readonly rows: readonly RowOf<N>[];
  /** What names each of them; empty where nothing does. */
  readonly names: readonly string[];
  /** Rows that stood on a page before as well and were dropped. */
  readonly duplicates: number;
  /** The list, or its window, ends with this page. */
  readonly isLast: boolean;
  /** Where the walk goes on; absent after the last page. */
  readonly next?: Bookmark;
}

export interface WalkOptions {
  /** The exchange's clock; asked when it is not given. */
  readonly now?: Millis;
  readonly signal?: AbortSignal;
  readonly callOptions?: CallOptions;
  /** Goes on with an earlier walk of the same input and the same `now`. */
  readonly from?: Bookmark;
  /** Names of rows the earlier walk gave out, oldest first; only the newest matter. */
  readonly seen?: Iterable<string>;
}

/** A list that does not go forward: its rows cannot be had whole. */
export class NoProgressError extends DeskhandError {
  constructor(name: OperationName, because: string, counts: Counts) {
    const after = `${count(counts.pages, 'page')} and ${count(counts.rows, 'row')}`;
    super(`${name}: ${because} after ${after}`, {
      code: 'no-progress',
      actor: 'exchange',
      exit: exits.stopped,
      hint: 'the list is not complete; nothing of it was kept. Try again later',
    });
  }
}

interface Counts {
  pages: number;
  rows: number;
}

const pagesMax = 100_000; // ten million rows at the least; more is a list that never ends
const asksMax = 3; // for a page that brings nothing new: a cache may have answered

/**
 * All rows of a list, page by page: windows oldest first, pages as the exchange orders them. The
 * exchange's own cursor is sent back as it came and never computed. A list ends with an empty page
 * or where the exchange names no next one; a short page ends nothing.
 * @throws NoProgressError when a cursor repeats, a page brings nothing new, or a window holds more
 * than the exchange gives out; else as `call` does
 */
export async function* walk<N extends OperationName>(
  exchange: Exchange,
  name: N,
  input: object,
  options: WalkOptions = {},
): AsyncGenerator<WalkedPage<N>> {
  const { page, id } = operationOf(name);
  const now = options.now ?? (await exchange.serverTime(options.signal));
  const { windows } = windowsOf(name, input, now);
  const course = { name, first: firstPlace(page), end: windows.at(-1)?.end ?? 0 };
  const progress = newProgress(page?.id ?? id ?? [], options.seen);
  const [window] = windows;
  let mark: Bookmark | undefined = options.from ?? {
    ...(window && { window }),
    place: course.first,
  };
  while (mark !== undefined) {
    const { window: cut, place }: Bookmark = mark;
    const span = cut && (await stillKept(exchange, name, cut, options.signal));
    if (cut !== undefined && span === undefined) {
      mark = markAfter(course, mark);
      continue;
    }
    const times = span && { startTime: String(span.start), endTime: String(span.end) };
    const request: unknown = { ...input, ...times, ...sizeOf(page), ...place };
    const found = await ask(exchange, { name, request, mark, page }, progress, options);
    const next = markOf(found, mark, course, progress);
    const { rows, names, duplicates } = found;
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

/** What does not change on the way. */
interface Course {
  readonly name: OperationName;
  readonly first: Place;
  /** The last moment asked for. */
  readonly end: Millis;
}

/** How far a walk is, to be held against the next answer. */
interface Progress {
  readonly seen: RecentRows;
  cursors: Set<string>;
  pages: number;
  rows: number;
  rowsInWindow: number;
}

function newProgress(id: readonly string[], known: Iterable<string> = []): Progress {
  const seen = new RecentRows(id);
  for (const name of known) seen.add(name);
  return { seen, cursors: new Set(), pages: 0, rows: 0, rowsInWindow: 0 };
}

interface Found<N extends OperationName> {
  readonly rows: readonly RowOf<N>[];
  readonly names: readonly string[];
  readonly duplicates: number;
  readonly next: Next;
  readonly isShort: boolean;
}

/** One page; asked again when it brings nothing new, for a cache may have answered. */
async function ask<N extends OperationName>(
  exchange: Exchange,
  at: {
    readonly name: N;
    readonly request: unknown;
    readonly mark: Bookmark;
    readonly page: Page | undefined;
  },
  progress: Progress,
  options: WalkOptions,
): Promise<Found<N>> {
  const { name, request, mark, page } = at;
  checkInput(name, request);
  for (let asked = 1; ; asked++) {
    const answer = await callWith(exchange, name, request, options);
    const rows = rowsIn(name, answer, page);
    const next = nextOf(page, rows, answer, mark.place);
    const fresh = freshIn(rows, progress.seen);
    const because = whyStuck(next, fresh.rows, mark, progress);
    if (because === undefined) {
      take(fresh, next, progress);
      const isShort = page !== undefined && rows.length < page.size.maximum;
      return { ...fresh, duplicates: rows.length - fresh.rows.length, next, isShort };
    }
    if (asked >= asksMax) throw new NoProgressError(name, because, progress);
  }
}

function freshIn<R>(
  rows: readonly R[],
  seen: RecentRows,
): { readonly rows: readonly R[]; readonly names: readonly string[] } {
  const fresh: R[] = [];
  const names = new Set<string>();
  for (const row of rows) {
    const name = seen.nameOf(row);
    if (name !== undefined && (seen.has(name) || names.has(name))) continue;
    if (name !== undefined) names.add(name);
    fresh.push(row);
  }
  return { rows: fresh, names: [...names] };
}

/** Why an answer leads nowhere; undefined when it goes forward or ends the list. */
function whyStuck(
  next: Next,
  fresh: readonly unknown[],
  mark: Bookmark,
  { cursors, pages }: Progress,
): string | undefined {
  if (typeof next === 'string') return undefined;
  if (mark.isEnd) return 'a page was not full, and yet more follow it';
  if (cursors.has(JSON.stringify(next))) return 'the cursor came back';
  if (fresh.length === 0 && !comesAgain(mark)) return 'a page brought no new row';
  return pages >= pagesMax ? 'there is no end' : undefined;
}

function comesAgain({ window, againUntil }: Bookmark): boolean {
  return window !== undefined && againUntil !== undefined && window.start <= againUntil;
}

function take(
  fresh: { readonly rows: readonly unknown[]; readonly names: readonly string[] },
  next: Next,
  progress: Progress,
): void {
  for (const name of fresh.names) progress.seen.add(name);
  if (typeof next !== 'string') progress.cursors.add(JSON.stringify(next));
  progress.pages += 1;
  progress.rows += fresh.rows.length;
  progress.rowsInWindow += fresh.rows.length;
}

/** Where to go on: the next page, the window after this one, or the same one in halves. */
function markOf(
  { next, isShort }: Found<OperationName>,
  mark: Bookmark,
  course: Course,
  progress: Progress,
): Bookmark | undefined {
  if (typeof next !== 'string') {
    // Numbered pages are counted out: after a short one there can be no other.
    const isEnd = isShort && 'pageNo' in next;
    const { isEnd: _before, ...same } = mark;
    return { ...same, place: next, ...(isEnd && { isEnd }) };
  }
  const given = progress.rowsInWindow;
  progress.cursors = new Set();
  progress.rowsInWindow = 0;
  if (next === 'end') return markAfter(course, mark);
  const half = mark.window && olderHalf(mark.window);
  if (half === undefined || given > RecentRows.most) {
    throw new NoProgressError(course.name, 'a full page names no next one', progress);
  }
  const againUntil = Math.max(mark.againUntil ?? 0, mark.window?.end ?? 0);
  return { window: half, place: course.first, againUntil };
}

function markAfter({ name, first, end }: Course, mark: Bookmark): Bookmark | undefined {
  const window = mark.window && windowAfter(name, mark.window, end);
  if (window === undefined) return undefined;
  const { againUntil } = mark;
  return { window, place: first, ...(againUntil !== undefined && { againUntil }) };
}

/** The look-back moves on while a long window is read, and its oldest part falls out of reach. */
async function stillKept(
  exchange: Exchange,
  name: OperationName,
  window: TimeWindow,
  signal: AbortSignal | undefined,
): Promise<TimeWindow | undefined> {
  const start = Math.max(window.start, keptSince(name, await exchange.serverTime(signal)));
  return start > window.end ? undefined : { start, end: window.end };
}

async function callWith<N extends OperationName>(
  exchange: Exchange,
  name: N,
  input: Input<N>,
  { signal, callOptions }: WalkOptions,
): Promise<Output<N>> {
  return exchange.call(name, input, { ...callOptions, ...(signal && { signal }) });
}
