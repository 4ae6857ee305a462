/** A run as a shared database knows it, and whether it blocks that another one is taken. */
import type { Millis } from '../../base/clock.ts';
import { isRecord } from '../../base/json.ts';
import { plainText } from '../../base/text.ts';
import { isOwner, type Owner } from '../../base/lock/owner.ts';
import { StoreError, type Claim } from '../store.ts';
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
  /** Whether the run has released its accounts. */
  readonly isEnded: boolean;
  /** Whether the run's process reported the end. */
  readonly isReported: boolean;
  readonly lines: number;
  /** The incarnation of the run's last line. */
  readonly incarnation: string | null;
  readonly takenIn: string;
  /** Whether the run's lines were removed: nobody takes it again. Absent where nothing is removed. */
  readonly isPruned?: boolean;
}

/** Names of the accounts of a run: two runs with a common one do not run at the same time. */
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
 * Finds the run that blocks another. A run without lines has sent nothing and blocks none, unless the
 * database forgot its lines: it was taken in an earlier incarnation.
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

/**
 * Refuses malformed accounts and processes, which are JSON in the database: a run with them must not look
 * like one without accounts.
 */
function refuseMalformed({ run, accounts, owner, since }: KnownRun): void {
  const what = isOwner(owner) ? (areAccounts(accounts) ? 'start' : 'accounts') : 'process';
  if (areAccounts(accounts) && isOwner(owner) && isTime(since)) return;
  throw new StoreError(
    `the claim of run ${plainText(run, 80)} in the database cannot be read: it does not name its ${what}`,
    'find out who wrote to the database',
  );
}

const latest: Millis = Date.UTC(9999, 11, 31);

function isTime(ms: Millis): boolean {
  return Number.isSafeInteger(ms) && ms >= 0 && ms <= latest;
}

function areAccounts(value: unknown): value is Claim['accounts'] {
  if (!Array.isArray(value)) return false;
  return value.every((account: unknown) => {
    if (!isRecord(account)) return false;
    const { id, alias = '', profile } = account;
    return [id, alias, profile].every((each) => typeof each === 'string');
  });
}

export function unreportedOf(own: KnownRun | undefined): Taken['before'] {
  if (own === undefined || own.isReported || own.lines === 0) return undefined;
  refuseMalformed(own);
  return { host: own.host, since: own.since };
}

/** The claim of a run, for a list: a claim that cannot be read is marked, and hides no other. */
export function shownClaimOf(known: KnownRun): SharedClaim {
  try {
    return claimOf(known);
  } catch (error) {
    if (!(error instanceof StoreError)) throw error;
    const { run, playbook, host, nonce, left } = known;
    return { run, playbook, accounts: [], host, nonce, since: 0, left, damage: error.message };
  }
}

/** The claim of a run. @throws StoreError for accounts, a process or a time that cannot be read */
export function claimOf(known: KnownRun): SharedClaim {
  refuseMalformed(known);
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
