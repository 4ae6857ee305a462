/** Splits a time range into windows that an operation accepts, limited to the data the exchange keeps. */
import type { Millis } from '../../base/clock.ts';
import type { Listing } from './listing.ts';
import { operationOf, type OperationName } from './operations/index.ts';
import { badTimes, timeRangeOf, type TimeRange, type TimeWindow } from './time-range.ts';

export interface Windows {
  /** Oldest first, without gaps or overlaps; empty if no times are sent. */
  readonly windows: readonly TimeWindow[];
  /** The time range that the windows cover, and the requested one. */
  readonly range?: TimeRange;
}

const windowsMax = 1_000; // 82 years of 30 days: a longer range is a typing error

/**
 * The windows that cover the range of an input.
 * @param now the exchange's clock
 * @throws InputError when the times contradict each other or the operation
 */
export function windowsOf(name: OperationName, input: object, now: Millis): Windows {
  const range = timeRangeOf(name, input, now);
  if (range === undefined) return { windows: [] };
  const { asked, available } = range;
  const span = operationOf(name).window?.span ?? 0;
  if ((asked.end - available.start) / span > windowsMax) {
    throw badTimes(name, `startTime and endTime are more than ${windowsMax} windows apart`);
  }
  return { windows: cut(available, span), range };
}

function cut({ start, end }: TimeWindow, span: Millis): TimeWindow[] {
  const windows: TimeWindow[] = [];
  for (let from = start; from <= end; from += span + 1) {
    windows.push({ start: from, end: Math.min(end, from + span) });
  }
  return windows;
}

/**
 * The window after one that was read. After a window was halved because it had too many rows, later
 * ones grow again in steps.
 * @param end the last requested moment
 * @param growth the factor by which the window may be longer
 * @returns undefined at the end of the range
 */
export function windowAfter(
  name: OperationName,
  { start, end: last }: TimeWindow,
  end: Millis,
  growth: number,
): TimeWindow | undefined {
  const from = last + 1;
  if (from > end) return undefined;
  const longest = Math.max(1, Math.floor(growth * (last - start + 1))) - 1;
  const span = Math.min(operationOf(name).window?.span ?? 0, longest);
  return { start: from, end: Math.min(end, from + span) };
}

/** The older half of a window; undefined for one millisecond. */
export function olderHalf({ start, end }: TimeWindow): TimeWindow | undefined {
  return start === end ? undefined : { start, end: start + Math.floor((end - start) / 2) };
}

/**
 * For each row of a window, whether an earlier window returned it: the row was created in that window
 * and closed in this one. Empty if windows share no rows.
 */
export function givenEarlier(
  walked: { readonly name: OperationName; readonly start: Millis },
  { start }: TimeWindow,
  rows: Listing,
): readonly boolean[] {
  const { window } = operationOf(walked.name);
  if (window?.alsoBy === undefined || start <= walked.start) return [];
  const times = rows.column(window.time).map(Number);
  return times.map((time) => walked.start <= time && time < start);
}
