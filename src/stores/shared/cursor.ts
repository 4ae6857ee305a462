/** Remembers how far this machine has fetched the runs of a shared database. */
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { digestOf, isRecord, sha256 } from '../../base/json.ts';
import { readRegular } from '../../base/read-file.ts';
import { makeFolder, replaceFile } from '../../engine/journal/file.ts';
import type { Beside } from '../store.ts';

export interface CursorFile {
  /**
   * The cursor. Undefined if all runs must be compared: nothing was fetched yet, the file is unreadable, or
   * runs were deleted here since.
   * @param beside of the runs that are to be fetched; default: all
   */
  read(beside?: Beside): Promise<string | undefined>;
  /** Stores the cursor. @param beside of the runs that were fetched; default: all */
  write(cursor: string, beside?: Beside): Promise<void>;
}

/** The cursors as the file stores them. */
interface Cursors {
  /** The cursor of all runs; absent if only some were fetched. */
  readonly cursor?: string;
  /** The cursors of the runs on some accounts, by the digest of the accounts, the latest one last. */
  readonly beside: ReadonlyMap<string, string>;
  /** Number of runs in the state folder at that time. */
  readonly runs: number;
}

const nothing: Cursors = { beside: new Map(), runs: 0 };

const besideMax = 1_000; // sets of accounts, each some 80 bytes; for another one more runs are compared

/** The cursor file of a database. @param store identifies the database */
export function cursorIn(stateDir: string, store: string): CursorFile {
  const folder = join(stateDir, 'state');
  const path = join(folder, `${sha256(store).slice(0, 16)}.json`);
  const runs = async (): Promise<number> =>
    (await readdir(join(stateDir, 'runs')).catch(() => [])).length;
  const current = async (): Promise<Cursors> => {
    const known = await cursorsAt(path);
    return (await runs()) >= known.runs ? known : nothing;
  };
  return {
    read: async (beside) => {
      const known = await current();
      return (beside && known.beside.get(nameOf(beside))) ?? known.cursor;
    },
    write: async (cursor, beside) => {
      await makeFolder(folder);
      const next = beside ? withBeside(await current(), beside, cursor) : { ...nothing, cursor };
      await replaceFile(path, `${textOf({ ...next, runs: await runs() })}\n`);
    },
  };
}

/** Adds the cursor of some accounts at the end; the oldest ones are left out. */
function withBeside(known: Cursors, accounts: Beside, cursor: string): Cursors {
  const name = nameOf(accounts);
  const others = [...known.beside].filter(([each]) => each !== name).slice(1 - besideMax);
  return { ...known, beside: new Map([...others, [name, cursor]]) };
}

function nameOf({ accounts }: Beside): string {
  return digestOf(accounts.toSorted()).slice(0, 16);
}

function textOf({ cursor, runs, beside }: Cursors): string {
  return JSON.stringify({ version: 1, cursor, runs, beside: Object.fromEntries(beside) });
}

async function cursorsAt(path: string): Promise<Cursors> {
  let value: unknown;
  try {
    value = JSON.parse((await readRegular(path)).toString('utf8'));
  } catch {
    return nothing;
  }
  if (!isRecord(value)) return nothing;
  const { cursor, runs, beside = {} } = value;
  if (typeof runs !== 'number' || !isRecord(beside)) return nothing;
  return {
    runs,
    ...(typeof cursor === 'string' && { cursor }),
    beside: new Map(
      Object.entries(beside).filter(
        (each): each is [string, string] => typeof each[1] === 'string',
      ),
    ),
  };
}
