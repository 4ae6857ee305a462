/** Restores runs of a shared database in the state folder, like local ones. */
import { JournalError } from '../../engine/journal/error.ts';
import { readJournal } from '../../engine/journal/journal.ts';
import { plainText } from '../../base/text.ts';
import { isRunId } from '../../engine/journal/identity.ts';
import { StoreError } from '../store.ts';
import { lockRun, LockedError } from '../../engine/journal/lock.ts';
import { DamagedRecordError } from '../../engine/journal/record.ts';
import { keepAside, putDamaged, putRun, runHere, type RunFiles } from '../run-files.ts';
import { lastLink, linesIn } from './lines.ts';
import type { Changes, RunLines, SharedRuns } from './shared-runs.ts';

/** The lines that the database has of a run, compared with the state folder. */
export interface Brought {
  /** Number of lines in the database. */
  readonly stored: number;
  /**
   * Whether the state folder has more lines. A line is written here only after it was stored there, so the
   * database forgot lines, or the run was begun without the database.
   */
  readonly isAhead: boolean;
}

/**
 * Fetches the runs that changed. A run that a process of this folder is writing is left to it: its lines are
 * in the database before they are here.
 * @throws StoreError for what is not the id of a run, after all others are here
 */
export async function bringChanged(
  runs: SharedRuns,
  stateDir: string,
  changes: Changes,
): Promise<void> {
  const [known, strange] = [
    changes.runs.filter(isKnown),
    changes.runs.filter((one) => !isKnown(one)),
  ];
  for (const { run, lines, link } of known) {
    const here = await runHere(stateDir, run);
    if (here !== undefined && linesIn(here.journal) === lines && linkHere(here) === link) continue;
    await bringUnlessHeld(runs, stateDir, run);
  }
  for (const { run } of strange) refuseStrange(run);
}

function isKnown({ run }: Changes['runs'][number]): boolean {
  return isRunId(run);
}

/**
 * Fetches one run, unless it is complete here, or a process of this folder is writing it. As for
 * changed runs, only the last line is compared; all are checked before the run is continued.
 * @param keeps as for `bringRun`
 */
export async function bringUnlessHeld(
  runs: SharedRuns,
  stateDir: string,
  run: string,
  keeps = false,
): Promise<void> {
  refuseStrange(run);
  const here = await runHere(stateDir, run);
  if (here !== undefined && (await isComplete(here, runs, run))) return;
  const lock = await lockRun(stateDir, run).catch(undefinedIfLocked);
  if (lock === undefined) return;
  try {
    await bringRun(runs, stateDir, run, keeps);
  } catch (error) {
    if (!(error instanceof JournalError)) throw error;
    await bringDamaged(runs, stateDir, run);
  } finally {
    await lock.release();
  }
}

async function isComplete(here: RunFiles, runs: SharedRuns, run: string): Promise<boolean> {
  const count = linesIn(here.journal);
  const there = await runs.lines(run, count);
  return there?.count === count && there.link === linkHere(here);
}

/** Refuses a text that is not the id of a run, because it becomes the name of a folder. @throws StoreError */
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
 * Fetches the lines of a run that the state folder lacks, under the lock of the run. Another journal here,
 * also a damaged one, is set aside and replaced.
 * @param keeps the run is about to continue: its journal is read again soon
 * @throws JournalError for lines in the database that were changed
 */
export async function bringRun(
  runs: SharedRuns,
  stateDir: string,
  run: string,
  keeps = false,
): Promise<Brought> {
  refuseStrange(run);
  // The local lines are read first: what a process stores meanwhile is in the database before it is here.
  const here = await runHere(stateDir, run);
  const count = here === undefined ? 0 : linesIn(here.journal);
  const there = await runs.lines(run, count);
  if (there === undefined) return { stored: 0, isAhead: count > 0 };
  const same = { stored: there.count, isAhead: false };
  if (here !== undefined) {
    const isEqual = there.count === count && there.link === linkHere(here);
    if (isEqual && isChained(here.journal)) return same;
    const longer = { header: there.header, journal: here.journal + there.text };
    if (there.count < count && (await continues(here, there, runs, run))) {
      return { ...same, isAhead: true };
    }
    if (there.count > count && isWhole(longer.journal, there) && isChained(longer.journal)) {
      await putRun(stateDir, run, longer, keeps);
      return same;
    }
    if (here.journal !== there.text) await keepAside(stateDir, run, here.journal);
  }
  const whole = count === 0 ? there : await runs.lines(run, 0);
  if (whole === undefined) return { stored: 0, isAhead: false };
  refuseLost(run, whole);
  await putRun(stateDir, run, { header: whole.header, journal: whole.text }, keeps);
  return { stored: whole.count, isAhead: false };
}

/**
 * Fetches a run whose lines in the database are damaged. It is kept unchanged, with a mark of how much was
 * stored: every command then reports where it is damaged, and nothing continues it. Other runs stay readable.
 * An intact journal of this folder that has as many lines is left.
 */
async function bringDamaged(runs: SharedRuns, stateDir: string, run: string): Promise<void> {
  const here = await runHere(stateDir, run);
  const there = await runs.lines(run, 0);
  if (there === undefined) return;
  const { count, link, text } = there;
  if (here !== undefined && linesIn(here.journal) >= count && isChained(here.journal)) return;
  await putDamaged(stateDir, run, { header: there.header, journal: text, seq: count, link });
}

/** @throws JournalError unless these are all lines of the run */
function refuseLost(run: string, { text, count, link }: RunLines): void {
  if (isWhole(text, { count, link })) return;
  throw new JournalError(
    `runs/${run}/journal.ndjson is damaged: the database has ${linesIn(text)} of its ${count} lines, or another last one`,
  );
}

function isWhole(journal: string, { count, link }: Pick<RunLines, 'count' | 'link'>): boolean {
  return linesIn(journal) === count && linkHere({ header: '', journal }) === link;
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
