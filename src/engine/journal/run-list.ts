/** All runs of a state folder: readable ones, and those too damaged to identify. */
import { lstat, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { isCode, messageOf } from '../../base/error.ts';
import { isChanged, type RunHeader } from './header.ts';
import { markedRuns, readMark } from './high-water.ts';
import { JournalError, undefinedWhenDamaged } from './error.ts';
import { RunIndex } from './run-index.ts';
import { headerPath, journalPath, readHeader, readRun } from './runs.ts';
import { noteOf } from './set-aside.ts';
import { stampOf, type Stamp } from './stamp.ts';

/** Headers of all runs, newest first; other folders are skipped. */
export function listRuns(stateDir: string): Promise<readonly RunHeader[]> {
  return headersIn(stateDir, (name) => readHeader(stateDir, name).catch(undefinedWhenDamaged));
}

/**
 * The same for callers that must not miss one.
 * @throws JournalError when a run cannot be identified
 */
export function everyRun(stateDir: string): Promise<readonly RunHeader[]> {
  return headersIn(stateDir, (name) => provedHeader(stateDir, name));
}

/** All runs for a plan that is only shown. */
export interface ShownRuns {
  /** Newest first. */
  readonly headers: readonly RunHeader[];
  readonly index: RunIndex;
}

/**
 * The same for a plan that is only shown: headers that did not change since an earlier plan read them
 * are not read again.
 * @throws JournalError when a run cannot be identified
 */
export async function everyRunToShow(stateDir: string): Promise<ShownRuns> {
  const index = new RunIndex(stateDir);
  const headers = await headersIn(stateDir, async (name) => {
    const file = headerStamp(stateDir, name); // before it is read
    const known = file && index.headerOf(name, file);
    if (known !== undefined) return known;
    const header = await provedHeader(stateDir, name);
    if (header?.seal !== undefined && file) index.noteHeader(header, file);
    return header;
  });
  return { headers, index };
}

/** Undefined when it is not a file: reading it reports the problem. */
function headerStamp(stateDir: string, name: string): Stamp | undefined {
  try {
    return stampOf(headerPath(stateDir, name));
  } catch {
    return undefined;
  }
}

/** Names of all runs, including damaged ones and those whose folder is missing. */
export async function everyName(stateDir: string): Promise<readonly string[]> {
  const names = await eachIn(stateDir, (name) => Promise.resolve(name));
  return names.toSorted();
}

/** The problem of each run that cannot be identified. */
export async function unnamedRuns(stateDir: string): Promise<readonly UnnamedRun[]> {
  const found = await eachIn(stateDir, (run) => unnamedRun(stateDir, run));
  return found.toSorted((a, b) => (a.run < b.run ? -1 : 1));
}

/** The problem of one run; undefined if it can be identified, or never started. */
export async function unnamedRun(stateDir: string, run: string): Promise<UnnamedRun | undefined> {
  try {
    await provedHeader(stateDir, run);
    return undefined;
  } catch (error) {
    if (!(error instanceof JournalError)) throw error;
    return { run, because: messageOf(error) };
  }
}

export interface UnnamedRun {
  readonly run: string;
  readonly because: string;
}

/** Undefined for what is not a run, or one that never started. @throws JournalError */
async function provedHeader(stateDir: string, name: string): Promise<RunHeader | undefined> {
  const header = await headerOfBegun(stateDir, name);
  if (header === undefined) return undefined;
  // Without a digest only the journal confirms its header.
  if (header.seal === undefined) await readRun(stateDir, name);
  if (!isChanged(header)) return header;
  throw new JournalError(`the header of run ${name} was changed after it was written`);
}

/** Undefined for what is not a run, or one that never started. @throws JournalError */
async function headerOfBegun(stateDir: string, name: string): Promise<RunHeader | undefined> {
  const found = await headerOrProblem(stateDir, name);
  if (!(found instanceof JournalError)) return found;
  if (!(await mayHaveBegun(stateDir, name))) return undefined;
  // It may have begun since: its header is written before its journal.
  const again = await headerOrProblem(stateDir, name);
  if (again instanceof JournalError) throw again;
  return again;
}

/** Undefined for what is not a run. */
async function headerOrProblem(
  stateDir: string,
  name: string,
): Promise<RunHeader | JournalError | undefined> {
  try {
    return await readHeader(stateDir, name);
  } catch (error) {
    return error instanceof JournalError ? error : undefinedWhenDamaged(error);
  }
}

async function mayHaveBegun(stateDir: string, name: string): Promise<boolean> {
  const journal = await lstat(journalPath(stateDir, name)).catch(undefinedWhenMissing);
  if (journal !== undefined && (journal.size > 0 || !journal.isFile())) return true;
  return ((await readMark(stateDir, name))?.seq ?? 0) > 0;
}

async function headersIn(
  stateDir: string,
  read: (name: string) => Promise<RunHeader | undefined>,
): Promise<readonly RunHeader[]> {
  const headers = await eachIn(stateDir, read);
  return headers.toSorted((a, b) => b.createdAt - a.createdAt || (a.run < b.run ? 1 : -1));
}

/** Runs with a folder, and those whose folder is missing. */
async function eachIn<T>(
  stateDir: string,
  read: (name: string) => Promise<T | undefined>,
): Promise<T[]> {
  const here = (await readdir(join(stateDir, 'runs')).catch(undefinedWhenMissing)) ?? [];
  const gone: string[] = [];
  const known = new Set(here);
  for (const name of await markedRuns(stateDir)) {
    if (!known.has(name) && (await noteOf(stateDir, name)) === undefined) gone.push(name);
  }
  const found = await Promise.all([...here, ...gone].map(read));
  return found.filter((one) => one !== undefined);
}

function undefinedWhenMissing(error: unknown): undefined {
  if (isCode(error, 'ENOENT') || isCode(error, 'ENOTDIR')) return undefined;
  throw error;
}
