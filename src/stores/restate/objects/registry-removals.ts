/** Removes runs and plans from the registry: at once for every reader, and later their contents. */
import type { Millis } from '../../../base/clock.ts';
import type { JobState } from '../../queue.ts';
import type { Pruned, RunEnd } from '../../shared/retention.ts';
import { addTo, dropBefore, endsOf, pageAt, removeAt } from './log.ts';
import { keyOf, planObject, queueObject } from './names.ts';
import type { Invocation } from './object.ts';
import { forgetOldest, newestIn, olderThan, remember, type Aged } from './outdated.ts';
import { close, endedRuns, exclusively } from './registry-state.ts';
import type { RunEnded } from './run-object.ts';

/** The list of removed runs whose contents are not deleted yet. */
const prunedRuns = 'pruned';
/** The list of plans, by their age. */
const plans = 'plans';

export interface PrunedRuns {
  /** Removed runs whose lines may still be stored. */
  readonly pruned: readonly string[];
  /** The position after these runs in the list of removed runs. */
  readonly prunedTo: number;
}

export async function prunedIn(invocation: Invocation): Promise<PrunedRuns> {
  const { from, to: prunedTo } = await endsOf(invocation, prunedRuns);
  const pruned: string[] = [];
  for (let at = from; at < prunedTo;) {
    const page = await pageAt<string>(invocation, prunedRuns, at);
    pruned.push(...page.entries.filter((entry) => entry !== null));
    at = page.next;
  }
  return { pruned, prunedTo };
}

/** Removes a run, which is never taken again, unless a job would continue it. */
export async function prune(
  invocation: Invocation,
  { run, at }: { readonly run: string; readonly at: RunEnd },
): Promise<Pruned> {
  const { key } = invocation;
  const job = await invocation.call<JobState | null>(queueObject, key, 'find', { id: run });
  if (job !== null && job.state !== 'ended') return 'in-use';
  const pruned = await exclusively<Pruned>(invocation, run, 'prune', { at });
  if (pruned !== 'pruned') return pruned;
  await close(invocation, run); // its end may arrive later
  await addTo(invocation, prunedRuns, run);
  return pruned;
}

/** Removes runs from the list of ended runs. @param positions of one of them in each page */
export async function forget(
  invocation: Invocation,
  { positions, runs }: { readonly positions: readonly number[]; readonly runs: readonly string[] },
): Promise<void> {
  const removed = new Set(runs);
  for (const position of positions) {
    await removeAt<RunEnded>(invocation, endedRuns, position, ({ run }) => removed.has(run));
  }
}

/** Records that the contents of removed runs are deleted, up to a position in their list. */
export async function emptied(
  invocation: Invocation,
  { to }: { readonly to: number },
): Promise<void> {
  await dropBefore(invocation, prunedRuns, to);
}

/** Records that a plan was stored. */
export async function planned(invocation: Invocation, aged: Aged): Promise<void> {
  await remember(invocation, plans, aged);
}

/** The ids of the newest plans, newest first. */
export async function newestPlans(
  invocation: Invocation,
  { most }: { readonly most: number },
): Promise<readonly string[]> {
  return newestIn(invocation, plans, most);
}

/** The number of old plans. */
export async function outdated(
  invocation: Invocation,
  { age }: { readonly age: Millis },
): Promise<number> {
  return (await olderThan(invocation, plans, age)).length;
}

/** Deletes the oldest plans. @returns how many */
export async function clean(
  invocation: Invocation,
  { age, most }: { readonly age: Millis; readonly most: number },
): Promise<number> {
  const old = await olderThan(invocation, plans, age, most);
  for (const id of old) {
    await invocation.call(planObject, keyOf(invocation.key, id), 'remove', {});
  }
  await forgetOldest(invocation, plans, old.length);
  return old.length;
}
