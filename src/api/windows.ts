/** Splits a time range into windows that an operation accepts, limited to the data the exchange keeps. */
import { day, hour, second, type Millis } from '../base/clock.ts';
import { fieldOf } from '../base/json.ts';
import { spoken } from '../base/text.ts';
import { InputError } from './exchange.ts';
import type { Window } from './operation.ts';
import type { Listing } from './listing.ts';
import { operationOf, type OperationName } from './operations/index.ts';

/** A time range with inclusive bounds. */
export interface TimeWindow {
  readonly start: Millis;
  readonly end: Millis;
}

export interface Windows {
  /** Oldest first, without gaps or overlaps; empty if no times are sent. */
  readonly windows: readonly TimeWindow[];
  /** Set if more was requested than the exchange keeps. */
  readonly clamp?: { readonly asked: Millis; readonly from: Millis };
}

const agentDay = 8 * hour; // days of agent reports start at midnight in UTC+8 (interface, endpoint 4)
const clampMargin = 10 * second; // the look-back advances while the request is in progress
const windowsMax = 1_000; // 82 years of 30 days: a longer range is a typing error

/**
 * The windows that cover the range of an input.
 * @param now the exchange's clock
 * @throws InputError when the times contradict each other or the operation
 */
export function windowsOf(name: OperationName, input: object, now: Millis): Windows {
  const { window } = operationOf(name);
  if (window === undefined || asksForOne(name, input)) return { windows: [] };
  const asked = boundsOf(name, window, input, now);
  if (asked.start > asked.end) throw badTimes(name, 'startTime is after endTime');
  const oldest = keptSince(name, now);
  if (asked.end < oldest) {
    throw badTimes(name, `the exchange keeps only the last ${spoken(window.lookBack ?? 0)}`);
  }
  const from = Math.max(asked.start, oldest);
  if ((asked.end - from) / window.span > windowsMax) {
    throw badTimes(name, `startTime and endTime are more than ${windowsMax} windows apart`);
  }
  const windows = cut({ start: from, end: asked.end }, window.span);
  return from === asked.start ? { windows } : { windows, clamp: { asked: asked.start, from } };
}

/** The earliest time that may be requested; the margin allows for the duration of the request. */
export function keptSince(name: OperationName, now: Millis): Millis {
  const lookBack = operationOf(name).window?.lookBack;
  return lookBack === undefined ? 0 : now - lookBack + clampMargin;
}

/** Whether a time that could be requested before is now outside the look-back. */
export function isOutOfReach(name: OperationName, start: Millis, now: Millis): boolean {
  return start + clampMargin < keptSince(name, now);
}

/**
 * Whether an input selects one object by id and omits the times. Times would hide it, because they
 * limit the response to customers who joined, or loans drawn, in the range.
 */
function asksForOne(name: OperationName, input: object): boolean {
  const id = nameOfOne[name];
  if (id === undefined || fieldOf(input, id) === undefined) return false;
  return timeIn(input, 'startTime') === undefined && timeIn(input, 'endTime') === undefined;
}

const nameOfOne: Partial<Record<OperationName, string>> = {
  'agent/list-customers': 'uid',
  'loan/list-orders': 'orderId',
};

/** Start of the day of a moment, in a zone that is `offset` ahead of UTC. */
export function dayStart(moment: Millis, offset: Millis): Millis {
  return Math.floor((moment + offset) / day) * day - offset;
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
 * @returns undefined at the end of the range
 */
export function windowAfter(
  name: OperationName,
  { start, end: last }: TimeWindow,
  end: Millis,
): TimeWindow | undefined {
  const from = last + 1;
  if (from > end) return undefined;
  const span = Math.min(operationOf(name).window?.span ?? 0, 2 * (last - start) + 1);
  return { start: from, end: Math.min(end, from + span) };
}

/** The older half of a window; undefined for one millisecond. */
export function olderHalf({ start, end }: TimeWindow): TimeWindow | undefined {
  return start === end ? undefined : { start, end: start + Math.floor((end - start) / 2) };
}

function boundsOf(name: OperationName, window: Window, input: object, now: Millis): TimeWindow {
  const start = timeIn(input, window.start);
  const end = timeIn(input, window.end);
  if (start !== undefined && end !== undefined) return { start, end };
  if (start === undefined && end === undefined) return omittedBounds(name, window, now);
  if (window.oneSided === 'refused') {
    throw badTimes(name, 'startTime and endTime must be given together');
  }
  if (start !== undefined) return { start, end: start + window.span };
  const last = end ?? now;
  if (window.oneSided === 'one-span') return { start: last - window.span, end: last };
  const first = now - window.span;
  if (last >= first) return { start: first, end: last };
  throw badTimes(name, `without startTime only the last ${spoken(window.span)} are read`);
}

function omittedBounds(name: OperationName, window: Window, now: Millis): TimeWindow {
  switch (window.omitted) {
    case 'previous-day-utc8': {
      const today = dayStart(now, agentDay);
      return { start: today - day, end: today - 1 };
    }
    case 'last-span':
      return { start: now - window.span, end: now };
    case 'everything-kept':
      return { start: now - (window.lookBack ?? window.span) + clampMargin, end: now };
    case 'refused':
      throw badTimes(name, 'startTime and endTime are required');
  }
}

function timeIn(input: object, field: string): Millis | undefined {
  const value = fieldOf(input, field);
  return typeof value === 'string' && /^\d{1,16}$/.test(value) ? Number(value) : undefined;
}

function badTimes(name: OperationName, message: string): InputError {
  return new InputError(name, [{ path: ['startTime'], keyword: 'range', message }]);
}

/**
 * For each row of a window, whether an earlier window returned it: created there and closed in this
 * one. Empty if windows share no rows.
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
