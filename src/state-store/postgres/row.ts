/** A row of the table `run`. */
import type { Millis } from '../../base/clock.ts';
import type { Owner } from '../../lock/owner.ts';
import type { SharedClaim } from '../shared/shared-runs.ts';
import type { Claim } from '../store.ts';

export interface RunRow {
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
}

export const runColumns = `
  id as run, playbook, plan, accounts, host, owner, nonce, since_ms::float8 as since,
  ceil(extract(epoch from lease - clock_timestamp()) * 1000)::float8 as left,
  ended is not null as "isEnded", reported as "isReported", lines, incarnation,
  taken_in as "takenIn"`;

export function claimOf(row: RunRow): SharedClaim {
  const { run, playbook, plan, accounts, host, owner, nonce, since, left } = row;
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
