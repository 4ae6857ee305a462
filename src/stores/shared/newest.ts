/** Fetches the newest runs for a list, so that a machine that knows few runs fetches few of them. */
import type { Millis } from '../../base/clock.ts';
import { minute } from '../../base/clock.ts';
import type { ListedRuns } from '../store.ts';
import type { Newest, SharedRuns } from './shared-runs.ts';

const clocksApart: Millis = minute;

/**
 * The runs that a list may show: those in progress, and the newest ended ones.
 *
 * Runs are selected by their ends, and listed by their beginnings. A run that was not selected ended, and so began,
 * before the last end among those that were: more are selected until enough of these began after it.
 */
export async function newestRunsOf(
  runs: Pick<SharedRuns, 'newest'>,
  { max, playbook, since }: ListedRuns,
): Promise<Newest | undefined> {
  const asked = {
    ...(playbook !== undefined && { playbook }),
    ...(since !== undefined && { endedSince: since - clocksApart }),
  };
  for (let size = 2 * max; ; size *= 4) {
    const found = await runs.newest?.({ ...asked, max: size });
    if (found === undefined) return undefined;
    const ended = found.runs.flatMap((run) => run.ended ?? []);
    const last = Math.min(...ended) + clocksApart;
    const certain = found.runs.filter((run) => run.since >= last);
    if (ended.length < size || certain.length >= max) return found;
  }
}
