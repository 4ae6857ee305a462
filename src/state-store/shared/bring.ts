/** Runs of a shared database, restored in the state folder like local ones. */
import { JournalError } from '../../journal/error.ts';
import { readJournal } from '../../journal/journal.ts';
import { plainText } from '../../base/text.ts';
import { isRunId } from '../../journal/identity.ts';
import { StoreError } from '../store.ts';
import { lockRun, LockedError } from '../../journal/lock.ts';
import { DamagedRecordError } from '../../journal/record.ts';
import { keepAside, putRun, runHere, type RunFiles } from '../run-files.ts';
import { lastLink, linesIn } from './lines.ts';
import type { Changes, RunLines, SharedRuns } from './shared-runs.ts';

/** What the database has of a run, compared with the state folder. */
export interface Brought {
  /** Number of lines in the database. */
  readonly stored: number;
  /**
   * The state folder has more: a line is written here only after it was stored there, so the
   * database forgot it, or the run was begun without it.
   */
  readonly isAhead: boolean;
}

/**
 * The same for runs that changed. One that a process of this folder is writing is left to it: its
 * lines are in the database before they are here.
 */
export async function bringChanged(
  runs: SharedRuns,
  stateDir: string,
  changes: Changes,
): Promise<void> {
  for (const { run, lines, link } of changes.runs) {
    refuseStrange(run);
    const here = await runHere(stateDir, run);
    if (here !== undefined && linesIn(here.journal) === lines && linkHere(here) === link) continue;
    await bringUnlessHeld(runs, stateDir, run);
  }
}

/**
 * Fetches one run, unless it is complete here, or a process of this folder is writing it. As for
 * changed runs, only the last line is compared; all are checked before the run is continued.
 */
export async function bringUnlessHeld(
  runs: SharedRuns,
  stateDir: string,
  run: string,
): Promise<void> {
  refuseStrange(run);
  const here = await runHere(stateDir, run);
  if (here !== undefined && (await isComplete(here, runs, run))) return;
  const lock = await lockRun(stateDir, run).catch(undefinedIfLocked);
  if (lock === undefined) return;
  try {
    await bringRun(runs, stateDir, run);
  } finally {
    await lock.release();
  }
}

async function isComplete(here: RunFiles, runs: SharedRuns, run: string): Promise<boolean> {
  const count = linesIn(here.journal);
  const there = await runs.lines(run, count);
  return there?.count === count && there.link === linkHere(here);
}

/** The id becomes the name of a folder. @throws StoreError */
function refuseStrange(run: string): void {
  if (isRunId(run)) return;
  throw new StoreError(
    `the database names a run ${plainText(JSON.stringify(run), 80)}, which is not the id of a run`,
    'find out who wrote to the database',
  );
}

function undefinedIfLocked(error: unknown): undefined {
  if (error instanceof LockedError) return undefined;
  throw error;
}

/**
 * Fetches the lines of a run that the state folder lacks, under the lock of the run. Another journal here, a damaged one too,
 * is set aside and replaced.
 * @throws JournalError for lines in the database that were changed
 */
export async function bringRun(runs: SharedRuns, stateDir: string, run: string): Promise<Brought> {
  refuseStrange(run);
  // Read first: lines that a process stores meanwhile are in the database before they are here.
  const here = await runHere(stateDir, run);
  const count = here === undefined ? 0 : linesIn(here.journal);
  const there = await runs.lines(run, count);
  if (there === undefined) return { stored: 0, isAhead: count > 0 };
  const same = { stored: there.count, isAhead: false };
  if (here !== undefined) {
    const longer = { header: there.header, journal: here.journal + there.text };
    const isEqual = there.count === count && there.link === linkHere(here);
    if (isEqual && isChained(here.journal)) return same;
    if (there.count < count && (await continues(here, there, runs, run))) {
      return { ...same, isAhead: true };
    }
    if (there.count > count && isChained(longer.journal)) {
      await putRun(stateDir, run, longer);
      return same;
    }
    await keepAside(stateDir, run, here.journal);
  }
  const whole = count === 0 ? there : await runs.lines(run, 0);
  if (whole === undefined) return { stored: 0, isAhead: false };
  await putRun(stateDir, run, { header: whole.header, journal: whole.text });
  return { stored: whole.count, isAhead: false };
}

function linkHere({ journal }: RunFiles): string | undefined {
  try {
    return lastLink(journal);
  } catch (error) {
    if (error instanceof DamagedRecordError) return undefined;
    throw error;
  }
}

/** Whether a longer journal here begins with all lines of the database. */
async function continues(
  { journal }: RunFiles,
  { count }: RunLines,
  runs: SharedRuns,
  run: string,
): Promise<boolean> {
  const whole = await runs.lines(run, 0);
  return whole?.count === count && journal.startsWith(whole.text) && isChained(journal);
}

function isChained(journal: string): boolean {
  try {
    return readJournal(journal, '').tornAt === undefined;
  } catch (error) {
    if (error instanceof JournalError) return false;
    throw error;
  }
}
