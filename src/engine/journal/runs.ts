/** The folder of runs: one folder each, with a header and a journal. */
import { lstatSync, type Stats } from 'node:fs';
import { lstat, readdir, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import type { Clock } from '../../base/clock.ts';
import { isCode, UsageError } from '../../base/error.ts';
import { readFoundSync } from '../../base/read-file.ts';
import { nearWord, plainText, shellWord } from '../../base/text.ts';
import { noteContinued } from './continued.ts';
import type { Destination, Entry } from './entry.ts';
import { makeFolder, openAppendFile, realFiles, replaceFile, requireFreeSpace } from './file.ts';
import { readJournalText, refuseSecondName } from './journal-file.ts';
import { differenceIn, headerOf, headerText, isChanged, type RunHeader } from './header.ts';
import { createMark, openMark, putMark, readMark, type Mark, type MarkFile } from './high-water.ts';
import {
  emptyJournal,
  itself,
  journalOver,
  openJournal,
  readJournal,
  type FileOver,
  type Journal,
} from './journal.ts';
import { hintFor, JournalError, NewerFormatError } from './error.ts';
import { isRunId } from './identity.ts';
import { keepJournal } from './kept-journal.ts';
import type { JournalState, ReadJournal } from './read-journal.ts';
import { noteOf, noteWords } from './set-aside.ts';
import { fetchRecord, storedRuns } from './stored-runs.ts';
import { destinationsOf } from './account.ts';

export interface RunFolder {
  readonly journal: Journal;
  readonly entries: readonly Entry[];
  readonly header: RunHeader;
}

/**
 * Creates the folder of a new run, durably, and replaces one whose process crashed before anything
 * was sent. Its high-water mark is created first: it proves that nothing was sent.
 * @param over wraps the journal's file for a store; default: the file itself
 * @throws JournalError when the run has already started
 */
export async function createRun(
  stateDir: string,
  header: RunHeader,
  clock: Clock,
  over: FileOver = itself,
): Promise<Journal> {
  const { run } = header;
  if (await hasBegun(stateDir, run)) throw new JournalError(`run ${run} has already started`);
  const folder = runFolder(stateDir, run);
  // An earlier creator of the state folder may not have synced its name.
  for (const each of [stateDir, dirname(folder), folder]) await makeFolder(each);
  await requireFreeSpace(folder);
  await createMark(stateDir, header);
  const path = journalPath(stateDir, run);
  await rm(path, { force: true }); // removes a torn first entry
  const file = over(await openAppendFile(path));
  try {
    await replaceFile(join(folder, 'header.json'), headerText(header)); // also syncs the folder
    return journalOver(file, clock, emptyJournal, await openMark(stateDir, run));
  } catch (error) {
    await file.close();
    throw error;
  }
}

/**
 * Records in a run's header the accounts it continues with, if a key or an address is new: other
 * runs find them there.
 */
export async function noteAccounts(
  stateDir: string,
  run: string,
  accounts: readonly Destination[],
): Promise<void> {
  const header = await readHeader(stateDir, run);
  const known = destinationsOf(header);
  const added = accounts.filter((each) => !known.some((one) => isDeepStrictEqual(one, each)));
  if (added.length === 0) return;
  const noted = { ...header, accounts: [...(header.accounts ?? []), ...added] };
  await noteContinued(stateDir, run);
  await replaceFile(headerPath(stateDir, run), headerText(noted));
}

/**
 * Opens a run to continue it.
 * @param earlier the run's entries from `readToContinue`: they are not parsed again unless the journal
 * has changed
 * @param over wraps the journal's file for a store; default: the file itself
 * @throws UsageError when the run does not exist; JournalError when it is damaged
 */
export async function openRun(
  stateDir: string,
  run: string,
  clock: Clock,
  earlier: readonly Entry[] = [],
  over: FileOver = itself,
): Promise<RunFolder> {
  const found = await readRunText(stateDir, run);
  const { header, mark, path, text } = found;
  const note = await noteOf(stateDir, run);
  if (note !== undefined) {
    // The journal was restored here from another machine, without the last local lines.
    const hint = `continue it where its journal is intact: deskhand resume ${shellWord(run)}`;
    throw new JournalError(noteWords(note), undefined, hint);
  }
  const before = sources.get(earlier);
  const isSame = before !== undefined && isDeepStrictEqual(before.found, found);
  sources.delete(earlier);
  const read = isSame ? before.read : await checked(found); // throws before anything is truncated
  await refuseSecondName(path);
  await noteContinued(stateDir, run);
  const open = async ({ seq, link }: JournalState): Promise<MarkFile> => {
    if (mark === undefined) await putMark(stateDir, header, { seq, link, end: seq });
    return openMark(stateDir, run);
  };
  const marked = { known: mark, open };
  const known = { text, read };
  const { journal, entries } = await openJournal(path, clock, realFiles, marked, known, over);
  return { journal, entries, header };
}

/** The entries of a run, without changing it; none if it was abandoned before the first. */
export async function readRun(stateDir: string, run: string): Promise<readonly Entry[]> {
  const { entries } = await checked(await readRunText(stateDir, run));
  return entries;
}

/** Reads the entries of a run for `openRun`, which compares the journal with the text that was read here. */
export async function readToContinue(stateDir: string, run: string): Promise<readonly Entry[]> {
  const found = await readRunText(stateDir, run);
  const read = await checked(found);
  keepJournal(found.text, read);
  sources.set(read.entries, { found, read });
  return read.entries;
}

/** The file that entries were read from. */
const sources = new WeakMap<
  readonly Entry[],
  { readonly found: RunText; readonly read: ReadJournal }
>();

/** A run as stored on the disk, not verified yet. */
export interface RunText {
  readonly header: RunHeader;
  readonly path: string;
  readonly text: string;
  readonly mark?: Mark;
}

/** @throws UsageError when the run does not exist; JournalError when nothing of it can be read */
export function readRunText(stateDir: string, run: string): Promise<RunText> {
  return ofRun(run, async () => {
    const header = await readHeader(stateDir, run);
    const path = journalPath(stateDir, run);
    const mark = await readMark(stateDir, run);
    return { header, path, text: await readJournalText(path, run), ...(mark && { mark }) };
  });
}

/** @throws JournalError when the files of the run were changed */
export function checked({ header, path, text, mark }: RunText): Promise<ReadJournal> {
  return ofRun(header.run, async () => {
    const read = readJournal(text, path, mark);
    const { entries } = read;
    if (entries.length === 0 && mark === undefined) {
      const what = text === '' ? 'it is empty' : 'no entry can be read';
      throw new JournalError(`${path}:1 is damaged: ${what}, and the run may have started`);
    }
    refuseForeign(header, entries, path);
    refuseChanged(header, path);
    return read;
  });
}

/**
 * Whether a run with this id has started. One whose process crashed, or found the disk full, before
 * it did anything has not: its folder is replaced.
 * @throws JournalError when that is unknown
 */
export async function hasBegun(stateDir: string, run: string): Promise<boolean> {
  if (storedRuns(stateDir).end(run) !== undefined) return true;
  const mark = await ofRun(run, () => readMark(stateDir, run));
  if (mark !== undefined && mark.seq > 0) return true;
  if ((await noteOf(stateDir, run)) !== undefined) return true;
  const journal = await lstat(journalPath(stateDir, run)).catch(undefinedWhenMissing);
  const header = await lstat(headerPath(stateDir, run)).catch(undefinedWhenMissing);
  const isEmpty = journal === undefined || (journal.isFile() && journal.size === 0);
  if (isEmpty && (header === undefined || mark !== undefined)) return false;
  return (await readRun(stateDir, run)).length > 0;
}

/** The folder of a run's files. */
export function runFolder(stateDir: string, run: string): string {
  return join(stateDir, 'runs', run);
}

export function journalPath(stateDir: string, run: string): string {
  return join(runFolder(stateDir, run), 'journal.ndjson');
}

export function headerPath(stateDir: string, run: string): string {
  return join(runFolder(stateDir, run), 'header.json');
}

/** @throws UsageError when the run does not exist; JournalError when its header is damaged */
export async function readHeader(stateDir: string, run: string): Promise<RunHeader> {
  if (!isRunId(run)) throw new UsageError(`${JSON.stringify(run)} is not a run id`);
  const path = headerPath(stateDir, run);
  const here = lookAt(path);
  const found = here ?? ((await fetchRecord(stateDir, run)) ? lookAt(path) : undefined);
  if (found === undefined) throw await noHeader(stateDir, run);
  if (!found.isFile()) throw new JournalError(`${path} is not a file`);
  const header = headerOf(parseOrUndefined(textAt(path, found)), path);
  if (header.run === run) return header;
  const other = plainText(header.run, 80);
  throw new JournalError(
    `${path} is of run ${other}, not of ${run}; keep copies in another folder`,
  );
}

/** Looks at a path, synchronously because there may be thousands. */
function lookAt(path: string): Stats | undefined {
  try {
    return lstatSync(path);
  } catch (error) {
    return undefinedWhenMissing(error);
  }
}

function textAt(path: string, found: Stats): string {
  try {
    return readFoundSync(path, found);
  } catch (error) {
    throw new JournalError(`${path} cannot be read`, error);
  }
}

async function noHeader(stateDir: string, run: string): Promise<Error> {
  const folder = runFolder(stateDir, run);
  const known = await readdir(dirname(folder)).catch(emptyWhenMissing);
  if (known.includes(run)) return new JournalError(`${headerPath(stateDir, run)} is missing`);
  const note = await noteOf(stateDir, run);
  if (note !== undefined) return new UsageError(noteWords(note), 'see `deskhand runs list`');
  if (((await readMark(stateDir, run))?.seq ?? 0) > 0) {
    return new JournalError(`the folder of run ${run} is missing: ${folder}`);
  }
  const near = nearWord(run, known);
  if (run === 'last') {
    const hint = 'name the run, as `deskhand runs list` shows it';
    return new UsageError('`last` is for commands that only read', hint);
  }
  return new UsageError(
    `no run ${run} in ${stateDir}`,
    near ? `did you mean ${near}?` : 'see `deskhand runs list`',
  );
}

/** A journal copied to another run's folder would be read as that run's. */
export function refuseForeign(header: RunHeader, [first]: readonly Entry[], path: string): void {
  const because = first && differenceIn(header, first);
  if (because !== undefined) throw new JournalError(`${path}:1 ${because}`);
}

export function refuseChanged(header: RunHeader, path: string): void {
  if (!isChanged(header)) return;
  throw new JournalError(`${join(dirname(path), 'header.json')} was changed after it was written`);
}

function parseOrUndefined(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined; // the caller reports the file
  }
}

function emptyWhenMissing(error: NodeJS.ErrnoException): string[] {
  if (error.code === 'ENOENT') return [];
  throw error;
}

function undefinedWhenMissing(error: unknown): undefined {
  if (isCode(error, 'ENOENT') || isCode(error, 'ENOTDIR')) return undefined;
  throw error;
}

/** Adds to the errors of a run what to do about them. */
async function ofRun<T>(run: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof JournalError) || error instanceof NewerFormatError) throw error;
    throw new JournalError(error.message, error.cause ?? error, hintFor(run));
  }
}
