/** The store that outlives a machine: a ref of the repository, changed only by pushes. */
import { hostname } from 'node:os';
import type { Millis } from '../../base/clock.ts';
import { readableJson } from '../../base/json.ts';
import { UsageError } from '../../base/error.ts';
import { randomId } from '../../base/random.ts';
import { plainText } from '../../base/text.ts';
import { readJournal } from '../../journal/journal.ts';
import { encodeRecord } from '../../journal/record.ts';
import { lockAccounts } from '../local.ts';
import {
  HeldError,
  type Claim,
  type Hold,
  type StateStore,
  type Unlocking,
  type Unreported,
  type Wanted,
} from '../store.ts';
import {
  accountsOf,
  claimPath,
  claimsIn,
  journalPath,
  machineOf,
  planPath,
  refuseRunning,
  refuseTaken,
} from './claims.ts';
import { adoptRun, bringRuns, runHere, runThere } from './hydrate.ts';
import { holdOver } from './hold.ts';
import { machineId } from './memory.ts';
import type { Edit } from './commit.ts';
import type { StateRef } from './ref.ts';
import type { Tree } from './tree.ts';

export interface GitStoreOptions {
  readonly stateDir: string;
  readonly ref: StateRef;
  /** How long a claim holds without being renewed, by the exchange's clock. */
  readonly lease: Millis;
  /** The machine's name for people. */
  readonly host?: string;
}

export function gitStore(options: GitStoreOptions): StateStore {
  const { stateDir, ref } = options;
  return {
    sync: async () => {
      const tree = await ref.read();
      await bringRuns(tree, stateDir);
      return claimsIn(tree);
    },
    claim: async (wanted) => {
      // Processes of this machine first: they are told apart at once and without a push.
      const lock = await lockAccounts(stateDir, wanted.accounts, wanted.run);
      try {
        return await take(wanted, options, () => lock.release());
      } catch (error) {
        await lock.release();
        throw error;
      }
    },
    unlock: async (word) => {
      await ref.change((tree) => unlocked(tree, word));
    },
  };
}

async function take(
  wanted: Wanted,
  options: GitStoreOptions,
  letGo: () => Promise<void>,
): Promise<Hold> {
  const { stateDir, ref, lease, host = hostname() } = options;
  const machine = machineOf(await machineId(stateDir), host);
  const nonce = randomId(16);
  let claim: Claim | undefined;
  const tree = await ref.change(
    async (now) => {
      const time = await wanted.now();
      const claims = await claimsIn(now);
      const goners = refuseTaken(claims, wanted, time, now);
      const earlier = await earlierClaim(wanted, { machine, time, tree: now, claims, stateDir });
      claim = {
        run: wanted.run,
        playbook: wanted.playbook,
        ...(wanted.plan !== undefined && { plan: wanted.plan }),
        accounts: accountsOf(wanted.accounts),
        host: plainText(host, 80),
        machine,
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
  await bringRuns(tree, stateDir); // a run may have ended since this one looked
  await adoptRun(tree, stateDir, wanted.run);
  if (claim === undefined) throw new HeldError('the accounts were not taken', 'run it again');
  return holdOver({ claim, tree, wanted, stateDir, ref, lease, letGo });
}

interface Around {
  readonly machine: string;
  readonly time: Millis;
  readonly tree: Tree;
  readonly claims: readonly Claim[];
  readonly stateDir: string;
}

/**
 * What an earlier sitting of the same run leaves behind: since when it may have sent something,
 * and what of that this machine cannot know.
 * @throws HeldError when the run may not begin, or is still at work elsewhere
 */
async function earlierClaim(
  { run, plan, isResumed }: Wanted,
  { machine, time, tree, claims, stateDir }: Around,
): Promise<{ readonly since?: Millis; readonly before?: Unreported }> {
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
  if (claim.machine === machine && isWhole) {
    // Our own process died: what it did stands in the journal here.
    return { since: claim.since, ...(claim.before && { before: claim.before }) };
  }
  refuseRunning(claim, time);
  const { host, since, until } = claim;
  return there === undefined ? {} : { since, before: { host, since, until } };
}

function usedAlready(run: string, claim: Claim | undefined): HeldError {
  return claim === undefined
    ? new HeldError(`this plan was run already, as ${run}`, 'make a new plan and have it reviewed')
    : new HeldError(
        `this plan was begun already, as ${run} on ${claim.host}`,
        `if that machine is gone, go on with it: deskhand resume ${run}`,
      );
}

async function unlocked(tree: Tree, word: Unlocking): Promise<Edit> {
  const { run, nonce, who, comment, givesUp, now, at } = word;
  const claims = await claimsIn(tree);
  const claim = claims.find((other) => other.run === run);
  if (claim === undefined) {
    const held = claims.map((other) => other.run).join(', ');
    throw new UsageError(`${run} has no account to itself`, held ? `${held} has` : 'no run has');
  }
  if (claim.nonce !== nonce) {
    throw new HeldError(
      `${claim.host} has taken ${run} meanwhile`,
      'look again: deskhand runs list',
    );
  }
  const until = Math.min(claim.until, now);
  const why = `${run} ${givesUp ? 'given up' : 'unlocked'} by ${who}: ${comment}`;
  if (!givesUp)
    return { why, files: new Map([[claimPath(run), readableJson({ ...claim, until })]]) };
  const files = new Map<string, string | null>([[claimPath(run), null]]);
  const there = await runThere(tree, run);
  if (there === undefined) return { why, files };
  // Whoever goes on with it after all must still look everything up.
  const { state } = readJournal(there.journal, journalPath(run));
  const { host, since } = claim;
  const { line } = encodeRecord(
    { kind: 'taken-over', host, since, until },
    { seq: state.seq + 1, at, prev: state.link },
  );
  return { why, files: files.set(journalPath(run), there.journal + line) };
}
