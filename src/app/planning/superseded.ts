/** Refuses a plan that another run of its playbook overtook: its effects were decided before that run. */
import type { Millis } from '../../base/clock.ts';
import type { Destination, Entry } from '../../engine/journal/entry.ts';
import type { RunHeader } from '../../engine/journal/header.ts';
import { newestFirst } from '../../engine/journal/proved-runs.ts';
import { allRuns } from '../../engine/journal/run-list.ts';
import { readRun } from '../../engine/journal/runs.ts';
import type { Plan } from '../../engine/plan/plan.ts';
import { StalePlanError } from '../../engine/plan/stale.ts';
import { destinationsOf } from '../../engine/journal/account.ts';
import type { Work } from '../accounts/work.ts';

/**
 * Refuses a plan after a run of another plan of its playbook: of two such plans only the first may run. Plans
 * for occurrences of a schedule are independent.
 * @throws StalePlanError when another run of the playbook sent something to one of its accounts since the
 * plan was made
 */
export async function refuseSuperseded(
  plan: Plan,
  run: string,
  { stateDir, book }: { readonly stateDir: string; readonly book: Work['book'] },
): Promise<void> {
  const { id, playbook, observedAt, scheduledFor } = plan;
  if (scheduledFor !== undefined) return;
  const own = destinationsOf(plan);
  const runs = await allRuns(stateDir);
  const { others, ended } = runs;
  const register = await book(runs);
  const isOwn = (other: Destination): boolean =>
    own.some((account) => register.standingOf(account, other) === 'same');
  const isOfIt = (other: Pick<RunHeader, 'playbook'>): boolean => other.playbook === playbook.name;
  const recent = ended.listing.notable(isOfIt, ({ signedAt }) => signedAt >= observedAt);
  const headers = [...others.filter(isOfIt), ...recent].toSorted(newestFirst);
  for (const other of headers.filter((header) => header.run !== run)) {
    const { signedAt = -Infinity } = ended.ended(other) ?? { signedAt: Infinity };
    if (signedAt < observedAt) continue;
    const entries = await readRun(stateDir, other.run);
    if (!accountsIn(entries).some(isOwn) || !hasSentSince(observedAt, entries)) continue;
    throw new StalePlanError(
      `plan ${id} was made before run ${other.run} of the same playbook sent requests`,
    );
  }
}

function accountsIn([started]: readonly Entry[]): readonly Destination[] {
  return started?.kind === 'started' ? destinationsOf(started) : [];
}

/** Whether a run sent a request after a time of the exchange's clock. */
function hasSentSince(time: Millis, entries: readonly Entry[]): boolean {
  return entries.some((entry) => entry.kind === 'intended' && entry.signedAt >= time);
}
