/** Runs of other machines, brought into the state folder as if they had been made here. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { makeFolder, replaceFile } from '../../journal/file.ts';
import { readJournal } from '../../journal/journal.ts';
import { runFolder } from '../../journal/runs.ts';
import { headerPath, journalPath, runsIn } from './claims.ts';
import { blobId } from './commit.ts';
import type { Tree } from './tree.ts';

/** A run as it lies on a disk or in a tree. */
export interface RunFiles {
  readonly header: string;
  readonly journal: string;
}

/** What this machine has of a run; undefined when it has nothing. */
export async function runHere(stateDir: string, run: string): Promise<RunFiles | undefined> {
  const folder = runFolder(stateDir, run);
  const [header, journal] = await Promise.all(
    ['header.json', 'journal.ndjson'].map((name) =>
      readFile(join(folder, name), 'utf8').catch(undefinedWhenMissing),
    ),
  );
  if (header === undefined || journal === undefined) return undefined;
  // A line that is being written right now is not there yet.
  return { header, journal: journal.slice(0, journal.lastIndexOf('\n') + 1) };
}

/** What a tree has of a run; undefined when it has nothing. */
export async function runThere(tree: Tree, run: string): Promise<RunFiles | undefined> {
  const texts = await tree.texts([headerPath(run), journalPath(run)]);
  const header = texts.get(headerPath(run));
  const journal = texts.get(journalPath(run));
  return header === undefined || journal === undefined ? undefined : { header, journal };
}

/**
 * Brings what is missing here. A journal that goes on from what stands here replaces it; one that
 * does not is left to whoever takes the run, as this machine may be writing it.
 * @throws JournalError for a journal that is not as it was written
 */
export async function bringRuns(tree: Tree, stateDir: string): Promise<void> {
  for (const run of runsIn(tree)) {
    const here = await runHere(stateDir, run);
    const there = tree.files.get(journalPath(run)) ?? '';
    if (here !== undefined && blobId(here.journal, there.length) === there) continue;
    const files = await runThere(tree, run);
    if (files === undefined) continue;
    if (here === undefined || files.journal.startsWith(here.journal)) {
      await putRun(stateDir, run, files);
    }
  }
}

/**
 * Makes this machine's files of a run those of the tree, unless they only go on from them. What
 * stood here and leads elsewhere is set aside, never lost.
 */
export async function adoptRun(tree: Tree, stateDir: string, run: string): Promise<void> {
  const files = await runThere(tree, run);
  if (files === undefined) return;
  const here = await runHere(stateDir, run);
  if (here?.journal.startsWith(files.journal)) return;
  if (here !== undefined && !files.journal.startsWith(here.journal)) {
    const name = `set-aside-${blobId(here.journal, 40).slice(0, 8)}.ndjson`;
    await replaceFile(join(runFolder(stateDir, run), name), here.journal);
  }
  await putRun(stateDir, run, files);
}

async function putRun(stateDir: string, run: string, files: RunFiles): Promise<void> {
  readJournal(files.journal, journalPath(run)); // refused before it stands here
  const folder = runFolder(stateDir, run);
  await makeFolder(folder);
  await replaceFile(join(folder, 'header.json'), files.header);
  await replaceFile(join(folder, 'journal.ndjson'), files.journal);
}

function undefinedWhenMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return undefined;
  throw error;
}
