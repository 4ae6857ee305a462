/** Finds the runs on which nothing depends, and removes their records. */
import { readdir, rm, stat, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { renameFile } from '../../base/platform/rename.ts';
import type { Millis } from '../../base/clock.ts';
import { canonicalJson } from '../../base/json.ts';
import { isCode } from '../../base/error.ts';
import { noteContinued } from './continued.ts';
import type { Destination, Entry } from './entry.ts';
import { makeFolder } from './file.ts';
import { syncFolder } from '../../base/platform/folder-sync.ts';
import type { RunHeader } from './header.ts';
import { markPath } from './high-water.ts';
import { JournalError } from './error.ts';
import { lockRun } from './lock.ts';
import { reasonIn } from './reason-to-keep.ts';
import { everyRun } from './run-list.ts';
import { readRun, runFolder } from './runs.ts';
import { restOf } from './stored-rest.ts';
import { StoredView } from './stored-view.ts';
import { destinationsOf } from './account.ts';

export interface PruneOptions {
  /**
   * Runs started at this time or later are kept; it must be before the oldest plan that may still
   * be run.
   */
  readonly before: Millis;
  /** The number of newest runs of each playbook that are kept. */
  readonly keep: number;
  /**
   * The place of a run's record, if several machines have it; default: all are only here. The runs
   * of each place are decided apart, because no other machine has those that are only here. A record
   * that was removed elsewhere is removed here, too.
   */
  readonly placeOf?: (run: string) => 'stored' | 'pruned' | undefined;
}

export interface PruneDecision {
  readonly header: RunHeader;
  /** The reason why the run is kept; absent for a run that may be removed. */
  readonly because?: string;
}

/**
 * Decides for every run, newest first. A run that may be removed sent nothing, is finished, and
 * names no account that a kept run does not also name: the next run of every playbook decides as if
 * it still existed.
 * @throws JournalError when a run cannot be identified
 */
export async function pruneDecisions(
  stateDir: string,
  options: PruneOptions,
): Promise<readonly PruneDecision[]> {
  const seen = new Map<string, number>();
  const decisions: PruneDecision[] = [];
  const { before, keep, placeOf = () => undefined } = options;
  const stored = new StoredView(stateDir);
  for (const header of await everyRun(stateDir)) {
    const place = placeOf(header.run);
    const group = canonicalJson([place ?? '', header.playbook]);
    const newer = seen.get(group) ?? 0;
    seen.set(group, newer + 1);
    const isGone = place === 'pruned';
    const because =
      (!isGone && header.createdAt >= before ? 'it is too new' : undefined) ??
      (!isGone && newer < keep ? 'it is among the newest of its playbook' : undefined) ??
      (await reasonToKeep(stateDir, header.run, stored));
    decisions.push({ header, ...(because !== undefined && { because }) });
  }
  return (['stored', 'pruned', undefined] as const)
    .map((place) => decisions.filter(({ header }) => placeOf(header.run) === place))
    .flatMap((each, at) => (at === 1 ? each : withAccounts(each)))
    .toSorted((a, b) => b.header.createdAt - a.header.createdAt);
}

/** The reason why the record of a run is needed; undefined if nothing depends on it. */
async function reasonToKeep(
  stateDir: string,
  run: string,
  stored?: StoredView,
): Promise<string | undefined> {
  const rest = stored && restOf(stored, run);
  if (rest !== undefined) return rest.needed;
  let entries: readonly Entry[];
  try {
    entries = await readRun(stateDir, run);
  } catch (error) {
    if (error instanceof JournalError) return 'its record is damaged';
    throw error;
  }
  return reasonIn(entries);
}

/**
 * Keeps the newest run with each key and id, because runs are the evidence of which account a key or id
 * belongs to.
 */
function withAccounts(decisions: readonly PruneDecision[]): readonly PruneDecision[] {
  const namesOf = ({ header }: PruneDecision): string[] => destinationsOf(header).map(nameOf);
  const kept = new Set(decisions.filter(({ because }) => because !== undefined).flatMap(namesOf));
  return decisions.map((decision) => {
    const names = namesOf(decision);
    if (decision.because !== undefined || names.every((name) => kept.has(name))) return decision;
    for (const name of names) kept.add(name);
    return { ...decision, because: 'it is the newest with its key' };
  });
}

function nameOf({
  profile,
  target,
  host,
  keyFingerprint = '',
  accountId = '',
}: Destination): string {
  return canonicalJson([profile, target, host, keyFingerprint, accountId]);
}

/**
 * Removes the record of a selected run, unless it is needed now: it may have been resumed and have
 * sent an order since. Its mark is removed first, because a mark without a folder means a lost run.
 * @param removeShared removes it from the store of several machines, or returns why it must stay
 * @returns why it was kept; undefined when it was removed
 * @throws LockedError while another process has it; errors of `removeShared`
 */
export async function removeRun(
  stateDir: string,
  run: string,
  removeShared: (run: string) => Promise<string | undefined> = async () => undefined,
): Promise<string | undefined> {
  const lock = await lockRun(stateDir, run);
  try {
    // The store decides whether a run without a folder here has changed.
    const folder = await stat(runFolder(stateDir, run)).catch(ignoreMissing);
    const stored = folder === undefined ? new StoredView(stateDir) : undefined;
    const because = (await reasonToKeep(stateDir, run, stored)) ?? (await removeShared(run));
    if (because !== undefined || folder === undefined) return because;
    await noteContinued(stateDir, run); // another run may get its name
    await unlink(markPath(stateDir, run)).catch(ignoreMissing);
    await syncFolder(join(stateDir, 'high-water')).catch(ignoreMissing);
    const trash = join(stateDir, 'pruned');
    await makeFolder(trash);
    await renameFile(runFolder(stateDir, run), join(trash, run));
    await syncFolder(join(stateDir, 'runs'));
    return undefined;
  } finally {
    await lock.release();
  }
}

/** Deletes the files of removed runs, of this call or before a crash. */
export async function emptyTrash(stateDir: string): Promise<void> {
  const trash = join(stateDir, 'pruned');
  for (const name of (await readdir(trash).catch(ignoreMissing)) ?? []) {
    await rm(join(trash, name), { recursive: true, force: true });
  }
}

function ignoreMissing(error: unknown): undefined {
  if (isCode(error, 'ENOENT')) return undefined;
  throw error;
}
