/** The folder of runs: one folder each, a header that names it, and its journal. */
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Clock, Millis } from '../base/clock.ts';
import { UsageError } from '../base/error.ts';
import { isRecord } from '../base/json.ts';
import { nearWord } from '../base/text.ts';
import type { Destination, Entry } from './entry.ts';
import { makeFolder, openAppendFile, replaceFile, requireFreeSpace, syncFolder } from './file.ts';
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

/** Makes the folder of a new run, durable before it returns. */
export async function createRun(
  stateDir: string,
  header: RunHeader,
  clock: Clock,
): Promise<Journal> {
  const folder = runFolder(stateDir, header.run);
  await makeFolder(folder);
  await requireFreeSpace(folder);
  const text = JSON.stringify({ format: formatVersion, ...header }, undefined, 2);
  await replaceFile(join(folder, 'header.json'), `${text}\n`);
  const file = await openAppendFile(join(folder, 'journal.ndjson'));
  await syncFolder(folder);
  return journalOver(file, clock, emptyJournal);
}

/**
 * Opens a run to go on with it.
 * @throws UsageError when there is no such run; JournalError when it is damaged
 */
export async function openRun(stateDir: string, run: string, clock: Clock): Promise<RunFolder> {
  const header = await readHeader(stateDir, run);
  const { journal, entries } = await openJournal(journalPath(stateDir, run), clock);
  return { journal, entries, header };
}

/** The entries of a run, without touching it. */
export async function readRun(stateDir: string, run: string): Promise<readonly Entry[]> {
  await readHeader(stateDir, run);
  const path = journalPath(stateDir, run);
  return readJournal(await readText(path, run), path).entries;
}

/** Headers of all runs, newest first; folders that are no run are passed over. */
export async function listRuns(stateDir: string): Promise<readonly RunHeader[]> {
  const names = await readdir(join(stateDir, 'runs')).catch(emptyWhenMissing);
  const headers = await Promise.all(
    names.map((name) => readHeader(stateDir, name).catch(undefinedWhenDamaged)),
  );
  return headers
    .filter((header) => header !== undefined)
    .sort((a, b) => b.createdAt - a.createdAt || (a.run < b.run ? 1 : -1));
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
  const text = await readFile(path, 'utf8').catch(async () => {
    const known = await readdir(join(stateDir, 'runs')).catch(emptyWhenMissing);
    if (known.includes(run)) throw new JournalError(`${path} is missing`);
    const near = nearWord(run, known);
    throw new UsageError(
      `there is no run ${run} in ${stateDir}`,
      near ? `did you mean ${near}?` : 'see «deskhand runs list»',
    );
  });
  return headerOf(parseOrUndefined(text), path);
}

function headerOf(value: unknown, path: string): RunHeader {
  if (!isRecord(value)) throw new JournalError(`${path} is damaged`);
  if (value['format'] !== formatVersion) {
    throw new JournalError(`${path} has format ${String(value['format'])}; this version reads 1`);
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
    isRecord(value['destination'])
  );
}

async function readText(path: string, run: string): Promise<string> {
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
