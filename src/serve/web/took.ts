/** How long a run took: of one in progress, how long it has been. */
import { spoken } from '../../base/text.ts';
import { now } from './clock.ts';

/** A run, with its last event while it is in progress. */
interface Timed {
  readonly tookMs: number;
  readonly lastAt?: number;
}

/** The active time of a run, until now if it is in progress. */
export function tookText({ tookMs, lastAt }: Timed): string {
  const since = lastAt === undefined ? 0 : Math.max(0, now.value - lastAt);
  const whole = tookMs + since;
  // Minutes that are over, as those of ages beside it.
  return spoken(lastAt === undefined || whole < minuteMs ? whole : whole - (whole % minuteMs));
}

const minuteMs = 60_000;
