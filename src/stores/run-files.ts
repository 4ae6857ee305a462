/** Reads and replaces the files of a run in the state folder. */
import { readRegular } from '../base/read-file.ts';
import { sha256 } from '../base/json.ts';
import { lstat } from 'node:fs/promises';
import { join } from 'node:path';
import { noteContinued } from '../engine/journal/continued.ts';
import { makeFolder, replaceFile } from '../engine/journal/file.ts';
import { readJournal } from '../engine/journal/journal.ts';
import { JournalError } from '../engine/journal/error.ts';
import { keepJournal } from '../engine/journal/kept-journal.ts';
import { putMark } from '../engine/journal/high-water.ts';
import { readHeader, runFolder } from '../engine/journal/runs.ts';

/** The files of a run, as stored on disk or in a store. */
export interface RunFiles {
  readonly header: string;
  readonly journal: string;
}

/** The local files of a run; undefined if there are none. */
export async function runHere(stateDir: string, run: string): Promise<RunFiles | undefined> {
  const folder = runFolder(stateDir, run);
  const [header, journal] = await Promise.all(
    ['header.json', 'journal.ndjson'].map((name) => textOf(join(folder, name))),
  );
  if (header === undefined || journal === undefined) return undefined;
  // A line that is being written right now is not complete yet.
  return { header, journal: journal.slice(0, journal.lastIndexOf('\n') + 1) };
}

/** The text of a file, if it is regular: a pipe would block. */
async function textOf(path: string): Promise<string | undefined> {
  const found = await lstat(path).catch(undefinedWhenMissing);
  if (found !== undefined && !found.isFile()) throw new JournalError(`${path} is not a file`);
  const bytes = found && (await readRegular(path, Infinity).catch(undefinedWhenMissing));
  return bytes?.toString('utf8');
}

/** Sets a local journal aside that another replaces, so that it is never lost. */
export async function keepAside(stateDir: string, run: string, journal: string): Promise<void> {
  const name = `set-aside-${sha256(journal).slice(0, 8)}.ndjson`;
  await replaceFile(join(runFolder(stateDir, run), name), journal);
}

/**
 * Replaces the local files of a run.
 * @param keeps the journal of the run is read again soon
 * @throws JournalError for a journal that was changed
 */
export async function putRun(
  stateDir: string,
  run: string,
  files: RunFiles,
  keeps = false,
): Promise<void> {
  const read = readJournal(files.journal, `runs/${run}/journal.ndjson`); // throws before anything is written
  if (keeps) keepJournal(files.journal, read);
  const { state } = read;
  const folder = runFolder(stateDir, run);
  await makeFolder(folder);
  await noteContinued(stateDir, run);
  await replaceFile(join(folder, 'header.json'), files.header);
  // Before the journal: after a crash between the two the local run is damaged, and restored again.
  await putMark(stateDir, await readHeader(stateDir, run), { ...state, end: state.seq });
  await replaceFile(join(folder, 'journal.ndjson'), files.journal);
}

/** The files of a run whose journal is damaged in its store, with the last entry that was stored there. */
export interface DamagedFiles extends RunFiles {
  readonly seq: number;
  readonly link: string;
}

/**
 * Restores a damaged run unchanged, with a mark of the damage, so that no command takes it for a shorter run.
 */
export async function putDamaged(
  stateDir: string,
  run: string,
  { header, journal, seq, link }: DamagedFiles,
): Promise<void> {
  const folder = runFolder(stateDir, run);
  await makeFolder(folder);
  await noteContinued(stateDir, run);
  await replaceFile(join(folder, 'header.json'), header);
  const named = await readHeader(stateDir, run).catch((error: unknown) => {
    if (!(error instanceof JournalError)) throw error;
    return { run, playbook: '', createdAt: 0 };
  });
  await putMark(stateDir, named, { seq, link, end: seq });
  await replaceFile(join(folder, 'journal.ndjson'), journal);
}

function undefinedWhenMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return undefined;
  throw error;
}
