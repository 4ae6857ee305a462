/** Decides about the due occurrences of a schedule: a pure function, called at every check. */
import { minute, second, type Millis } from '../../base/clock.ts';
import type { Schedule } from './schedule.ts';
import { lastOccurrence, occurrencesWithin } from './occurrences.ts';

/** The state of a schedule from earlier checks. */
export interface Standing {
  /** All occurrences up to this time were decided. */
  readonly until: Millis;
  /** Occurrences to run, oldest first; the newest decisions are last. */
  readonly waiting: readonly Millis[];
}

/** The reasons why occurrences are skipped. */
export const leftReasons = ['missed', 'covered', 'overlap', 'too-old', 'paused'] as const;

/** Occurrences that are skipped, with the reason. */
export interface Left {
  readonly why: (typeof leftReasons)[number];
  /** The times of the first and of the last skipped occurrence. */
  readonly from: Millis;
  readonly to: Millis;
  /** The number of skipped occurrences; `countMax` means at least that many. */
  readonly count: number;
}

export interface Decision {
  readonly standing: Standing;
  readonly left: readonly Left[];
}

/** The number up to which skipped occurrences are counted: a longer list is not useful. */
export const countMax = 1_000;
const waitingMax = 100; // runs that wait for another; more would never be caught up
const betweenLooks = 2 * minute; // a continuous scheduler checks once a minute
const clockSlack = 5 * second; // a check may be this much earlier than the previous one

/**
 * Decides every occurrence since the last check. The newest runs if it is at most `lateMs` old. All
 * others were missed: `skip` runs none, `all` runs each, and `once` runs the last of them, unless
 * another occurrence is on time.
 * @param isRunning whether an earlier run of this schedule is in progress
 */
export function decide(
  schedule: Schedule,
  before: Standing,
  { now, isRunning }: { readonly now: Millis; readonly isRunning: boolean },
): Decision {
  const until = now - schedule.delayMs;
  if (until <= before.until) {
    // A clock that was set back changes nothing: earlier decisions stay.
    const standing = before.until - until > clockSlack ? { ...before, until } : before;
    return { standing, left: [] };
  }
  const wasWatched = until - before.until <= schedule.lateMs + betweenLooks;
  const waiting = wasWatched ? before.waiting : [];
  const lost = wasWatched ? [] : before.waiting;
  const newest = lastOccurrence(schedule, { after: before.until, until });
  const isOnTime = newest !== undefined && newest >= until - schedule.lateMs;
  const span = { after: before.until, until: isOnTime ? newest - 1 : until };
  const missed = missedOf(schedule, { lost, span, until, isCovered: isOnTime });
  const due = isOnTime ? [...missed.run, newest] : missed.run;
  if (!isRunning) {
    return { standing: { until, waiting: [...waiting, ...due] }, left: missed.left };
  }
  const room = schedule.overlap === 'queue' ? waitingMax - waiting.length : 0;
  return {
    standing: { until, waiting: [...waiting, ...due.slice(0, room)] },
    left: [...missed.left, ...leftOf('overlap', due.slice(room))],
  };
}

/**
 * Decides every occurrence since the last check of a schedule that is paused: none runs. Those that
 * were due before the pause were missed.
 * @param since when the pause began
 */
export function decidePaused(
  schedule: Schedule,
  before: Standing,
  { now, since }: { readonly now: Millis; readonly since: Millis },
): Decision {
  const until = Math.max(before.until, now - schedule.delayMs);
  const begin = Math.min(until, Math.max(before.until, since - schedule.delayMs));
  return {
    standing: { until, waiting: [] },
    left: [
      ...leftOf('paused', before.waiting),
      ...leftIn('missed', schedule, { after: before.until, until: begin }),
      ...leftIn('paused', schedule, { after: begin, until }),
    ],
  };
}

interface TimeRange {
  readonly after: Millis;
  readonly until: Millis;
}

interface Missed {
  /** Occurrences that waited for a run at the last check. */
  readonly lost: readonly Millis[];
  /** The time range of the other occurrences. */
  readonly span: TimeRange;
  readonly until: Millis;
  /** Whether another occurrence is due now. */
  readonly isCovered: boolean;
}

interface Missing {
  readonly run: readonly Millis[];
  readonly left: readonly Left[];
}

/** Decides about missed occurrences: which one runs, and which are skipped. */
function missedOf(schedule: Schedule, { lost, span, until, isCovered }: Missed): Missing {
  if (schedule.missed === 'skip') {
    return { run: [], left: [...leftOf('missed', lost), ...leftIn('missed', schedule, span)] };
  }
  const oldest = schedule.withinMs === undefined ? -Infinity : until - schedule.withinMs;
  const kept: TimeRange = { after: Math.max(span.after, oldest), until: span.until };
  const old = [
    ...leftOf(
      'too-old',
      lost.filter((occurrence) => occurrence <= oldest),
    ),
    ...leftIn('too-old', schedule, { after: span.after, until: Math.min(oldest, span.until) }),
  ];
  const young = lost.filter((occurrence) => occurrence > oldest);
  if (schedule.missed === 'all') {
    const all = [...young, ...occurrencesWithin(schedule, kept)];
    return {
      run: all.slice(-countMax),
      left: [...old, ...leftOf('too-old', all.slice(0, -countMax))],
    };
  }
  const last = lastOccurrence(schedule, kept) ?? young.at(-1);
  if (last === undefined) return { run: [], left: old };
  const end = isCovered ? kept.until : last - 1;
  const covered = [
    ...leftOf(
      'covered',
      young.filter((occurrence) => isCovered || occurrence < last),
    ),
    ...leftIn('covered', schedule, { after: kept.after, until: end }),
  ];
  return { run: isCovered ? [] : [last], left: [...old, ...covered] };
}

function leftOf(why: Left['why'], occurrences: readonly Millis[]): readonly Left[] {
  const [from] = occurrences;
  const to = occurrences.at(-1);
  if (from === undefined || to === undefined) return [];
  return [{ why, from, to, count: Math.min(occurrences.length, countMax) }];
}

/** The skipped occurrences of a time range, of which there may be very many. */
function leftIn(why: Left['why'], schedule: Schedule, span: TimeRange): readonly Left[] {
  if (span.until <= span.after) return [];
  const occurrences: Millis[] = [];
  for (const occurrence of occurrencesWithin(schedule, span)) {
    occurrences.push(occurrence);
    if (occurrences.length === countMax) break;
  }
  const [first] = leftOf(why, occurrences);
  if (first === undefined) return [];
  return [{ ...first, to: lastOccurrence(schedule, span) ?? first.to }];
}
