/** Restores runs of other machines in the state folder, like local ones. */
import { readJournal } from '../../engine/journal/journal.ts';
import { LockedError, lockRun, type LockOptions } from '../../engine/journal/lock.ts';
import { JournalError } from '../../engine/journal/error.ts';
import { readMark, type HighWater } from '../../engine/journal/high-water.ts';
import { keepAside, putRun, runHere, type RunFiles } from '../run-files.ts';
import { headerPath, journalPath, runsIn } from './claims.ts';
import { blobId } from './commit.ts';
import type { Tree } from './tree.ts';

/** The files that a run has in a tree; undefined if there are none. */
export async function runThere(tree: Tree, run: string): Promise<RunFiles | undefined> {
  const texts = await tree.texts([headerPath(run), journalPath(run)]);
  const header = texts.get(headerPath(run));
  const journal = texts.get(journalPath(run));
  return header === undefined || journal === undefined ? undefined : { header, journal };
}

/**
 * Restores missing runs. A journal that continues the local one replaces it. So does that of a machine that
 * took the run over, if no process of this machine may be writing the local journal. Any other journal is
 * left to the process that takes the run. A damaged local journal is replaced only by one that has everything
 * that was written here.
 * @throws JournalError for a journal that was changed
 */
export async function bringRuns(
  tree: Tree,
  stateDir: string,
  options: Pick<LockOptions, 'kernel' | 'guard'>,
): Promise<void> {
  for (const run of runsIn(tree)) {
    const there = tree.files.get(journalPath(run)) ?? '';
    const seen = await runHere(stateDir, run);
    if (seen !== undefined && blobId(seen.journal, there.length) === there) continue;
    const files = await runThere(tree, run);
    if (files === undefined) continue;
    // The mark is read first: a journal that is being written never falls behind it.
    const known = await readMark(stateDir, run);
    const here = await runHere(stateDir, run);
    const goesOn = here === undefined || files.journal.startsWith(here.journal);
    if (!goesOn && isWhole(here.journal, known)) {
      const isTaken =
        isWhole(files.journal, undefined) && wasTakenOver(files.journal, here.journal);
      if (isTaken) await adoptEnded(tree, stateDir, run, options);
      continue;
    }
    if (!isWhole(files.journal, known) && !wasTakenOver(files.journal)) continue;
    if (!goesOn) await keepAside(stateDir, run, here.journal);
    await putRun(stateDir, run, files);
  }
}

function isWhole(journal: string, known: HighWater | undefined): boolean {
  try {
    readJournal(journal, '', known);
    return true;
  } catch (error) {
    if (error instanceof JournalError) return false;
    throw error;
  }
}

/**
 * Adopts a run that another machine continued after its process ended here, with lines that only this machine
 * has.
 */
async function adoptEnded(
  tree: Tree,
  stateDir: string,
  run: string,
  options: LockOptions,
): Promise<void> {
  const lock = await lockRun(stateDir, run, options).catch((error: unknown) => {
    if (error instanceof LockedError) return undefined;
    throw error;
  });
  try {
    if (lock !== undefined) await adoptRun(tree, stateDir, run);
  } finally {
    await lock?.release();
  }
}

/**
 * Whether another machine took a run over. Then local entries that were never pushed are covered: the run
 * that continued looks all of them up.
 * @param since a journal; only entries after those that both have count
 */
function wasTakenOver(journal: string, since = ''): boolean {
  const before = since.split('\n');
  const same = journal.split('\n').findIndex((line, at) => line !== before[at]);
  return readJournal(journal, '')
    .entries.slice(same)
    .some(({ kind }) => kind === 'taken-over');
}

/**
 * Replaces the local files of a run with those of the tree, unless the local ones only continue those. A
 * different local journal is set aside, never lost.
 */
export async function adoptRun(tree: Tree, stateDir: string, run: string): Promise<void> {
  const files = await runThere(tree, run);
  if (files === undefined) return;
  const here = await runHere(stateDir, run);
  if (here?.journal.startsWith(files.journal)) return;
  if (here !== undefined && !files.journal.startsWith(here.journal)) {
    await keepAside(stateDir, run, here.journal);
  }
  await putRun(stateDir, run, files);
}
