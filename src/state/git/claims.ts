/** Which files a state holds, and who may have an account by them. */
import type { Millis } from '../../base/clock.ts';
import { isRecord, sha256 } from '../../base/json.ts';
import { listed, spoken } from '../../base/text.ts';
import { accountOf } from '../../journal/account.ts';
import type { Destination } from '../../journal/entry.ts';
import { HeldError, StoreError, type Claim, type Wanted } from '../store.ts';
import type { Tree } from './tree.ts';

export const claimPath = (run: string): string => `claims/${run}.json`;
export const journalPath = (run: string): string => `runs/${run}/journal.ndjson`;
export const headerPath = (run: string): string => `runs/${run}/header.json`;
/** Which run used a plan. */
export const planPath = (plan: string): string => `plans/${plan}`;

/** Runs that stand in a tree with their journals. */
export function runsIn({ files }: Tree): readonly string[] {
  return [...files.keys()].flatMap((path) => {
    const run = /^runs\/([a-z0-9-]{1,64})\/journal\.ndjson$/.exec(path)?.[1];
    return run === undefined ? [] : [run];
  });
}

/** Every run that has an account, or had one and never reported back. */
export async function claimsIn(tree: Tree): Promise<readonly Claim[]> {
  const paths = [...tree.files.keys()].filter((path) => path.startsWith('claims/'));
  const texts = await tree.texts(paths);
  return [...texts].map(([path, text]) => {
    const value: unknown = JSON.parse(text);
    if (!isClaim(value) || claimPath(value.run) !== path) {
      throw new StoreError(
        `${path} of the state is no claim`,
        'another version may have written it',
      );
    }
    return value;
  });
}

/** The chain vouches that we wrote it. */
function isClaim(value: unknown): value is Claim {
  return (
    isRecord(value) &&
    typeof value['run'] === 'string' &&
    /^[a-z0-9-]{1,64}$/.test(value['run']) &&
    Array.isArray(value['accounts']) &&
    typeof value['host'] === 'string' &&
    typeof value['machine'] === 'string' &&
    typeof value['nonce'] === 'string' &&
    typeof value['since'] === 'number' &&
    typeof value['until'] === 'number'
  );
}

export function accountsOf(accounts: readonly Destination[]): Claim['accounts'] {
  return accounts.map((account) => ({ id: accountOf(account), profile: account.profile }));
}

/** A digest of the words, so that no path of a machine is told. */
export function machineOf(id: string, host: string): string {
  return sha256(`${id} ${host}`).slice(0, 16);
}

/**
 * Claims of other runs on accounts that are wanted. One that ran out and never announced a write
 * has sent nothing: it may go.
 * @returns those that may go
 * @throws HeldError naming the first that may not
 */
export function refuseTaken(
  claims: readonly Claim[],
  wanted: Wanted,
  now: Millis,
  tree: Tree,
): readonly Claim[] {
  const ids = new Set(accountsOf(wanted.accounts).map(({ id }) => id));
  const others = claims.filter(
    ({ run, accounts }) => run !== wanted.run && accounts.some(({ id }) => ids.has(id)),
  );
  for (const claim of others) {
    refuseRunning(claim, now);
    if (!tree.files.has(journalPath(claim.run))) continue;
    throw new HeldError(
      `run ${claim.run} began on ${claim.host} and never reported back: what it sent is not known`,
      `finish it first: deskhand resume ${claim.run} looks up every write of it`,
    );
  }
  return others;
}

/** @throws HeldError while another machine may still be signing */
export function refuseRunning({ run, host, accounts, until }: Claim, now: Millis): void {
  if (now > until) return;
  const profiles = listed(accounts.map(({ profile }) => profile));
  throw new HeldError(
    `run ${run} on ${host} has ${profiles} to itself for another ${spoken(until - now)} at least`,
    `wait for it to end; when that machine is gone for good, say so: deskhand runs unlock ${run}`,
  );
}
