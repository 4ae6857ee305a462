/** Computes the times of cron patterns with croner. */
import { Cron } from 'croner';
import type { Millis } from '../base/clock.ts';

/**
 * The next time of a pattern after a moment, both as local wall-clock time represented as UTC.
 * Undefined if there is none.
 */
export type CronTimes = (after: Millis) => Millis | undefined;

// An offset instead of the zone UTC, for which croner would call Intl each time.
const onTheWall = { paused: true, utcOffset: 0 };

export function cronTimes(pattern: string): CronTimes {
  const cron = new Cron(pattern, onTheWall);
  return (after) => cron.nextRun(new Date(after))?.getTime();
}

/** Why a pattern of five fields is invalid, or never occurs; undefined if it is valid. */
export function cronProblem(pattern: string): string | undefined {
  if (pattern.trim().split(/\s+/).length !== 5) {
    return 'it does not have five fields: minute, hour, day, month, weekday';
  }
  try {
    // The search starts from a fixed day, so that the result does not depend on the calendar.
    const next = new Cron(pattern, onTheWall).nextRun(new Date(0));
    return next === null ? 'no such day exists' : undefined;
  } catch (error) {
    if (!(error instanceof TypeError || error instanceof RangeError)) throw error;
    return error.message.replace(/^CronPattern: (?:Syntax error, )?/, '').replace(/\.$/, '');
  }
}
