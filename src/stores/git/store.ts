/** The store in a ref of a git repository: it outlasts a machine, and only pushes change it. */
import type { Millis } from '../../base/clock.ts';
import { readableJson } from '../../base/json.ts';
import { UsageError } from '../../base/error.ts';
import { randomId } from '../../base/random.ts';
import { plainText } from '../../base/text.ts';
import { readJournal } from '../../engine/journal/journal.ts';
import { machineId } from '../../engine/journal/machine.ts';
import { writeLost } from '../../engine/journal/lost.ts';
import { takenOver } from '../../engine/journal/possible.ts';
import { encodeRecord } from '../../engine/journal/record.ts';
import { locksToFree } from '../../engine/journal/unlock.ts';
import type { GuardOf } from '../../base/lock/guard.ts';
import { thisKernel, type Kernel } from '../../base/lock/kernel.ts';
import { lifeOf, type Owner } from '../../base/lock/owner.ts';
import { freeHere } from '../local.ts';
import {
  HeldError,
  type Claim,
  type Hold,
  type StateStore,
  type Unlocking,
  type Unreported,
  type Wanted,
} from '../store.ts';
import { accountsOf, markOf, ownerOfClaim, refuseRunning, usedAlready } from '../claims.ts';
import { lockUnderLease } from '../locks.ts';
import { claimPath, claimsIn, journalPath, planPath, refuseTaken } from './claims.ts';
import { adoptRun, bringRuns, runThere } from './hydrate.ts';
import { runHere } from '../run-files.ts';
import { holdOver } from './hold.ts';
import { isOwn, noteOwn } from './own.ts';
import type { Edit } from './commit.ts';
import type { StateRef } from './ref.ts';
import type { Tree } from './tree.ts';

export interface GitStoreOptions {
  readonly stateDir: string;
  readonly ref: StateRef;
  /** How long a claim is valid without renewal, by the exchange's clock. */
  readonly lease: Millis;
  /** Identifies processes. Default: the operating system does. */
  readonly kernel?: Kernel;
  readonly guard?: GuardOf;
}

export function gitStore(options: GitStoreOptions): StateStore {
  const { stateDir, ref } = options;
  return {
    sync: async () => {
      const tree = await ref.read();
      await bringRuns(tree, stateDir, options);
      const claims = await claimsIn(tree);
      for (const claim of claims) await noteIfLost(claim, tree, stateDir);
      return claims;
    },
    claim: async (wanted) => {
      const { kernel, guard } = options;
      const nonce = randomId(16);
      const lock = await lockUnderLease(
        wanted,
        { stateDir, claims: async () => claimsIn(await ref.read()) },
        {
          claim: nonce,
          ...(kernel && { kernel }),
          ...(guard && { guard }),
        },
      );
      try {
        return await take(wanted, nonce, options, () => lock.release());
      } catch (error) {
        await lock.release();
        throw error;
      }
    },
    unlock: async (word) => {
      const locks = await locksToFree(stateDir, word.run);
      const tree = await ref.read();
      const isClaimed = (await claimsIn(tree)).some(({ run }) => run === word.run);
      if (isClaimed || locks.length === 0) await ref.change((now) => unlocked(now, word), tree);
      await freeHere(stateDir, locks, word);
    },
  };
}

/** Notes that a run's machine may send writes that the journal fetched here lacks. */
async function noteIfLost(
  { run, nonce, host, since, until }: Claim,
  tree: Tree,
  stateDir: string,
): Promise<void> {
  if (!tree.files.has(journalPath(run)) || (await isOwn(stateDir, run, nonce))) return;
  await writeLost(stateDir, run, 'lost.json', { host, since, until });
}

async function take(
  wanted: Wanted,
  nonce: string,
  options: GitStoreOptions,
  letGo: () => Promise<void>,
): Promise<Hold> {
  const { stateDir, ref, lease, kernel = thisKernel() } = options;
  const owner = ownerOfClaim(await machineId(stateDir), kernel);
  const isDead = (other: Owner): boolean => lifeOf(other, owner, kernel).state === 'dead';
  let claim: Claim | undefined;
  const tree = await ref.change(
    async (now) => {
      const time = await wanted.now();
      const claims = await claimsIn(now);
      const goners = refuseTaken(claims, wanted, time, now);
      const earlier = await earlierClaim(wanted, { isDead, time, tree: now, claims, stateDir });
      if (earlier.own !== undefined) await noteOwn(stateDir, wanted.run, [earlier.own, nonce]);
      claim = {
        run: wanted.run,
        playbook: wanted.playbook,
        ...(wanted.plan !== undefined && { plan: wanted.plan }),
        accounts: accountsOf(wanted.accounts),
        host: plainText(owner.host, 80),
        machine: markOf(owner),
        owner,
        nonce,
        since: earlier.since ?? time,
        until: time + lease,
        ...(earlier.before && { before: earlier.before }),
      };
      const files = new Map<string, string | null>(
        goners.map(({ run }) => [claimPath(run), null] as const),
      );
      return {
        why: `${wanted.run} begins on ${claim.host}`,
        files: files.set(claimPath(wanted.run), readableJson(claim)),
      };
    },
    await ref.read(),
  );
  await bringRuns(tree, stateDir, options); // a run may have ended since the last check
  await adoptRun(tree, stateDir, wanted.run);
  if (claim === undefined) throw new HeldError('the accounts were not claimed', 'run it again');
  return holdOver({ claim, tree, wanted, stateDir, ref, lease, letGo });
}

interface Around {
  /** Whether a process provably ended. */
  readonly isDead: (owner: Owner) => boolean;
  readonly time: Millis;
  readonly tree: Tree;
  readonly claims: readonly Claim[];
  readonly stateDir: string;
}

interface Earlier {
  readonly since?: Millis;
  readonly before?: Unreported;
  /**
   * Nonce of a claim whose holder provably ended and wrote the local journal: the claim can be taken over.
   */
  readonly own?: string;
}

/**
 * What an earlier attempt of a run left: the time since when it may have sent something that this machine
 * cannot know.
 * @throws HeldError when the run may not start, or is still running elsewhere
 */
async function earlierClaim(
  { run, plan, isResumed }: Wanted,
  { isDead, time, tree, claims, stateDir }: Around,
): Promise<Earlier> {
  const claim = claims.find((other) => other.run === run);
  const there = await runThere(tree, run);
  if (!isResumed && there !== undefined) throw usedAlready(run, claim);
  if (!isResumed && plan !== undefined) {
    const used = (await tree.texts([planPath(plan)])).get(planPath(plan))?.trim();
    if (used !== undefined) throw usedAlready(used, undefined);
  }
  if (claim === undefined) return {};
  const here = await runHere(stateDir, run);
  const isWhole = there === undefined || here?.journal.startsWith(there.journal) === true;
  const isProved = claim.owner !== undefined && isDead(claim.owner);
  if (isProved && isWhole && (await isOwn(stateDir, run, claim.nonce))) {
    // An ended process wrote the local journal: everything it did is in it.
    const { since, before, nonce } = claim;
    return { since, own: nonce, ...(before && { before }) };
  }
  refuseRunning(claim, time);
  const { host, since, until } = claim;
  return there === undefined ? {} : { since, before: { host, since, until } };
}

async function unlocked(tree: Tree, word: Unlocking): Promise<Edit> {
  const { run, nonce, who, comment, givesUp, now, at } = word;
  const claims = await claimsIn(tree);
  const claim = claims.find((other) => other.run === run);
  if (claim === undefined) {
    const known = claims.map((other) => other.run).join(', ');
    throw new UsageError(
      `${run} has no claim on an account`,
      known ? `${known} has` : 'no run has',
    );
  }
  if (claim.nonce !== nonce) {
    throw new HeldError(
      `${claim.host} has taken over ${run} in the meantime`,
      'check again: deskhand runs list',
    );
  }
  const until = Math.min(claim.until, now);
  const why = `${run} ${givesUp ? 'given up' : 'unlocked'} by ${who}: ${comment}`;
  if (!givesUp)
    return { why, files: new Map([[claimPath(run), readableJson({ ...claim, until })]]) };
  const files = new Map<string, string | null>([[claimPath(run), null]]);
  const there = await runThere(tree, run);
  if (there === undefined) return { why, files };
  // A later resume of the run must still look everything up.
  const { entries, state } = readJournal(there.journal, journalPath(run));
  const { host, since } = claim;
  let { seq, link: prev } = state;
  let journal = there.journal;
  for (const event of takenOver(entries, { host, since, until })) {
    const record = encodeRecord(event, { seq: ++seq, at, prev });
    journal += record.line;
    prev = record.link;
  }
  return { why, files: files.set(journalPath(run), journal) };
}
