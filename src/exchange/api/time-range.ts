/** The time range of a read of all pages: the same for exports, steps, tables and `call --page all`. */
import { day, hour, minute, second, type Millis } from '../../base/clock.ts';
import { fieldOf } from '../../base/json.ts';
import { spoken } from '../../base/text.ts';
import { InputError } from './exchange.ts';
import type { Window } from './operation.ts';
import { operationOf, type OperationName } from './operations/index.ts';

/** A time range with inclusive bounds. */
export interface TimeWindow {
  readonly start: Millis;
  readonly end: Millis;
}

export interface TimeRange {
  /** The range that the input asks for; a missing bound is completed. */
  readonly asked: TimeWindow;
  /** The part of the asked range that the exchange keeps and that is over. */
  readonly available: TimeWindow;
}

const agentDay = 8 * hour; // days of agent reports start at midnight in UTC+8 (interface, endpoint 4)
const clampMargin = 10 * second; // the look-back advances while the request is in progress
const firstData: Millis = 100_000_000_000; // 1973: no data is older, and an earlier time looks like one in seconds
const clocksApart = minute; // a start that was computed by another clock may be ahead of the exchange's

/**
 * The range of an input: from startTime, or the oldest data kept, to endTime, or now. Both bounds
 * are included, and both are always sent.
 * @param now the exchange's clock
 * @returns undefined for an operation without times, for a request that selects one object by id, and for
 * one without times that returns everything
 * @throws InputError when the times contradict each other or the operation
 */
export function timeRangeOf(
  name: OperationName,
  input: object,
  now: Millis,
): TimeRange | undefined {
  const { window } = operationOf(name);
  if (window === undefined || asksForOne(name, input)) return undefined;
  if (isWholeWithoutTimes(window) && !hasTimes(input)) return undefined;
  const asked = boundsOf(name, window, input, now);
  if (asked.start > asked.end) throw badTimes(name, 'startTime is after endTime');
  if (asked.start > now + clocksApart) throw badTimes(name, 'startTime is in the future');
  const oldest = keptSince(name, now);
  if (asked.end < oldest) {
    const { lookBack } = window;
    const kept = lookBack === undefined ? 'data since 1973' : `the last ${spoken(lookBack)}`;
    throw badTimes(name, `the exchange keeps only ${kept}`);
  }
  const start = Math.max(asked.start, oldest);
  // Rows that arrive during the read belong to the next one.
  return { asked, available: { start, end: Math.max(start, Math.min(asked.end, now)) } };
}

/** The earliest time that may be requested; the margin allows for the duration of the request. */
export function keptSince(name: OperationName, now: Millis): Millis {
  const lookBack = operationOf(name).window?.lookBack;
  return lookBack === undefined ? firstData : now - lookBack + clampMargin;
}

/** Whether a time that could be requested before is now outside the look-back. */
export function isOutOfReach(name: OperationName, start: Millis, now: Millis): boolean {
  return start + clampMargin < keptSince(name, now);
}

/** Start of the day of a moment, in a zone that is `offset` ahead of UTC. */
export function dayStart(moment: Millis, offset: Millis): Millis {
  return Math.floor((moment + offset) / day) * day - offset;
}

export function badTimes(name: OperationName, message: string): InputError {
  return new InputError(name, [{ path: ['startTime'], keyword: 'range', message }]);
}

/**
 * Whether an input selects one object by id and omits the times. Times would hide it, because they
 * limit the response to customers who joined, or loans drawn, in the range.
 */
function asksForOne(name: OperationName, input: object): boolean {
  const id = nameOfOne[name];
  if (id === undefined || fieldOf(input, id) === undefined) return false;
  return !hasTimes(input);
}

/** Whether a list without times is complete: with the longest range that may be asked for, older rows are not. */
function isWholeWithoutTimes({ omitted, lookBack }: Window): boolean {
  return omitted === 'everything-kept' && lookBack === undefined;
}

function hasTimes(input: object): boolean {
  return timeIn(input, 'startTime') !== undefined || timeIn(input, 'endTime') !== undefined;
}

/** The field that selects one object, by operation: times would hide it. */
export const nameOfOne: Partial<Record<OperationName, string>> = {
  'agent/list-customers': 'uid',
  'loan/list-orders': 'orderId',
};

function boundsOf(name: OperationName, window: Window, input: object, now: Millis): TimeWindow {
  const start = timeIn(input, window.start);
  const end = timeIn(input, window.end);
  if (start !== undefined) return { start, end: end ?? Math.max(start, now) };
  if (end === undefined && window.omitted === 'previous-day-utc8') {
    const today = dayStart(now, agentDay);
    return { start: today - day, end: today - 1 };
  }
  return { start: earliest(name, window, end ?? now, now), end: end ?? now };
}

/** The start of a range without one: all that is kept, or else the default of the interface. */
function earliest(name: OperationName, window: Window, end: Millis, now: Millis): Millis {
  if (window.lookBack !== undefined) return keptSince(name, now);
  if (window.omitted === 'refused') throw badTimes(name, 'startTime is required');
  const first = now - window.span;
  if (end >= first) return first;
  throw badTimes(name, `without startTime only the last ${spoken(window.span)} are read`);
}

function timeIn(input: object, field: string): Millis | undefined {
  const value = fieldOf(input, field);
  return typeof value === 'string' && /^\d{1,16}$/.test(value) ? Number(value) : undefined;
}
