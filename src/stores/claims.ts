/** Creates claims, and explains why another claim blocks a run. */
import type { Millis } from '../base/clock.ts';
import { digestOf, sha256 } from '../base/json.ts';
import { listed, shellWord, spoken } from '../base/text.ts';
import { accountNames } from '../engine/journal/account.ts';
import type { Destination } from '../engine/journal/entry.ts';
import { unlockCommand } from '../engine/journal/locked.ts';
import type { Kernel } from '../base/lock/kernel.ts';
import { ownerHere, type Owner } from '../base/lock/owner.ts';
import { HeldError, type Claim } from './store.ts';

export function accountsOf(accounts: readonly Destination[]): Claim['accounts'] {
  return accounts.map((account) => {
    const [id = '', alias] = accountNames(account);
    return { id, ...(alias !== undefined && { alias }), profile: account.profile };
  });
}

/** The owner of claims made by this process, for other machines: its machine id is published as a digest. */
export function ownerOfClaim(machine: string, kernel: Kernel): Owner {
  return ownerHere(sha256(machine).slice(0, 16), kernel);
}

/** A mark for versions that know no owners: it never equals one of their marks. */
export function markOf(owner: Owner): string {
  return digestOf(['owner', owner]).slice(0, 16);
}

/** @throws HeldError while another machine may still be signing */
export function refuseRunning({ run, host, since, until, accounts }: Held, now: Millis): void {
  if (now > until) return;
  throw new HeldError(
    `run ${run} on ${host} has a claim on ${profilesOf(accounts)} for at least another ${spoken(until - now)}; it has it since ${sinceWords(since)}`,
    `wait for it to end; if that machine is gone permanently, record how you know: ${unlockCommand(run)}`,
    true,
    run,
  );
}

/** @throws HeldError for a run of another process that may have sent something */
export function refuseUnfinished({ run, host, since, accounts }: Held): never {
  throw new HeldError(
    `run ${run} began on ${host} and did not report its end: it has ${profilesOf(accounts)} since ${sinceWords(since)}, and what it sent is not known`,
    `finish it first: \`deskhand resume ${shellWord(run)}\` looks up every write of it`,
    true,
    run,
  );
}

/** The start of a claim as text: `2026-11-20 00:41:07 UTC`. */
function sinceWords(since: Millis): string {
  return `${new Date(since).toISOString().slice(0, 19).replace('T', ' ')} UTC`;
}

type Held = Pick<Claim, 'run' | 'host' | 'since' | 'until' | 'accounts'>;

function profilesOf(accounts: Claim['accounts']): string {
  return listed([...new Set(accounts.map(({ profile }) => profile))]);
}

/** The error for a run that was removed from the store; a copy of it may still be in this state folder. */
export function prunedRun(run: string): HeldError {
  return new HeldError(
    `the records of run ${run} were removed from the shared state`,
    'make a new plan; `deskhand runs prune --yes` removes the copy here',
  );
}

/**
 * The error for a run that was started before.
 * @param claim of the same run, if it is in progress
 */
export function usedAlready(run: string, claim: Pick<Claim, 'host'> | undefined): HeldError {
  return claim === undefined
    ? new HeldError(`this plan already ran as ${run}`, 'make a new plan and get it reviewed')
    : new HeldError(
        `this plan was already started as ${run} on ${claim.host}`,
        `if that machine is gone, continue it: deskhand resume ${shellWord(run)}`,
      );
}
