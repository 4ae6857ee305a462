/** The runs of a state folder in memory, newest first. A run is read again only when the file system
 * shows that its journal or header changed: those in progress are looked at in every round, a tenth
 * of the others in turn, and all of them when a lock was taken or released.
 */
import { lstatSync } from 'node:fs';
import { join } from 'node:path';
import { UsageError } from '../base/error.ts';
import { JournalError } from '../journal/error.ts';
import { locksIn } from '../journal/lock.ts';
import { everyName, listRuns, unnamedRun } from '../journal/run-list.ts';
import { journalPath, readHeader, readRun, runFolder } from '../journal/runs.ts';
import { stampOf } from '../journal/stamp.ts';
import { damagedRow, readRowOf, unnamedRow, type ReadRun, type RunRow } from './run-row.ts';

export interface RunRows {
  /** Looks at the files. @returns runs that changed, were added or removed */
  poll(): Promise<readonly string[]>;
  /** Rows that were read so far, newest first. */
  rows(): readonly RunRow[];
  row(run: string): RunRow | undefined;
  /** Whether a run contains this lower-case text. */
  hasText(run: string, text: string): boolean;
  /** How many runs were read, of how many there are. */
  progress(): { readonly done: number; readonly of: number };
}

const turns = 10; // rounds in which every run is looked at
const batch = 50; // runs read before others have a turn
const roundMax = 400; // runs read in one round

export function runRows(stateDir: string, desk: string): RunRows {
  const known = new Map<string, ReadRun & { readonly stamp: string }>();
  /** Folders that are not runs, or not yet: a run that is being created has no header. */
  const others = new Map<string, string>();
  let names: readonly string[] = [];
  let folders = '';
  let locks = '';
  let alive: ReadonlySet<string> = new Set();
  let turn = 0;
  let sorted: readonly RunRow[] | undefined;

  const isChanged = (run: string): boolean =>
    stampIn(stateDir, run) !== (known.get(run)?.stamp ?? others.get(run));

  /** Runs to look at in this round, unread ones last. */
  const candidates = (isEvery: boolean): string[] => {
    turn = (turn + 1) % turns;
    return names.filter((run, at) => {
      const found = known.get(run);
      const isNew = found === undefined && !others.has(run);
      return isEvery || isNew || found?.isOpen === true || at % turns === turn;
    });
  };

  const listed = async (): Promise<readonly string[]> => {
    const now = folderStamp(join(stateDir, 'runs')) + folderStamp(join(stateDir, 'high-water'));
    if (now === folders && turn !== 0) return names;
    folders = now;
    const all = await everyName(stateDir);
    if (all.length === names.length && all.every((run) => known.has(run) || others.has(run)))
      return names;
    const newest = (await listRuns(stateDir)).map(({ run }) => run);
    return [...new Set([...newest, ...all])];
  };

  const takeLocks = async (): Promise<readonly string[]> => {
    const before = alive;
    alive = await runsAlive(stateDir);
    return [...alive, ...before].filter((run) => alive.has(run) !== before.has(run));
  };

  return {
    poll: async () => {
      names = await listed();
      const lockStamp = folderStamp(join(stateDir, 'locks'));
      const isEvery = lockStamp !== locks;
      locks = lockStamp;
      const changed = new Set<string>(
        isEvery || alive.size > 0 || [...known.values()].some(({ isOpen }) => isOpen)
          ? await takeLocks()
          : [],
      );
      const present = new Set(names);
      for (const run of [...known.keys(), ...others.keys()]) {
        if (present.has(run)) continue;
        others.delete(run);
        if (known.delete(run)) changed.add(run);
      }
      const due = candidates(isEvery).filter(isChanged).slice(0, roundMax);
      for (let at = 0; at < due.length; at += batch) {
        await Promise.all(
          due.slice(at, at + batch).map(async (run) => {
            const stamp = stampIn(stateDir, run); // before it is read
            const read = await readRow(stateDir, desk, run);
            if (read === undefined) {
              others.set(run, stamp);
              if (known.delete(run)) changed.add(run);
            } else {
              others.delete(run);
              known.set(run, { ...read, stamp });
              changed.add(run);
            }
          }),
        );
        await new Promise(setImmediate);
      }
      if (changed.size > 0) sorted = undefined;
      return [...changed];
    },
    rows: () => {
      sorted ??= [...known.values()].map((found) => shown(found, alive)).toSorted(newestFirst);
      return sorted;
    },
    row: (run) => {
      const found = known.get(run);
      return found && shown(found, alive);
    },
    hasText: (run, text) => known.get(run)?.search.includes(text) === true,
    progress: () => ({ done: known.size + others.size, of: names.length }),
  };
}

/** A run without an end is running while its process holds its lock. */
function shown(found: ReadRun, alive: ReadonlySet<string>): RunRow {
  const { row, isOpen, recordedDoubts: doubts } = found;
  return isOpen && alive.has(row.run) ? { ...row, state: 'running', doubts } : row;
}

function newestFirst(a: RunRow, b: RunRow): number {
  return b.startedAt - a.startedAt || (a.run < b.run ? 1 : -1);
}

/** Undefined for what is not a run. */
async function readRow(stateDir: string, desk: string, run: string): Promise<ReadRun | undefined> {
  let header;
  try {
    header = await readHeader(stateDir, run);
  } catch (error) {
    if (error instanceof UsageError) return undefined;
    if (!(error instanceof JournalError)) throw error;
    const unnamed = await unnamedRun(stateDir, run);
    return unnamed && unnamedRow(desk, run, unnamed.because);
  }
  try {
    return readRowOf(desk, header, await readRun(stateDir, run));
  } catch (error) {
    if (error instanceof JournalError) return damagedRow(desk, header, error);
    throw error;
  }
}

/** Runs whose lock a living process holds. */
async function runsAlive(stateDir: string): Promise<ReadonlySet<string>> {
  const held = (await locksIn(stateDir)).filter(({ life }) => life.state === 'alive');
  return new Set(held.flatMap(({ record }) => (record === undefined ? [] : [record.holder])));
}

/** What the file system says about a run's files; '' for one without files. */
function stampIn(stateDir: string, run: string): string {
  const journal = stampOf(journalPath(stateDir, run))?.text ?? '';
  return `${journal}/${stampOf(join(runFolder(stateDir, run), 'header.json'))?.text ?? ''}`;
}

function folderStamp(path: string): string {
  const found = lstatSync(path, { bigint: true, throwIfNoEntry: false });
  return found === undefined ? '-' : `${found.ino} ${found.mtimeNs} ${found.ctimeNs};`;
}
