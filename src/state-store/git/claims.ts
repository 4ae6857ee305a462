/** The files of a state, and the claims on accounts in them. */
import type { Millis } from '../../base/clock.ts';
import { digestOf, isRecord, sha256 } from '../../base/json.ts';
import { listed, spoken, shellWord } from '../../base/text.ts';
import { accountNames } from '../../journal/account.ts';
import type { Destination } from '../../journal/entry.ts';
import type { Kernel } from '../../lock/kernel.ts';
import { isOwner, ownerHere, type Owner } from '../../lock/owner.ts';
import { HeldError, StoreError, type Claim, type Wanted } from '../store.ts';
import type { Tree } from './tree.ts';

export const claimPath = (run: string): string => `claims/${run}.json`;
export const journalPath = (run: string): string => `runs/${run}/journal.ndjson`;
export const headerPath = (run: string): string => `runs/${run}/header.json`;
/** The run that used a plan. */
export const planPath = (plan: string): string => `plans/${plan}`;

/** Runs with journals in a tree. */
export function runsIn({ files }: Tree): readonly string[] {
  return [...files.keys()].flatMap((path) => {
    const run = /^runs\/([a-z0-9-]{1,64})\/journal\.ndjson$/.exec(path)?.[1];
    return run === undefined ? [] : [run];
  });
}

/** Every run that has an account, or had one and did not report its end. */
export async function claimsIn(tree: Tree): Promise<readonly Claim[]> {
  const paths = [...tree.files.keys()].filter((path) => path.startsWith('claims/'));
  const texts = await tree.texts(paths);
  return [...texts].map(([path, text]) => {
    const value: unknown = JSON.parse(text);
    if (!isClaim(value) || claimPath(value.run) !== path) {
      throw new StoreError(
        `${path} of the state is not a claim`,
        'another version may have written it',
      );
    }
    return value;
  });
}

/** No field checks: the chain proves that we wrote it. */
function isClaim(value: unknown): value is Claim {
  return (
    isRecord(value) &&
    typeof value['run'] === 'string' &&
    /^[a-z0-9-]{1,64}$/.test(value['run']) &&
    Array.isArray(value['accounts']) &&
    typeof value['host'] === 'string' &&
    typeof value['machine'] === 'string' &&
    (value['owner'] === undefined || isOwner(value['owner'])) &&
    typeof value['nonce'] === 'string' &&
    typeof value['since'] === 'number' &&
    typeof value['until'] === 'number'
  );
}

export function accountsOf(accounts: readonly Destination[]): Claim['accounts'] {
  return accounts.map((account) => {
    const [id = '', alias] = accountNames(account);
    return { id, ...(alias !== undefined && { alias }), profile: account.profile };
  });
}

/** This process for other machines: its machine id is published as a digest. */
export function ownerOfClaim(machine: string, kernel: Kernel): Owner {
  return ownerHere(sha256(machine).slice(0, 16), kernel);
}

/** A mark for versions without owners: it never equals one of theirs. */
export function markOf(owner: Owner): string {
  return digestOf(['owner', owner]).slice(0, 16);
}

/**
 * Claims of other runs on the requested accounts. An expired one without a pushed write has sent
 * nothing: it can be removed.
 * @returns the removable claims
 * @throws HeldError naming the first other one
 */
export function refuseTaken(
  claims: readonly Claim[],
  wanted: Wanted,
  now: Millis,
  tree: Tree,
): readonly Claim[] {
  const ids = new Set(wanted.accounts.flatMap(accountNames));
  const others = claims.filter(
    ({ run, accounts }) =>
      run !== wanted.run && accounts.some(({ id, alias = id }) => ids.has(id) || ids.has(alias)),
  );
  for (const claim of others) {
    refuseRunning(claim, now);
    if (!tree.files.has(journalPath(claim.run))) continue;
    throw new HeldError(
      `run ${claim.run} began on ${claim.host} and did not report its end: what it sent is not known`,
      `finish it first: \`deskhand resume ${shellWord(claim.run)}\` looks up every write of it`,
    );
  }
  return others;
}

/** @throws HeldError while another machine may still be signing */
export function refuseRunning({ run, host, accounts, until }: Claim, now: Millis): void {
  if (now > until) return;
  const profiles = listed(accounts.map(({ profile }) => profile));
  throw new HeldError(
    `run ${run} on ${host} has a claim on ${profiles} for at least another ${spoken(until - now)}`,
    `wait for it to end; if that machine is permanently gone, run: deskhand runs unlock ${shellWord(run)}`,
  );
}
