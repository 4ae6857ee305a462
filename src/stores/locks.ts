/** Takes the locks of this machine for claims of the store: if a holder cannot be checked, the lease decides.
 */
import type { Millis } from '../base/clock.ts';
import {
  LockedError,
  type AccountLock,
  type LockOptions,
  type NamedLock,
} from '../engine/journal/lock.ts';
import type { LockInTheWay } from '../engine/journal/locked.ts';
import { freeUnheld } from '../engine/journal/unlock.ts';
import { lockAccounts, sharing } from './local.ts';
import { refuseRunning } from './claims.ts';
import type { Claim, Wanted } from './store.ts';

export interface LockPlace {
  readonly stateDir: string;
  /** Reads the claims of the store; their `until` is of the same clock as `now`. */
  readonly claims: (now: Millis) => Promise<readonly Claim[]>;
}

/**
 * Locks a run and its accounts on this machine, where processes are distinguished immediately and
 * without a push. A lock whose owner cannot be checked, in another container or from before a restart,
 * proves no more than its claim: a process without a valid lease signs nothing.
 * @throws LockedError; HeldError while the owner's lease lasts
 */
export async function lockUnderLease(
  wanted: Wanted,
  { stateDir, claims }: LockPlace,
  options: LockOptions,
): Promise<AccountLock> {
  for (;;) {
    try {
      const own = { ...options, ...sharing(wanted.isShared) };
      return await lockAccounts(stateDir, wanted.accounts, wanted.run, own);
    } catch (error) {
      const lock = error instanceof LockedError ? error.lock : undefined;
      const nonce = lock && claimOf(lock);
      if (lock === undefined || nonce === undefined) throw error;
      const now = await wanted.now();
      const claim = (await claims(now)).find((each) => each.nonce === nonce);
      if (claim !== undefined) refuseRunning(claim, now);
      if (!(await freeUnheld(stateDir, lock, `run ${wanted.run}, after the lease`))) throw error;
    }
  }
}

/** The claim in a lock whose owner cannot be checked. */
function claimOf({ life, record }: LockInTheWay): string | undefined {
  return life.state === 'unknown' && record?.version === 2 ? record.claim : undefined;
}

/**
 * Whether a process of this machine that has ended was the holder of a claim; the claim is valid until its
 * lease is over.
 */
export function hasEndedHere({ nonce }: Claim, locks: readonly NamedLock[]): boolean {
  return locks.some(
    ({ record, life }) => life.state === 'dead' && record?.version === 2 && record.claim === nonce,
  );
}
