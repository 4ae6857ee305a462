/** Determines which lines of a run the database may have lost, by its incarnations. */
import { day, type Millis } from '../../base/clock.ts';
import type { Forgot } from './shared-runs.ts';

/** An incarnation that a process met; times are by the exchange's clock. */
export interface Met {
  readonly incarnation: string;
  readonly since: Millis | null;
  /** The time until which the incarnation was met; null for the first one. */
  readonly until: Millis | null;
  /** Time since `since`, by the database's clock. */
  readonly sinceAgo: Millis;
  readonly untilAgo: Millis;
}

const longestSearched = 90 * day;

/**
 * The lines that a run must consider lost, by their time.
 * @param stored the incarnation of its last line; undefined without lines
 */
export function forgotOf(
  history: readonly Met[],
  stored: string | undefined,
  now: Millis,
): Forgot | undefined {
  const forgettings = history.slice(1).map((met) => windowOf(met, now));
  const latest = forgettings.at(-1);
  if (latest === undefined) return undefined;
  const { until } = latest;
  const index = history.findIndex(({ incarnation }) => incarnation === stored);
  if (index === history.length - 1) return { ...latest, isContinued: true };
  // Entry N of `forgettings` begins incarnation N + 1.
  const later =
    index === -1
      ? forgettings.filter((one) => one === latest || one.until >= now - longestSearched)
      : forgettings.slice(index);
  return { since: Math.min(...later.map(({ since }) => since)), until, isContinued: false };
}

/**
 * The time range of lost lines by the clock of the exchange that asks. The exchange that was asked when the
 * incarnation was met may be another, such as a sandbox, so the earlier start and the later end of both
 * clocks count.
 */
function windowOf(met: Met, now: Millis): { readonly since: Millis; readonly until: Millis } {
  const since = Math.max(0, Math.min(met.since ?? now, now - met.sinceAgo)); // one that is absurd is earlier
  const until = Math.min(now, Math.max(met.until ?? now, now - met.untilAgo));
  return { since: Math.min(since, until), until };
}
