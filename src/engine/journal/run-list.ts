/** All runs of a state folder: readable ones, and those too damaged to identify. */
import { lstat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Millis } from '../../base/clock.ts';
import { isCode, messageOf } from '../../base/error.ts';
import { namesInFolder } from '../../base/folder-names.ts';
import { isChanged, type RunHeader } from './header.ts';
import { markedRuns, readMark } from './high-water.ts';
import { JournalError, undefinedWhenDamaged } from './error.ts';
import type { RunGroup } from './run-columns.ts';
import { EndedRuns } from './ended.ts';
import { newestFirst } from './proved-runs.ts';
import { journalPath, readHeader, readRun } from './runs.ts';
import { noteOf } from './set-aside.ts';
import { storedRuns } from './stored-runs.ts';
import { destinationsOf } from './account.ts';

/** Headers of all runs, newest first; other folders are skipped. */
export async function listRuns(stateDir: string): Promise<readonly RunHeader[]> {
  const { headers } = await headersIn(stateDir, (name) =>
    readHeader(stateDir, name).catch(undefinedWhenDamaged),
  );
  return headers;
}

/** The headers of some newest runs, newest first, and the number of older ones. */
interface NewestRuns {
  readonly headers: readonly RunHeader[];
  readonly older: number;
}

/** The newest of some runs that are listed. @param isAsked whether a run counts */
export function newestOf(
  { others, ended }: Pick<AllRuns, 'others' | 'ended'>,
  isAsked: (run: RunGroup & { readonly createdAt: Millis }) => boolean,
  max: number,
): NewestRuns {
  const own = others.filter((header) => isAsked({ ...header, accounts: destinationsOf(header) }));
  const known = ended.listing.newest(isAsked, max);
  const all = [...own, ...known.headers].toSorted(newestFirst);
  const headers = all.slice(0, max);
  return { headers, older: known.older + all.length - headers.length };
}

/** Headers of the newest runs, newest first; other folders are skipped. */
export async function newestRuns(
  stateDir: string,
  max: number,
  isAsked: (run: RunGroup) => boolean = () => true,
): Promise<readonly RunHeader[]> {
  const runs = await headersIn(stateDir, (name) =>
    readHeader(stateDir, name).catch(undefinedWhenDamaged),
  );
  return newestOf(runs, isAsked, max).headers;
}

/**
 * Lists the headers of all runs, newest first, for callers that must not miss one.
 * @throws JournalError when a run cannot be identified
 */
export async function everyRun(stateDir: string): Promise<readonly RunHeader[]> {
  return (await allRuns(stateDir)).headers;
}

/** The headers of all runs, and the facts about those that ended. */
export interface AllRuns {
  /** The names of all runs that have a folder, and of other folders there. */
  readonly names: readonly string[];
  /** The headers of all runs, newest first: made when they are asked for. */
  readonly headers: readonly RunHeader[];
  /** The headers of the runs that neither the catalogue's table has nor only a store: those that began last, and unfinished ones. */
  readonly others: readonly RunHeader[];
  /** The facts about runs that ended, with the runs of the table. */
  readonly ended: EndedRuns;
}

/**
 * Lists all runs, with the catalogue from which the unchanged headers are.
 * @param before the runs as this command has just listed them: of those that ended only the files that
 * this program changed since are looked at again
 * @throws JournalError when a run cannot be identified
 */
export function allRuns(stateDir: string, before?: AllRuns): Promise<AllRuns> {
  return headersIn(stateDir, (name, ended) => notedHeader(stateDir, name, ended), before);
}

/** The runs that can be identified, and the problem of each other one. */
export async function readableRuns(
  stateDir: string,
): Promise<AllRuns & { readonly unnamed: readonly UnnamedRun[] }> {
  const unnamed: UnnamedRun[] = [];
  const runs = await headersIn(stateDir, async (name, ended) => {
    try {
      return await notedHeader(stateDir, name, ended);
    } catch (error) {
      if (!(error instanceof JournalError)) throw error;
      unnamed.push({ run: name, because: messageOf(error) });
      return undefined;
    }
  });
  return Object.assign(runs, { unnamed: unnamed.toSorted(byName) });
}

/** Names of all runs, including damaged ones and those whose folder is missing. */
export async function everyName(stateDir: string): Promise<readonly string[]> {
  return [...(await nameSet(stateDir))].toSorted();
}

/** Names of all runs, as `everyName` lists them, in no order. */
export async function nameSet(stateDir: string): Promise<ReadonlySet<string>> {
  const { known, gone } = await namesIn(stateDir);
  for (const name of storedRuns(stateDir).names()) known.add(name);
  for (const name of gone) known.add(name);
  return known;
}

/** The header of a run, which is noted if it has a seal. @throws JournalError */
async function notedHeader(
  stateDir: string,
  name: string,
  ended: EndedRuns,
): Promise<RunHeader | undefined> {
  const file = ended.stamp(name); // before it is read
  const header = await provedHeader(stateDir, name);
  if (header?.seal !== undefined && file) ended.noteHeader(header, file);
  return header;
}

/** The problem of each run that cannot be identified. */
export async function unnamedRuns(stateDir: string): Promise<readonly UnnamedRun[]> {
  return (await readableRuns(stateDir)).unnamed;
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

function byName(a: UnnamedRun, b: UnnamedRun): number {
  return a.run < b.run ? -1 : 1;
}

export interface UnnamedRun {
  readonly run: string;
  readonly because: string;
}

/**
 * The header of a run if it was not changed; undefined for what is not a run, or one that never started.
 * @throws JournalError
 */
async function provedHeader(stateDir: string, name: string): Promise<RunHeader | undefined> {
  const header = await headerOfBegun(stateDir, name);
  if (header === undefined) return undefined;
  // Only the journal confirms a header without a digest.
  if (header.seal === undefined) await readRun(stateDir, name);
  if (!isChanged(header)) return header;
  throw new JournalError(`the header of run ${name} was changed after it was written`);
}

/**
 * The header of a run that has begun; undefined for what is not a run, or one that never started.
 * @throws JournalError
 */
async function headerOfBegun(stateDir: string, name: string): Promise<RunHeader | undefined> {
  const found = await headerOrProblem(stateDir, name);
  if (!(found instanceof JournalError)) return found;
  if (!(await mayHaveBegun(stateDir, name))) return undefined;
  // The run may have begun since: its header is written before its journal.
  const again = await headerOrProblem(stateDir, name);
  if (again instanceof JournalError) throw again;
  return again;
}

/** Reads the header of a run, or returns the problem of reading it; undefined for what is not a run. */
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

/** The headers of all runs; those that the catalogue has are not read. */
async function headersIn(
  stateDir: string,
  read: (name: string, ended: EndedRuns) => Promise<RunHeader | undefined>,
  before?: AllRuns,
  mayRely = before === undefined,
): Promise<AllRuns> {
  const ended = new EndedRuns(stateDir, before?.ended, mayRely);
  const others: RunHeader[] = [];
  const { here, gone } = await namesIn(stateDir, ended.isSecondLook ? before : undefined);
  const unlisted = [...gone, ...ended.listStored(here)];
  for (const name of here) {
    const listed = ended.storedHeader(name) ?? ended.listed(name);
    if (listed === undefined) unlisted.push(name);
    else if (listed !== 'in the table') others.push(listed);
  }
  if (ended.mustLookAtAll) return headersIn(stateDir, read, undefined, false);
  const more = await Promise.all(unlisted.map((name) => read(name, ended)));
  for (const header of more) if (header !== undefined) others.push(header);
  let headers: readonly RunHeader[] | undefined;
  return {
    names: here,
    get headers() {
      return (headers ??= [...others, ...ended.listing.headers()].toSorted(newestFirst));
    },
    others: others.toSorted(newestFirst),
    ended,
  };
}

interface Names {
  /** Runs with a folder. */
  readonly here: readonly string[];
  /** The names of `here` as a set. */
  readonly known: Set<string>;
  /** Runs whose folder is missing. */
  readonly gone: readonly string[];
}

async function namesIn(stateDir: string, before?: AllRuns): Promise<Names> {
  const here = namesInSync(join(stateDir, 'runs'));
  const gone: string[] = [];
  const known = new Set(here);
  if (before?.names.every((name) => known.has(name)) === true) return { here, known, gone };
  const stored = storedRuns(stateDir);
  for (const name of markedRuns(stateDir)) {
    if (known.has(name) || stored.end(name) !== undefined) continue;
    if ((await noteOf(stateDir, name)) === undefined) gone.push(name);
  }
  return { here, known, gone };
}

/** The names in a folder, synchronously: the other way takes eight times as long for thousands of names. */
function namesInSync(folder: string): readonly string[] {
  try {
    return namesInFolder(folder);
  } catch (error) {
    return undefinedWhenMissing(error) ?? [];
  }
}

function undefinedWhenMissing(error: unknown): undefined {
  if (isCode(error, 'ENOENT') || isCode(error, 'ENOTDIR')) return undefined;
  throw error;
}
