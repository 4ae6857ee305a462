/** The files of a state, and the claims on accounts in them. */
import type { Millis } from '../../base/clock.ts';
import { isRecord } from '../../base/json.ts';
import { accountNames } from '../../engine/journal/account.ts';
import { isRunId } from '../../engine/journal/identity.ts';
import { isOwner } from '../../base/lock/owner.ts';
import { refuseRunning, refuseUnfinished } from '../claims.ts';
import { StoreError, type Claim, type Wanted } from '../store.ts';
import type { Tree } from './tree.ts';

export const claimPath = (run: string): string => `claims/${run}.json`;
export const journalPath = (run: string): string => `runs/${run}/journal.ndjson`;
export const headerPath = (run: string): string => `runs/${run}/header.json`;
/** The path of the file that names the run which used a plan. */
export const planPath = (plan: string): string => `plans/${plan}`;

/** The runs that have a journal in a tree. */
export function runsIn({ files }: Tree): readonly string[] {
  return [...files.keys()].flatMap((path) => {
    const run = /^runs\/([a-z0-9-]{1,64})\/journal\.ndjson$/.exec(path)?.[1];
    return run === undefined ? [] : [run];
  });
}

/** The claims of every run that has an account, or had one and did not report its end. */
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

/** Whether a value is a claim. Fields are not checked: the chain proves that deskhand wrote it. */
function isClaim(value: unknown): value is Claim {
  return (
    isRecord(value) &&
    typeof value['run'] === 'string' &&
    isRunId(value['run']) &&
    Array.isArray(value['accounts']) &&
    typeof value['host'] === 'string' &&
    typeof value['machine'] === 'string' &&
    (value['owner'] === undefined || isOwner(value['owner'])) &&
    typeof value['nonce'] === 'string' &&
    typeof value['since'] === 'number' &&
    typeof value['until'] === 'number'
  );
}

/**
 * Claims of other runs on the requested accounts. An expired claim of a run without a pushed write can be
 * removed: that run has sent nothing.
 * @returns the removable claims
 * @throws HeldError naming the first claim that is not removable
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
    refuseUnfinished(claim);
  }
  return others;
}
