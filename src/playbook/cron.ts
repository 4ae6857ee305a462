/** Times of a schedule: the door to croner. */
import { Cron } from 'croner';
import type { Millis } from '../base/clock.ts';

/**
 * The next time of a pattern after a moment, both as a clock on the wall shows them: the clock's
 * reading as if it were UTC. Undefined when there is none any longer.
 */
export type CronTimes = (after: Millis) => Millis | undefined;

// An offset, and not the zone UTC, which croner would ask Intl about at every time.
const onTheWall = { paused: true, utcOffset: 0 };

export function cronTimes(pattern: string): CronTimes {
  const cron = new Cron(pattern, onTheWall);
  return (after) => cron.nextRun(new Date(after))?.getTime();
}

/** Why a pattern of five fields is none, or names no time at all; undefined when it is fine. */
export function cronProblem(pattern: string): string | undefined {
  if (pattern.trim().split(/\s+/).length !== 5) {
    return 'it does not have five fields: minute, hour, day, month, weekday';
  }
  try {
    // From a fixed day on, so that the answer does not change with the calendar.
    const next = new Cron(pattern, onTheWall).nextRun(new Date(0));
    return next === null ? 'there is no such day' : undefined;
  } catch (error) {
    if (!(error instanceof TypeError || error instanceof RangeError)) throw error;
    return error.message.replace(/^CronPattern: (?:Syntax error, )?/, '').replace(/\.$/, '');
  }
}
