/** The folder of runs: one folder each, a header that names it, and its journal. */
import { existsSync, statSync } from 'node:fs';
import { lstat, readdir, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Clock, Millis } from '../base/clock.ts';
import { messageOf, UsageError } from '../base/error.ts';
import { isRecord, readableJson } from '../base/json.ts';
import { nearWord, plainText } from '../base/text.ts';
import type { Destination, Entry } from './entry.ts';
import { makeFolder, openAppendFile, replaceFile, requireFreeSpace } from './file.ts';
import {
  emptyJournal,
  JournalError,
  journalOver,
  openJournal,
  readJournal,
  type Journal,
} from './journal.ts';

const formatVersion = 1;

/** What a run's folder says of itself before its journal is read. */
export interface RunHeader {
  readonly run: string;
  readonly playbook: string;
  readonly destination: Destination;
  readonly createdAt: Millis;
  readonly program: string;
}

export interface RunFolder {
  readonly journal: Journal;
  readonly entries: readonly Entry[];
  readonly header: RunHeader;
}

/**
 * Makes the folder of a new run, durable before it returns. The header comes last: whoever dies
 * before leaves an empty journal of nobody, which is passed over.
 */
export async function createRun(
  stateDir: string,
  header: RunHeader,
  clock: Clock,
): Promise<Journal> {
  const folder = runFolder(stateDir, header.run);
  // Whatever made the state folder before need not have made its name durable.
  for (const each of [stateDir, dirname(folder), folder]) await makeFolder(each);
  await requireFreeSpace(folder);
  const file = await openAppendFile(join(folder, 'journal.ndjson'));
  const text = readableJson({ format: formatVersion, ...header });
  try {
    await replaceFile(join(folder, 'header.json'), text); // and syncs the folder
  } catch (error) {
    await file.close();
    throw error;
  }
  return journalOver(file, clock, emptyJournal);
}

/**
 * Opens a run to go on with it.
 * @throws UsageError when there is no such run; JournalError when it is damaged
 */
export async function openRun(stateDir: string, run: string, clock: Clock): Promise<RunFolder> {
  const header = await readHeader(stateDir, run);
  const path = journalPath(stateDir, run);
  await refuseNoFile(path);
  const { journal, entries } = await openJournal(path, clock);
  return { journal, entries, header };
}

/** The entries of a run, without touching it. */
export async function readRun(stateDir: string, run: string): Promise<readonly Entry[]> {
  const header = await readHeader(stateDir, run);
  const path = journalPath(stateDir, run);
  const { entries } = readJournal(await readText(path, run), path);
  refuseForeign(header, entries, path);
  return entries;
}

/** A run as it lies on the disk, judged by nobody yet. */
export interface RunText {
  readonly header: RunHeader;
  readonly path: string;
  readonly text: string;
}

/** @throws UsageError when there is no such run; JournalError when nothing of it can be read */
export async function readRunText(stateDir: string, run: string): Promise<RunText> {
  const header = await readHeader(stateDir, run);
  const path = journalPath(stateDir, run);
  return { header, path, text: await readText(path, run) };
}

/**
 * Whether a run of this id has begun. A folder with nothing in its journal was left by a process
 * that died, or found no room, before it did anything: whoever comes next takes its place.
 */
export function hasBegun(stateDir: string, run: string): boolean {
  const journal = statSync(journalPath(stateDir, run), { throwIfNoEntry: false });
  if (journal !== undefined) return journal.size > 0;
  return existsSync(join(runFolder(stateDir, run), 'header.json'));
}

/** Headers of all runs, newest first; folders that are no run are passed over. */
export function listRuns(stateDir: string): Promise<readonly RunHeader[]> {
  return headersIn(stateDir, (name) => readHeader(stateDir, name).catch(undefinedWhenDamaged));
}

/**
 * The same for whoever must not overlook one.
 * @throws JournalError when a folder holds a journal and nothing says whose
 */
export function everyRun(stateDir: string): Promise<readonly RunHeader[]> {
  return headersIn(stateDir, async (name) => {
    try {
      return await readHeader(stateDir, name);
    } catch (error) {
      if (await isUnnamed(error, stateDir, name)) throw error;
      return undefinedWhenDamaged(error);
    }
  });
}

/** What is wrong with each folder that holds a journal of which nothing says whose it is. */
export async function unnamedRuns(stateDir: string): Promise<readonly UnnamedRun[]> {
  const found = await eachIn(stateDir, async (run) => {
    try {
      await readHeader(stateDir, run);
      return undefined;
    } catch (error) {
      if (!(await isUnnamed(error, stateDir, run))) return undefinedWhenDamaged(error);
      return { run, because: messageOf(error) };
    }
  });
  return found.toSorted((a, b) => (a.run < b.run ? -1 : 1));
}

export interface UnnamedRun {
  readonly run: string;
  readonly because: string;
}

async function isUnnamed(error: unknown, stateDir: string, name: string): Promise<boolean> {
  const journal = await lstat(journalPath(stateDir, name)).catch(() => undefined);
  return error instanceof JournalError && (journal?.size ?? 0) > 0;
}

async function headersIn(
  stateDir: string,
  read: (name: string) => Promise<RunHeader | undefined>,
): Promise<readonly RunHeader[]> {
  const headers = await eachIn(stateDir, read);
  return headers.toSorted((a, b) => b.createdAt - a.createdAt || (a.run < b.run ? 1 : -1));
}

async function eachIn<T>(
  stateDir: string,
  read: (name: string) => Promise<T | undefined>,
): Promise<T[]> {
  const names = await readdir(join(stateDir, 'runs')).catch(emptyWhenMissing);
  const found = await Promise.all(names.map(read));
  return found.filter((one) => one !== undefined);
}

/** Where a run keeps its papers. */
export function runFolder(stateDir: string, run: string): string {
  return join(stateDir, 'runs', run);
}

function journalPath(stateDir: string, run: string): string {
  return join(runFolder(stateDir, run), 'journal.ndjson');
}

async function readHeader(stateDir: string, run: string): Promise<RunHeader> {
  if (!/^[a-z0-9-]{1,64}$/.test(run)) throw new UsageError(`${JSON.stringify(run)} is no run id`);
  const path = join(runFolder(stateDir, run), 'header.json');
  const text = await readFile(path, 'utf8').catch(async (error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT' && error.code !== 'ENOTDIR') {
      throw new JournalError(`${path} cannot be read`, error);
    }
    const known = await readdir(join(stateDir, 'runs')).catch(emptyWhenMissing);
    if (known.includes(run)) throw new JournalError(`${path} is missing`);
    const near = nearWord(run, known);
    throw new UsageError(
      `there is no run ${run} in ${stateDir}`,
      near ? `did you mean ${near}?` : 'see «deskhand runs list»',
    );
  });
  const header = headerOf(parseOrUndefined(text), path);
  if (header.run === run) return header;
  const other = plainText(header.run, 80);
  throw new JournalError(`${path} is of run ${other}, not of ${run}; keep copies elsewhere`);
}

function headerOf(value: unknown, path: string): RunHeader {
  if (!isRecord(value)) throw new JournalError(`${path} is damaged`);
  if (value['format'] !== formatVersion) {
    const format = plainText(JSON.stringify(value['format'] ?? 'none'), 80);
    throw new JournalError(`${path} has format ${format}; this version reads ${formatVersion}`);
  }
  if (!isHeader(value)) throw new JournalError(`${path} is damaged`);
  return value;
}

function isHeader(value: unknown): value is RunHeader {
  return (
    isRecord(value) &&
    typeof value['run'] === 'string' &&
    typeof value['playbook'] === 'string' &&
    typeof value['createdAt'] === 'number' &&
    typeof value['program'] === 'string' &&
    isDestination(value['destination'])
  );
}

function isDestination(value: unknown): boolean {
  return (
    isRecord(value) &&
    typeof value['profile'] === 'string' &&
    (value['target'] === 'sandbox' || value['target'] === 'live') &&
    typeof value['host'] === 'string'
  );
}

/** A journal put in another run's folder would be taken for its own. */
function refuseForeign(header: RunHeader, [first]: readonly Entry[], path: string): void {
  const because = first && differenceIn(header, first);
  if (because !== undefined) throw new JournalError(`${path}:1 ${because}`);
}

/** In what the first line differs from the header; undefined when they are of one run. */
export function differenceIn(header: RunHeader, first: Entry): string | undefined {
  if (first.kind !== 'started') return 'does not begin with the start of a run';
  if (first.run !== header.run) return `is of run ${first.run}, not of ${header.run}`;
  const { name } = first.playbook;
  if (name !== header.playbook) return `is of playbook ${name}, not of ${header.playbook}`;
  const { profile, target, host, keyFingerprint = 'none' } = first.destination;
  const then = header.destination;
  const isSame =
    profile === then.profile &&
    target === then.target &&
    host === then.host &&
    keyFingerprint === (then.keyFingerprint ?? 'none');
  return isSame ? undefined : `is of another account: ${profile} on ${host}, key ${keyFingerprint}`;
}

/** Nothing but a file of this folder is a journal: a link may lead to somebody else's. */
async function refuseNoFile(path: string): Promise<void> {
  const found = await lstat(path).catch(() => undefined);
  if (found === undefined) throw new JournalError(`there is no file ${path}`);
  if (found.isSymbolicLink()) throw new JournalError(`${path} is a link, not a journal`);
  if (!found.isFile()) throw new JournalError(`${path} is no file`);
}

async function readText(path: string, run: string): Promise<string> {
  await refuseNoFile(path);
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    throw new JournalError(`the journal of ${run} cannot be read: ${path}`, error);
  }
}

function parseOrUndefined(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined; // the caller names the file
  }
}

function emptyWhenMissing(error: NodeJS.ErrnoException): string[] {
  if (error.code === 'ENOENT') return [];
  throw error;
}

function undefinedWhenDamaged(error: unknown): undefined {
  if (error instanceof JournalError || error instanceof UsageError) return undefined;
  throw error;
}
