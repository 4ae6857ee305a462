/** The store of several machines over a database that fences their journals. */
import { atIntervals, type Clock, type Millis } from '../../base/clock.ts';
import { validity, visibility } from '../../exchange/api/promises.ts';
import { randomId } from '../../base/random.ts';
import { plainText } from '../../base/text.ts';
import { machineId } from '../../engine/journal/machine.ts';
import { locksToFree } from '../../engine/journal/unlock.ts';
import type { GuardOf } from '../../base/lock/guard.ts';
import { thisKernel, type Kernel } from '../../base/lock/kernel.ts';
import {
  accountsOf,
  markOf,
  ownerOfClaim,
  prunedRun,
  refuseRunning,
  refuseUnfinished,
  usedAlready,
} from '../claims.ts';
import { freeHere, nothingToFree } from '../local.ts';
import { lockUnderLease } from '../locks.ts';
import {
  HeldError,
  type Beside,
  type Claim,
  type Hold,
  type ListedRuns,
  type Listing,
  type StateStore,
  type SyncScope,
  type TakenOver,
  type Unlocking,
  type Wanted,
} from '../store.ts';
import { summaryVersion, type OverviewFact } from '../../engine/journal/run-summary.ts';
import { fetchesRecords, storedRuns } from '../../engine/journal/stored-runs.ts';
import { bringRun, bringUnlessHeld } from './bring.ts';
import { cursorIn, type CursorFile } from './cursor.ts';
import { releaseEnded } from './ended.ts';
import { sharedHold } from './hold.ts';
import { sharedCoordination } from './coordination.ts';
import { retentionOf, type SharedRetention } from './retention.ts';
import { newestRunsOf } from './newest.ts';
import { fetchChanged, fetchWhole, type Fetching } from './summaries.ts';
import type { SharedFiles } from './shared-files.ts';
import type { SharedOutputs } from './output-copies.ts';
import type { Blocked, SharedClaim, SharedRuns, Taken, TakeRequest } from './shared-runs.ts';

export interface SharedStoreOptions {
  readonly stateDir: string;
  readonly runs: SharedRuns;
  /**
   * Files that machines share. Absent if this database has none: then each machine has separate schedules.
   */
  readonly files?: SharedFiles;
  /** Copies of the files of runs. Default: this database keeps none. */
  readonly outputs?: SharedOutputs;
  /** The fact of each run that lists show. Default: no summaries are used, and every record is fetched. */
  readonly overview?: OverviewFact;
  /** Removes records. Default: nothing is removed from this database. */
  readonly retention?: SharedRetention;
  /** The name that identifies the database, without a password. */
  readonly name: string;
  /** How long a claim is valid without renewal, by the database's clock. */
  readonly lease: Millis;
  readonly clock: Clock;
  /** Calls a function at intervals, and returns the function that ends it. Default: a timer. */
  readonly every?: (ms: Millis, work: () => void) => () => void;
  /** Identifies processes. Default: the operating system does. */
  readonly kernel?: Kernel;
  readonly guard?: GuardOf;
}

export function sharedStore(options: SharedStoreOptions): StateStore {
  const { stateDir, runs, files: shared, clock, outputs, retention, overview } = options;
  const cursor = cursorIn(stateDir, options.name);
  const fetching = new Map();
  const machine: Machine = { runs, stateDir, cursor, fetching, ...(overview && { overview }) };
  if (overview !== undefined)
    fetchesRecords(stateDir, (run) => fetchWhole(machine, run, retention));
  const claims = async (now: Millis, run?: string): Promise<readonly Claim[]> =>
    (await runs.claims(run)).map((claim) => claimOf(claim, now));
  return {
    ...(shared && { coordination: sharedCoordination({ ...options, shared }) }),
    ...(outputs && { outputs }),
    ...(retention && { retention: retentionOf(retention, stateDir, cursor) }),
    sync: async (scope) => {
      if (scope === undefined || !(await syncBeside(scope, machine))) await fetch(machine);
      return claims(clock.now(), scope?.run);
    },
    syncNewest: async (wanted) => {
      const count = await fetchNewest(machine, wanted);
      return { claims: await claims(clock.now()), ...count };
    },
    claim: async (wanted) => {
      const { kernel, guard } = options;
      const nonce = randomId(16);
      const lock = await lockUnderLease(
        wanted,
        { stateDir, claims: (now) => claims(now) },
        {
          claim: nonce,
          ...(kernel && { kernel }),
          ...(guard && { guard }),
        },
      );
      const letGo = (): Promise<void> => lock.release();
      try {
        return await take(wanted, nonce, options, cursor, letGo);
      } catch (error) {
        await letGo();
        throw error;
      }
    },
    unlock: async (word) => {
      const locks = await locksToFree(stateDir, word.run);
      if (!(await unlocked(runs, word)) && locks.length === 0) throw nothingToFree(word.run);
      await freeHere(stateDir, locks, word);
    },
  };
}

/**
 * Fetches the runs on some accounts.
 * @returns false if runs on other accounts may have made the same write: nothing was fetched
 */
async function syncBeside({ run, beside }: SyncScope, machine: Machine): Promise<boolean> {
  const { runs, stateDir } = machine;
  if (beside !== undefined) {
    if (!(await runs.isIdentified(beside.playbook))) return false;
    await fetch(machine, beside);
  }
  if (run !== undefined) await bringUnlessHeld(runs, stateDir, run, true);
  return true;
}

/** The database that runs are fetched from, and the state folder they are restored in. */
interface Machine extends Fetching {
  readonly cursor: CursorFile;
  /** Fetches in progress, by the accounts of their runs. */
  readonly fetching: Map<string, Promise<void>>;
}

/**
 * Fetches the runs that changed, after what is being fetched of the same accounts: of jobs that begin at one time
 * each would fetch the same summaries.
 * @param beside only runs on some accounts; default: all
 */
async function fetch(machine: Machine, beside?: Beside): Promise<void> {
  const { fetching } = machine;
  const name = beside?.accounts.toSorted().join(' ') ?? '';
  const before = fetching.get(name)?.catch(() => undefined); // its own caller has the error
  const own = (before ?? Promise.resolve()).then(() => fetchNow(machine, beside));
  fetching.set(name, own);
  try {
    await own;
  } finally {
    if (fetching.get(name) === own) fetching.delete(name);
  }
}

async function fetchNow(machine: Machine, beside?: Beside): Promise<void> {
  const { runs, cursor, overview } = machine;
  const known = await cursor.read(overview === undefined ? 0 : summaryVersion(overview), beside);
  const changes = await runs.changed(known.cursor, beside);
  await known.write(await fetchChanged(machine, known, changes));
}

/** Fetches the newest runs, or all that changed if this machine knows the others. */
async function fetchNewest(
  machine: Machine,
  wanted: ListedRuns,
): Promise<Pick<Listing, 'count' | 'hasMore'>> {
  const { runs, cursor, overview } = machine;
  const known = overview && (await cursor.read(summaryVersion(overview)));
  const isFew = known !== undefined && known.cursor === undefined;
  const found = isFew ? await newestRunsOf(runs, wanted) : undefined;
  if (found === undefined || known === undefined) {
    await fetch(machine);
    return {};
  }
  const some = found.runs.map(({ run, lines, link }) => ({ run, lines, link }));
  const { cursor: _none, ...fetched } = await fetchChanged(machine, known, {
    runs: some,
    cursor: '',
  });
  await known.write(fetched);
  return { count: found.count, hasMore: found.hasMore };
}

async function take(
  wanted: Wanted,
  nonce: string,
  options: SharedStoreOptions,
  cursor: CursorFile,
  letGo: () => Promise<void>,
): Promise<Hold> {
  const { stateDir, runs, lease, clock, every = atIntervals, kernel = thisKernel() } = options;
  const { outputs, overview } = options;
  const { run, playbook, plan, isResumed } = wanted;
  const owner = ownerOfClaim(await machineId(stateDir), kernel);
  const now = await wanted.now();
  const known = await bringRun(runs, stateDir, run);
  const had = storedRuns(stateDir).end(run)?.lines ?? 0;
  const isAhead = known.stored > 0 && (known.isAhead || had > known.stored);
  // A database that forgot lines counts as another one before anything is sent.
  if (isAhead || cursor.hasForgotten()) await runs.restored(now);
  if (cursor.hasForgotten()) await cursor.reported();
  const request: TakeRequest = {
    run,
    playbook,
    ...(plan !== undefined && { plan }),
    accounts: accountsOf(wanted.accounts),
    host: plainText(owner.host, 80),
    owner,
    nonce,
    lease,
    isResumed,
    now,
  };
  let taken = await runs.take(request);
  if (taken.kind !== 'taken' && (await releaseEnded(taken, request, runs, stateDir))) {
    taken = await runs.take(request);
  }
  if (taken.kind !== 'taken') throw blockedBy(taken, now);
  // The run is fetched again: another process may have continued it until now.
  const { stored } = await bringRun(runs, stateDir, run);
  const unreported = unreportedIn(taken, wanted, now);
  const noted = unreported && { unreported };
  const files = { ...(outputs && { outputs }), ...(overview && { overview }) };
  return sharedHold({ runs, ...files, taken, stored, stateDir, clock, ...noted, every, letGo });
}

function blockedBy(blocked: Blocked, now: Millis): HeldError {
  if (blocked.kind === 'used') return usedAlready(blocked.run, blocked.claim);
  if (blocked.kind === 'pruned') return prunedRun(blocked.run);
  const claim = claimOf(blocked.claim, now);
  if (blocked.kind === 'running') refuseRunning(claim, Math.min(now, claim.until));
  return refuseUnfinished(claim);
}

/** What others may have done in the run without storing a line of it; undefined if everything is known. */
function unreportedIn(
  { before, forgot }: Taken,
  { observedAt }: Wanted,
  now: Millis,
): TakenOver | undefined {
  const kind = 'taken-over';
  // Until the end of this time, a request of a forgotten line may be accepted, and be in no list.
  const isEarlier = forgot !== undefined && observedAt <= forgot.until + validity + visibility;
  if (isEarlier && !forgot.isContinued) {
    const host = 'the database before it was restored';
    return { kind, host, since: observedAt, until: now, forgets: true };
  }
  if (before === undefined) return undefined;
  const { isIncomplete, ...holder } = before;
  if (isIncomplete) return { kind, ...holder, until: now, forgets: true };
  // Each write of the last holder has a line, or was not sent.
  return { kind, ...holder, until: now, isListed: true };
}

function claimOf({ left, ...claim }: SharedClaim, now: Millis): Claim {
  const { owner } = claim;
  return { ...claim, machine: owner === undefined ? '' : markOf(owner), until: now + left };
}

/** Ends the lease of a claim. @returns whether there was a claim @throws HeldError when it was taken since */
async function unlocked(
  runs: SharedRuns,
  { run, nonce = '', givesUp }: Unlocking,
): Promise<boolean> {
  const [claim] = await runs.claims(run);
  if (claim === undefined) return false;
  if (await runs.unlock(run, nonce, givesUp)) return true;
  throw new HeldError(
    `${claim.host} has taken over ${run} in the meantime`,
    'check again: deskhand runs list',
  );
}
