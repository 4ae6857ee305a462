/** Remembers what this machine knows of a shared database: how far it fetched the runs, and facts of ended ones. */
import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { minute, systemClock } from '../../base/clock.ts';
import { digestOf, sha256 } from '../../base/json.ts';
import { makeFolder, replaceFile } from '../../engine/journal/file.ts';
import { DamagedRecordError, frame } from '../../engine/journal/record.ts';
import {
  rowsText,
  type RecordEnd,
  type Rows,
  type StoredRow,
} from '../../engine/journal/stored-facts.ts';
import {
  factsName,
  knownAt,
  knownEnding,
  rowsAt,
  storeFolder,
  type FactsFile,
  type KnownOfStore,
} from '../../engine/journal/stored-runs.ts';
import { isCode } from '../../base/error.ts';
import type { Beside } from '../store.ts';

/** What this machine knew of the database at one moment. */
export interface Known {
  /**
   * How far the runs were fetched. Undefined if all runs must be compared: nothing was fetched yet, the file
   * is unreadable, or runs were deleted here since.
   */
  readonly cursor: string | undefined;
  /** The end of an ended run's record whose facts are here; undefined for other runs. */
  end(run: string): RecordEnd | undefined;
  /** Stores what was fetched since. */
  write(fetched: Fetched): Promise<void>;
}

export interface Fetched {
  /** How far the runs were fetched; absent if only some of them were. */
  readonly cursor?: string;
  /** Facts of ended runs. */
  readonly rows: readonly StoredRow[];
  /** Runs whose facts do not count any more. */
  readonly dropped: readonly string[];
  /** Whether the database has fewer lines of a run than it had confirmed. */
  readonly forgot: boolean;
}

export interface CursorFile {
  /**
   * Reads what is known.
   * @param version of the facts: others are fetched again
   * @param beside the runs that are to be fetched; default: all
   */
  read(version: number, beside?: Beside): Promise<Known>;
  /** Drops the facts of runs that were removed from the database. */
  forget(runs: readonly string[]): Promise<void>;
  /** Whether the database was found to have forgotten lines, and that was not reported yet. */
  hasForgotten(): boolean;
  /** Notes that the loss was reported. */
  reported(): Promise<void>;
}

const nothing: KnownOfStore = { version: 0, beside: {}, folders: 0, files: [], rows: [] };

const besideMax = 1_000; // sets of accounts, each some 80 bytes; for another one more runs are compared
const rowsMax = 64; // in the file of the cursors, which each command replaces
const fileMax = 2_000; // rows of a file with facts

/** The cursor file of a database. @param store identifies the database */
export function cursorIn(stateDir: string, store: string): CursorFile {
  const folder = storeFolder(stateDir);
  const name = sha256(store).slice(0, 16);
  const path = join(folder, `${name}${knownEnding}`);
  const folders = async (): Promise<number> =>
    (await readdir(join(stateDir, 'runs')).catch(() => [])).length;
  /** What is known, without cursors when folders of runs were deleted. */
  const current = async (version: number): Promise<KnownOfStore> => {
    const known = intactAt(path, folder);
    if (known?.version !== version) return { ...nothing, version };
    if ((await folders()) >= known.folders) return known;
    const { cursor: _cursor, ...rest } = known;
    return { ...rest, beside: {} };
  };
  const put = async (known: KnownOfStore): Promise<void> => {
    await makeFolder(folder);
    const { files, rows } = await packed(known, folder);
    const text = JSON.stringify({ ...known, files, rows, folders: await folders() });
    await replaceFile(path, frame(text));
    if (files !== known.files) await removeOthers(folder, name, files);
  };
  const packed = async (known: KnownOfStore, into: string): Promise<Stored> =>
    known.rows.length <= rowsMax ? known : packedInto(known, into, name);

  return {
    read: async (version, beside) => {
      const known = await current(version);
      const cursor = (beside && known.beside[nameOf(beside)]) ?? known.cursor;
      return {
        cursor,
        end: endsOf(known, folder),
        write: async (fetched) => {
          const now = await current(version);
          // Another process may have found out since that less is known.
          const isLess = cursor !== undefined && cursorFor(now, beside) === undefined;
          const next = await merged(now, fetched, folder, name);
          const { cursor: reached, forgot } = fetched;
          const isReached = !isLess && reached !== undefined;
          const reachedNow = isReached ? withCursor(next, reached, beside) : next;
          await put(forgot ? { ...reachedNow, forgot } : reachedNow);
        },
      };
    },
    forget: async (runs) => {
      const known = intactAt(path, folder);
      const ends = known && endsOf(known, folder);
      if (known === undefined || !runs.some((run) => ends?.(run) !== undefined)) return;
      await put(await merged(known, { rows: [], dropped: runs }, folder, name));
    },
    hasForgotten: () => intactAt(path, folder)?.forgot === true,
    reported: async () => {
      const { forgot: _forgot, ...known } = intactAt(path, folder) ?? nothing;
      await put(known);
    },
  };
}

type Stored = Pick<KnownOfStore, 'files' | 'rows'>;

/** What a file says; undefined if it, or a file that it names, is missing or damaged. */
function intactAt(path: string, folder: string): KnownOfStore | undefined {
  try {
    const known = knownAt(path);
    for (const file of known?.files ?? []) rowsAt(folder, file);
    return known;
  } catch (error) {
    if (error instanceof DamagedRecordError || isCode(error, 'ENOENT')) return undefined;
    throw error;
  }
}

/** The end of each run whose facts are here; what a file says is looked up in it, as it never changes. */
function endsOf({ files, rows }: Stored, folder: string): (run: string) => RecordEnd | undefined {
  const single = new Map(rows.map((row) => [row.run, row]));
  const parts = files.map((file) => rowsAt(folder, file));
  return (run) => {
    const row = single.get(run);
    if (row !== undefined) return row;
    for (const part of parts) {
      const at = placesIn(part).get(run);
      if (at !== undefined) return part.end(at);
    }
    return undefined;
  };
}

const placesOf = new WeakMap<Rows, ReadonlyMap<string, number>>();

function placesIn(rows: Rows): ReadonlyMap<string, number> {
  const known = placesOf.get(rows) ?? new Map(rows.runs.map((run, at) => [run, at]));
  placesOf.set(rows, known);
  return known;
}

function cursorFor(known: KnownOfStore, beside?: Beside): string | undefined {
  return (beside && known.beside[nameOf(beside)]) ?? known.cursor;
}

/** Adds a cursor. A set of accounts is added at the end; the oldest ones are left out. */
function withCursor(known: KnownOfStore, cursor: string, beside?: Beside): KnownOfStore {
  if (beside === undefined) return { ...known, cursor, beside: {} };
  const name = nameOf(beside);
  const others = Object.entries(known.beside).filter(([each]) => each !== name);
  const latest = [...others.slice(1 - besideMax), [name, cursor] as const];
  return { ...known, beside: Object.fromEntries(latest) };
}

function nameOf({ accounts }: Beside): string {
  return digestOf(accounts.toSorted()).slice(0, 16);
}

/** What is known with other facts: each run has them once. */
async function merged(
  known: KnownOfStore,
  { rows, dropped }: Pick<Fetched, 'rows' | 'dropped'>,
  folder: string,
  store: string,
): Promise<KnownOfStore> {
  const gone = new Set([...dropped, ...rows.map(({ run }) => run)]);
  const files = await Promise.all(
    known.files.map(async (file): Promise<readonly FactsFile[]> => {
      const { runs, row } = rowsAt(folder, file);
      if (!runs.some((run) => gone.has(run))) return [file];
      const kept = [...runs.keys()].filter((at) => !gone.has(runs[at] ?? ''));
      return kept.length === 0
        ? []
        : [
            await writtenFile(
              kept.flatMap((at) => row(at) ?? []),
              folder,
              store,
            ),
          ];
    }),
  );
  const others = known.rows.filter(({ run }) => !gone.has(run));
  return { ...known, files: files.flat(), rows: [...others, ...rows] };
}

/** Puts single rows into files; the last one is filled up. */
async function packedInto({ files, rows }: Stored, folder: string, store: string): Promise<Stored> {
  const last = files.at(-1);
  const isFull = last === undefined || last.count >= fileMax / 2;
  const { runs, row } = isFull ? { runs: [], row: () => undefined } : rowsAt(folder, last);
  const all = [...[...runs.keys()].flatMap((at) => row(at) ?? []), ...rows];
  const next: FactsFile[] = [...(isFull ? files : files.slice(0, -1))];
  for (let from = 0; from < all.length; from += fileMax) {
    next.push(await writtenFile(all.slice(from, from + fileMax), folder, store));
  }
  return { files: next, rows: [] };
}

async function writtenFile(
  rows: readonly StoredRow[],
  folder: string,
  store: string,
): Promise<FactsFile> {
  const text = rowsText(rows);
  const file = { name: factsName(store, text), count: rows.length };
  await makeFolder(folder);
  await replaceFile(join(folder, file.name), text);
  return file;
}

/** Removes files with facts that nothing names any more; another process may be about to name a new one. */
async function removeOthers(
  folder: string,
  store: string,
  files: readonly FactsFile[],
): Promise<void> {
  const named = new Set(files.map(({ name }) => name));
  for (const name of await readdir(folder)) {
    if (!name.startsWith(`${store}-`) || named.has(name)) continue;
    const path = join(folder, name);
    const found = await stat(path).catch(() => undefined);
    const isOld = found !== undefined && systemClock.now() - found.mtimeMs > minute;
    if (isOld) await rm(path, { force: true });
  }
}
