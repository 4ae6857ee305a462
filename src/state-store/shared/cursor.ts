/** How far this machine has fetched the runs of a shared database. */
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { isRecord, sha256 } from '../../base/json.ts';
import { readRegular } from '../../base/read-file.ts';
import { makeFolder, replaceFile } from '../../journal/file.ts';

export interface CursorFile {
  /**
   * Undefined if all runs must be compared: nothing was fetched yet, the file is unreadable, or runs
   * were deleted here since.
   */
  read(): Promise<string | undefined>;
  write(cursor: string): Promise<void>;
}

/** @param store identifies the database */
export function cursorIn(stateDir: string, store: string): CursorFile {
  const folder = join(stateDir, 'state');
  const path = join(folder, `${sha256(store).slice(0, 16)}.json`);
  const runs = async (): Promise<number> =>
    (await readdir(join(stateDir, 'runs')).catch(() => [])).length;
  return {
    read: async () => {
      const known = await cursorAt(path);
      return known !== undefined && (await runs()) >= known.runs ? known.cursor : undefined;
    },
    write: async (cursor) => {
      await makeFolder(folder);
      const known = { version: 1, cursor, runs: await runs() };
      await replaceFile(path, `${JSON.stringify(known)}\n`);
    },
  };
}

async function cursorAt(
  path: string,
): Promise<{ readonly cursor: string; readonly runs: number } | undefined> {
  let value: unknown;
  try {
    value = JSON.parse((await readRegular(path)).toString('utf8'));
  } catch {
    return undefined;
  }
  if (!isRecord(value)) return undefined;
  const { cursor, runs } = value;
  return typeof cursor === 'string' && typeof runs === 'number' ? { cursor, runs } : undefined;
}
