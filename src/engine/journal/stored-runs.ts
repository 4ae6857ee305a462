/** The ended runs that a store has, and of which this machine has only facts: their records are fetched when
 * a command reads them.
 *
 * A file in `state` has the facts of the last runs, the names of files with those of the others, and how far
 * this machine knows the store. It is replaced as a whole, so what it says about the store is never newer than
 * the facts. Files that it names and that are missing or damaged are an error here, because a run that is not
 * seen may be sent again; the store fetches all facts again when it is asked the next time.
 */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { isCode } from '../../base/error.ts';
import { isRecord, sha256 } from '../../base/json.ts';
import { readRegularSync } from '../../base/read-file.ts';
import { shellWord } from '../../base/text.ts';
import type { FactKind } from './catalogue.ts';
import type { EndedBlock } from './ended-table.ts';
import { JournalError } from './error.ts';
import { DamagedRecordError, unframe } from './record.ts';
import {
  isStoredRow,
  rowsIn,
  rowsOf,
  type RecordEnd,
  type Rows,
  type StoredRow,
} from './stored-facts.ts';

/** A file that the facts of many runs are in. */
export interface FactsFile {
  /** The name of the file, which has the digest of its text. */
  readonly name: string;
  readonly count: number;
}

/** What the file of a store says. */
export interface KnownOfStore {
  /** The version of the facts. */
  readonly version: number;
  /** How far all runs were fetched; absent if only some were. */
  readonly cursor?: string;
  /** The cursors of the runs on some accounts, by the digest of the accounts, the latest one last. */
  readonly beside: Readonly<Record<string, string>>;
  /** Number of runs with a folder here at that time. */
  readonly folders: number;
  readonly files: readonly FactsFile[];
  readonly rows: readonly StoredRow[];
  /** Whether the store was found to have forgotten lines that it had confirmed. */
  readonly forgot?: boolean;
}

/** The ended runs that stores have, as far as this machine knows them. */
export interface StoredRuns {
  readonly size: number;
  names(): Iterable<string>;
  /** The end of the run's record; undefined for a run that is not among them. */
  end(run: string): RecordEnd | undefined;
  /** @param fields the only ones of the fact that are needed; default: all */
  fact(kind: FactKind, run: string, fields?: readonly string[]): unknown;
  /** What was made of a run's facts before, or is made now: a worker asks again for each job. */
  made<T extends object>(
    run: string,
    cache: MadeOfRows<T>,
    make: () => T | undefined,
  ): T | undefined;
  /** The facts of a kind by columns, in blocks; of two about one run the later one counts. */
  blocks(kind: FactKind): Iterable<EndedBlock>;
}

/** What was made of rows, by their places. */
export type MadeOfRows<T> = WeakMap<Rows, Map<number, T | undefined>>;

export const storeFolder = (stateDir: string): string => join(stateDir, 'state');
export const knownEnding = '.runs.json';

/** @throws JournalError when facts are missing or damaged */
export function storedRuns(stateDir: string): StoredRuns {
  for (let tries = 2; ; tries -= 1) {
    try {
      return storedIn(stateDir);
    } catch (error) {
      // Another process may have replaced the files meanwhile.
      if (tries > 0 && isMissing(error)) continue;
      if (!isMissing(error) && !(error instanceof DamagedRecordError)) throw error;
      throw new JournalError(
        `what ${storeFolder(stateDir)} knows of runs in the database is damaged`,
        error,
        'fetch it again: deskhand runs list',
      );
    }
  }
}

/** What a file of a store says; undefined if there is none. @throws DamagedRecordError */
export function knownAt(path: string): KnownOfStore | undefined {
  const text = textAt(path);
  if (text === undefined) return undefined;
  const before = parsedFiles.get(path);
  if (before?.text === text) return before.known;
  const value: unknown = JSON.parse(unframe(text.replace(/\n$/, '')));
  if (!isKnown(value)) throw new DamagedRecordError('not the runs of a store');
  parsedFiles.set(path, { text, known: value });
  return value;
}

/** The rows in a file. @throws DamagedRecordError; the error of the system when it is missing */
export function rowsAt(folder: string, { name }: FactsFile): Rows {
  const path = join(folder, name);
  const loaded = loadedRows.get(path)?.deref();
  if (loaded !== undefined) return loaded;
  const bytes = readRegularSync(path, Infinity);
  if (factsName(name.slice(0, name.indexOf('-')), bytes) !== name)
    throw new DamagedRecordError('other facts');
  const rows = rowsIn(bytes);
  loadedRows.set(path, new WeakRef(rows));
  return rows;
}

/** The name of a file with facts. @param store the name of its store in file names */
export function factsName(store: string, text: string | Uint8Array): string {
  return `${store}-${sha256(text).slice(0, 32)}.facts`;
}

/** Sets how the record of a run is fetched into a state folder. */
export function fetchesRecords(stateDir: string, fetch: (run: string) => Promise<void>): void {
  fetching.set(stateDir, fetch);
}

/**
 * Fetches the record of a run of which this machine has only facts.
 * @returns whether it is such a run @throws JournalError when no store is open; errors of the store
 */
export async function fetchRecord(stateDir: string, run: string): Promise<boolean> {
  if (storedRuns(stateDir).end(run) === undefined) return false;
  const fetch = fetching.get(stateDir);
  if (fetch === undefined) {
    throw new JournalError(
      `the record of run ${run} is in the database, and not on this machine`,
      undefined,
      `fetch it: deskhand runs show ${shellWord(run)}`,
    );
  }
  await fetch(run);
  return true;
}

const fetching = new Map<string, (run: string) => Promise<void>>();

/** A command asks several times, and a worker for each job. */
const parsedFiles = new Map<string, { readonly text: string; readonly known: KnownOfStore }>();
const loadedRows = new Map<string, WeakRef<Rows>>();
const found = new Map<
  string,
  { readonly of: readonly KnownOfStore[]; readonly runs: StoredRuns }
>();

function storedIn(stateDir: string): StoredRuns {
  const folder = storeFolder(stateDir);
  const known = namesIn(folder).flatMap((name) => knownAt(join(folder, name)) ?? []);
  const before = found.get(stateDir);
  const isSame =
    before?.of.length === known.length && known.every((one, at) => one === before.of[at]);
  if (before !== undefined && isSame) return before.runs;
  const runs = runsOf(
    known.flatMap(({ files, rows }) => [
      ...files.map((file) => rowsAt(folder, file)),
      rowsOf(rows),
    ]),
  );
  found.set(stateDir, { of: known, runs });
  return runs;
}

function runsOf(parts: readonly Rows[]): StoredRuns {
  const places = new Map<string, { readonly rows: Rows; readonly at: number }>();
  for (const rows of parts) {
    for (const [at, run] of rows.runs.entries()) places.set(run, { rows, at });
  }
  return {
    size: places.size,
    names: () => places.keys(),
    end: (run) => {
      const place = places.get(run);
      return place?.rows.end(place.at);
    },
    fact: (kind, run, fields) => {
      const place = places.get(run);
      return place?.rows.fact(kind, place.at, fields);
    },
    made: (run, cache, make) => {
      const place = places.get(run);
      if (place === undefined) return undefined;
      const known = cache.get(place.rows) ?? new Map();
      cache.set(place.rows, known);
      if (!known.has(place.at)) known.set(place.at, make());
      return known.get(place.at);
    },
    blocks: (kind) =>
      parts.map(({ runs, column }) => ({ runs, values: column(kind) ?? { each: [] } })),
  };
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder).filter((name) => name.endsWith(knownEnding));
  } catch (error) {
    if (isCode(error, 'ENOENT') || isCode(error, 'ENOTDIR')) return [];
    throw error;
  }
}

function textAt(path: string): string | undefined {
  try {
    return readRegularSync(path, Infinity).toString('utf8');
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

function isMissing(error: unknown): boolean {
  return isCode(error, 'ENOENT');
}

function isKnown(value: unknown): value is KnownOfStore {
  if (!isRecord(value) || !isRecord(value['beside'])) return false;
  const { version, cursor, beside, folders, files, rows } = value;
  return (
    typeof version === 'number' &&
    (cursor === undefined || typeof cursor === 'string') &&
    Object.values(beside).every((each) => typeof each === 'string') &&
    typeof folders === 'number' &&
    Array.isArray(files) &&
    files.every((file) => isRecord(file) && typeof file['name'] === 'string') &&
    Array.isArray(rows) &&
    rows.every(isStoredRow)
  );
}
