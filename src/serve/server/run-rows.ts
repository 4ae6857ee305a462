/** The runs of a state folder in memory, newest first. A run is read again only when the file system
 * shows that its files changed: those in progress are looked at in every round, a tenth
 * of the others in turn, and all of them when a lock was taken or released.
 */
import { lstatSync } from 'node:fs';
import { join } from 'node:path';
import { locksIn } from '../../engine/journal/lock.ts';
import { everyName } from '../../engine/journal/run-list.ts';
import type { KnownRun, Overviews } from '../../report/overview/overviews.ts';
import { hasEndedHere } from '../../stores/locks.ts';
import type { Claim } from '../../stores/store.ts';
import { rowOf, type ReadRun, type RunRow } from './run-row.ts';

export interface RunRows {
  /** Looks at the files. @returns runs that changed, were added or removed */
  poll(): Promise<readonly string[]>;
  /** The rows that were read so far, newest first. */
  rows(): readonly RunRow[];
  row(run: string): RunRow | undefined;
  /** Whether a run contains this lower-case text. */
  hasText(run: string, text: string): boolean;
  /** The number of runs that were read, and of all runs. */
  progress(): { readonly done: number; readonly of: number };
  /** Stores data that the next server need not read. @param isLast whether the server ends */
  keep(isLast: boolean): void;
}

const turns = 10; // rounds in which every run is looked at
const batch = 50; // runs looked at before others have a turn
const roundMax = 400; // changed runs in one round

interface KnownRow {
  readonly found: KnownRun | undefined;
  /**
   * The data of a run; absent for what is not a run, or not yet: one that is being created has no
   * header.
   */
  readonly read?: ReadRun;
}

/**
 * The rows of a desk's runs. @param claims of runs that are executed now, here or on other machines
 */
export function runRows(
  stateDir: string,
  desk: string,
  overviews: Overviews,
  claims: () => readonly Claim[] = () => [],
): RunRows {
  const known = new Map<string, KnownRow>();
  let names: readonly string[] = [];
  let folders = '';
  let locks = '';
  let alive: ReadonlySet<string> = new Set();
  let turn = 0;
  let sorted: readonly RunRow[] | undefined;

  /** Runs to look at in this round, new ones last. */
  const candidates = (isEvery: boolean): readonly string[] => {
    turn = (turn + 1) % turns;
    if (isEvery) return names;
    return names.filter((run, at) => {
      const row = known.get(run);
      return row === undefined || row.read?.isOpen === true || at % turns === turn;
    });
  };

  /** Lists the runs again. @returns the runs that were removed */
  const list = async (): Promise<readonly string[]> => {
    const now = folderStamp(join(stateDir, 'runs')) + folderStamp(join(stateDir, 'high-water'));
    if (now === folders && turn !== 0) return [];
    folders = now;
    const present = new Set(await everyName(stateDir));
    const before = new Set(names);
    const added = [...present].filter((run) => !before.has(run));
    const kept = names.filter((run) => present.has(run));
    if (added.length > 0 || kept.length < names.length) {
      names = [...kept, ...(await newestFirst(added, overviews))];
    }
    const removed = [...known].filter(([run]) => !present.has(run));
    for (const [run] of removed) known.delete(run);
    return removed.flatMap(([run, { read }]) => (read === undefined ? [] : [run]));
  };

  const takeLocks = async (): Promise<readonly string[]> => {
    const before = alive;
    alive = await runsAlive(stateDir, claims());
    return [...alive, ...before].filter((run) => alive.has(run) !== before.has(run));
  };

  /**
   * Reads a run again if its files changed.
   * @returns whether it is a run whose row changed, or was one
   */
  const look = async (run: string): Promise<boolean> => {
    const found = await overviews.read(run);
    const before = known.get(run);
    if (before !== undefined && before.found === found) return false;
    known.set(run, { found, ...(found && { read: rowOf(desk, run, found) }) });
    return found !== undefined || before?.read !== undefined;
  };

  return {
    poll: async () => {
      const changed = new Set(await list());
      const lockStamp = folderStamp(join(stateDir, 'locks'));
      const isEvery = lockStamp !== locks;
      locks = lockStamp;
      if (isEvery || alive.size > 0 || [...known.values()].some(({ read }) => read?.isOpen)) {
        for (const run of await takeLocks()) changed.add(run);
      }
      const due = candidates(isEvery);
      for (let at = 0; at < due.length && changed.size < roundMax; at += batch) {
        const some = due.slice(at, at + batch);
        const isChanged = await Promise.all(some.map(look));
        for (const [index, run] of some.entries()) if (isChanged[index]) changed.add(run);
        await new Promise(setImmediate);
      }
      if (changed.size > 0) sorted = undefined;
      return [...changed];
    },
    rows: () => {
      sorted ??= [...known.values()]
        .flatMap(({ read }) => (read === undefined ? [] : [shown(read, alive)]))
        .toSorted(byStart);
      return sorted;
    },
    row: (run) => {
      const read = known.get(run)?.read;
      return read && shown(read, alive);
    },
    hasText: (run, text) => known.get(run)?.read?.search.some((own) => own.includes(text)) === true,
    progress: () => ({ done: known.size, of: names.length }),
    keep: (isLast) => overviews.keep(names, isLast),
  };
}

/** Runs newest first, for a server that has just been started. */
async function newestFirst(
  runs: readonly string[],
  overviews: Overviews,
): Promise<readonly string[]> {
  const headers = await Promise.all(runs.map((run) => overviews.header(run)));
  return runs
    .map((run, at) => ({ run, createdAt: headers[at]?.createdAt ?? -Infinity }))
    .toSorted((a, b) => b.createdAt - a.createdAt)
    .map(({ run }) => run);
}

/**
 * The state that is shown: a run without an end is running while a process holds its lock or its
 * claim.
 */
function shown(found: ReadRun, alive: ReadonlySet<string>): RunRow {
  const { row, isOpen, recordedDoubts: doubts } = found;
  return isOpen && alive.has(row.run) ? { ...row, state: 'running', doubts } : row;
}

function byStart(a: RunRow, b: RunRow): number {
  return b.startedAt - a.startedAt || (a.run < b.run ? 1 : -1);
}

/** Runs whose lock a living process holds, or whose claim is valid. */
async function runsAlive(stateDir: string, claims: readonly Claim[]): Promise<ReadonlySet<string>> {
  const locks = await locksIn(stateDir);
  const held = locks.filter(({ life }) => life.state === 'alive');
  const claimed = claims.filter((claim) => !hasEndedHere(claim, locks));
  return new Set([
    ...held.flatMap(({ record }) => (record === undefined ? [] : [record.holder])),
    ...claimed.map(({ run }) => run),
  ]);
}

function folderStamp(path: string): string {
  const found = lstatSync(path, { bigint: true, throwIfNoEntry: false });
  return found === undefined ? '-' : `${found.ino} ${found.mtimeNs} ${found.ctimeNs};`;
}
