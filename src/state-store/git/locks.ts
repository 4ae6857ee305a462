/** Locks of this machine for claims of the store: if a holder cannot be checked, the lease decides. */
import { LockedError, type AccountLock, type LockOptions } from '../../journal/lock.ts';
import type { LockInTheWay } from '../../journal/locked.ts';
import { freeUnheld } from '../../journal/unlock.ts';
import { lockAccounts } from '../local.ts';
import type { Wanted } from '../store.ts';
import { claimsIn, refuseRunning } from './claims.ts';
import type { StateRef } from './ref.ts';

export interface LockPlace {
  readonly stateDir: string;
  readonly ref: StateRef;
}

/**
 * Locks a run and its accounts on this machine, where processes are distinguished immediately and
 * without a push. A lock whose owner cannot be checked, in another container or from before a restart,
 * proves no more than its claim: a process without a valid lease signs nothing.
 * @throws LockedError; HeldError while the owner's lease lasts
 */
export async function lockUnderLease(
  wanted: Wanted,
  { stateDir, ref }: LockPlace,
  options: LockOptions,
): Promise<AccountLock> {
  for (;;) {
    try {
      return await lockAccounts(stateDir, wanted.accounts, wanted.run, options);
    } catch (error) {
      const lock = error instanceof LockedError ? error.lock : undefined;
      const nonce = lock && claimOf(lock);
      if (lock === undefined || nonce === undefined) throw error;
      const claim = (await claimsIn(await ref.read())).find((each) => each.nonce === nonce);
      if (claim !== undefined) refuseRunning(claim, await wanted.now());
      if (!(await freeUnheld(stateDir, lock, `run ${wanted.run}, after the lease`))) throw error;
    }
  }
}

/** The claim of an owner that cannot be checked. */
function claimOf({ life, record }: LockInTheWay): string | undefined {
  return life.state === 'unknown' && record?.version === 2 ? record.claim : undefined;
}
