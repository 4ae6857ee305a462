/** Queries by time: one rule for bounds, ranges, look-back and defaults. */
import { day, hour, minute, type Millis } from '../base/clock.ts';
import { assert } from '../base/error.ts';
import type { Window } from '../exchange/api/operation.ts';
import { operationOf, type OperationName } from '../exchange/api/operations/index.ts';
import { Refusal } from './refusal.ts';

/** A time range with inclusive bounds. */
export interface TimeRange {
  readonly from: Millis;
  readonly to: Millis;
}

interface Asked {
  readonly startTime?: string;
  readonly endTime?: string;
}

const grace = minute; // a client computes "now minus 90 days" a moment earlier than the server

/**
 * The range of a query.
 * @param tooOld the code for a start before the kept data
 * @throws Refusal when the bounds violate the operation's window
 */
export function timeRangeOf(
  name: OperationName,
  asked: Asked,
  { now, tooOld = '40704' }: { readonly now: Millis; readonly tooOld?: string },
): TimeRange {
  const { window } = operationOf(name);
  assert(window !== undefined, `${name} requires a time range`);
  const from = asked.startTime === undefined ? undefined : Number(asked.startTime);
  const to = asked.endTime === undefined ? undefined : Number(asked.endTime);
  if (from === undefined && to === undefined) return omitted(window, now);
  if ((from === undefined || to === undefined) && window.oneSided === 'refused') {
    throw new Refusal('40019', 'startTime and endTime must be given together');
  }
  const oldest = now - (window.lookBack ?? now) - grace;
  const span = completed({ from, to }, { window, now, oldest });
  inOrder(span);
  if (span.to - span.from > window.span) {
    throw new Refusal('00001', `at most ${window.span / day} days`);
  }
  if (span.from < oldest) throw new Refusal(tooOld);
  return span;
}

/** The range of a query without a look-back. @throws Refusal when it ends before its start */
export function anyTimeRangeOf({ startTime, endTime }: Asked): TimeRange {
  const span = {
    from: Number(startTime ?? 0),
    to: Number(endTime ?? Number.MAX_SAFE_INTEGER),
  };
  inOrder(span);
  return span;
}

function inOrder({ from, to }: TimeRange): void {
  if (from > to) throw new Refusal('40707');
}

/** Whether a moment is in a span. */
export function isWithin(moment: Millis, { from, to }: TimeRange): boolean {
  return from <= moment && moment <= to;
}

/** 00:00 of a time's day in UTC+8, the time zone of agents' reports. */
export function startOfAgentDay(moment: Millis): Millis {
  return Math.floor((moment + agentZone) / day) * day - agentZone;
}

const agentZone = 8 * hour;

function omitted(window: Window, now: Millis): TimeRange {
  switch (window.omitted) {
    case 'previous-day-utc8': {
      const today = startOfAgentDay(now);
      return { from: today - day, to: today - 1 };
    }
    case 'last-span':
      return { from: now - window.span, to: now };
    case 'everything-kept':
      return { from: now - (window.lookBack ?? now), to: now };
    case 'refused':
      throw new Refusal('40019', 'startTime and endTime');
  }
}

/**
 * Completes a range with a single bound: the other is one span away, but neither in the future nor
 * before the data. If a missing start counts from now, it does so for any end.
 */
function completed(
  { from, to }: { readonly from: Millis | undefined; readonly to: Millis | undefined },
  { window, now, oldest }: { window: Window; now: Millis; oldest: Millis },
): TimeRange {
  if (from !== undefined)
    return { from, to: to ?? Math.max(from, Math.min(from + window.span, now)) };
  const end = to ?? now;
  if (window.oneSided === 'start-from-now') return { from: now - window.span, to: end };
  return { from: Math.min(end, Math.max(end - window.span, oldest)), to: end };
}
