/** A run as a shared database knows it, and whether it prevents that another one is taken. */
import type { Millis } from '../../base/clock.ts';
import type { Owner } from '../../lock/owner.ts';
import type { Claim } from '../store.ts';
import type { Blocked, SharedClaim, Taken, TakeRequest } from './shared-runs.ts';

export interface KnownRun {
  readonly run: string;
  readonly playbook: string;
  readonly plan: string | null;
  readonly accounts: Claim['accounts'];
  readonly host: string;
  readonly owner: Owner;
  readonly nonce: string;
  readonly since: Millis;
  readonly left: Millis;
  /** It has no accounts any more. */
  readonly isEnded: boolean;
  /** Its process reported the end. */
  readonly isReported: boolean;
  readonly lines: number;
  /** The incarnation of its last line. */
  readonly incarnation: string | null;
  readonly takenIn: string;
  /** Its lines were removed: nobody takes it again. Absent where nothing is removed. */
  readonly isPruned?: boolean;
}

/** Names of the accounts: two runs with a common one do not run at the same time. */
export function namesOf({ accounts }: Pick<TakeRequest, 'accounts'>): readonly string[] {
  return [...new Set(accounts.flatMap(({ id, alias = id }) => [id, alias]))];
}

/** Whether the run, or the plan in another run, was started; or the run to resume was removed. */
export function usedBy(
  rows: readonly KnownRun[],
  { run, plan, isResumed }: TakeRequest,
): Blocked | undefined {
  if (isResumed) {
    const isPruned = rows.some((row) => row.run === run && row.isPruned === true);
    return isPruned ? { kind: 'pruned', run } : undefined;
  }
  const users = rows.filter((row) => row.run === run || (plan !== undefined && row.plan === plan));
  const used = users.find(({ lines }) => lines > 0);
  if (used === undefined) return undefined;
  return { kind: 'used', run: used.run, ...(!used.isEnded && { claim: claimOf(used) }) };
}

/**
 * A run without lines has sent nothing, unless the database forgot its lines: it was taken in an
 * earlier incarnation.
 */
export function blockedBy(
  own: KnownRun | undefined,
  others: readonly KnownRun[],
  incarnation: string,
): Blocked | undefined {
  const running = runningIn(own === undefined ? others : [own, ...others]);
  if (running !== undefined) return running;
  const unfinished = others.find((row) => row.lines > 0 || row.takenIn !== incarnation);
  return unfinished && { kind: 'unfinished', claim: claimOf(unfinished) };
}

function runningIn(rows: readonly KnownRun[]): Blocked | undefined {
  const running = rows.find(({ isEnded, left }) => !isEnded && left > 0);
  return running && { kind: 'running', claim: claimOf(running) };
}

export function unreportedOf(own: KnownRun | undefined): Taken['before'] {
  if (own === undefined || own.isReported || own.lines === 0) return undefined;
  return { host: own.host, since: own.since };
}

export function claimOf(known: KnownRun): SharedClaim {
  const { run, playbook, plan, accounts, host, owner, nonce, since, left } = known;
  return {
    run,
    playbook,
    ...(plan !== null && { plan }),
    accounts,
    host,
    owner,
    nonce,
    since,
    left,
  };
}
