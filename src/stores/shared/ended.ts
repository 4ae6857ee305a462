/** Releases a run whose process recorded its end and died before it released the accounts. */
import { readRun } from '../../engine/journal/runs.ts';
import { bringUnlessHeld } from './bring.ts';
import type { Blocked, SharedRuns, Taken, TakeRequest } from './shared-runs.ts';

/**
 * Takes and releases a run that blocks another, if its record has its end. @returns whether it was released
 */
export async function releaseEnded(
  blocked: Blocked,
  request: TakeRequest,
  runs: SharedRuns,
  stateDir: string,
): Promise<boolean> {
  if (blocked.kind !== 'unfinished') return false;
  const { run, playbook, plan, accounts, damage } = blocked.claim;
  if (damage !== undefined || !(await hasEnd(run, runs, stateDir))) return false;
  const { host, owner, nonce, lease, now } = request;
  const own = { host, owner, nonce, lease, now, isResumed: true };
  const taken = await runs.take({
    run,
    playbook,
    ...(plan !== undefined && { plan }),
    accounts,
    ...own,
  });
  // The process of the run may have stored more until now.
  if (taken.kind !== 'taken' || mayLackLines(taken)) return false;
  if (!(await hasEnd(run, runs, stateDir))) return false;
  return runs.release(taken.holder);
}

async function hasEnd(run: string, runs: SharedRuns, stateDir: string): Promise<boolean> {
  await bringUnlessHeld(runs, stateDir, run);
  const entries = await readRun(stateDir, run).catch(() => []); // a damaged one is left to a person
  return entries.at(-1)?.kind === 'finished';
}

function mayLackLines({ before, forgot }: Taken): boolean {
  return before?.isIncomplete === true || forgot !== undefined;
}
