/** What this machine keeps beside its runs: who it is, and what it last saw of the state. */
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isRecord, sha256 } from '../../base/json.ts';
import { randomId } from '../../base/random.ts';
import { makeFolder, replaceFile } from '../../journal/file.ts';
import type { Seen } from './chain.ts';

/** Drawn once; whoever has the disk is the machine. */
export async function machineId(stateDir: string): Promise<string> {
  await makeFolder(stateDir);
  const path = join(stateDir, 'machine');
  await writeFile(path, `${randomId(20)}\n`, { flag: 'wx', mode: 0o600 }).catch(
    (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error;
    },
  );
  return (await readFile(path, 'utf8')).trim();
}

export interface Memory {
  read(): Promise<Seen | undefined>;
  write(seen: Seen): Promise<void>;
}

/** @param store what tells one ref of one remote from another */
export function memoryIn(stateDir: string, store: string): Memory {
  const folder = join(stateDir, 'state');
  const path = join(folder, `${sha256(store).slice(0, 16)}.json`);
  return {
    read: async () => {
      const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
        if (error.code === 'ENOENT') return '';
        throw error;
      });
      return text === '' ? undefined : seenIn(text);
    },
    write: async (seen) => {
      await makeFolder(folder);
      await replaceFile(path, `${JSON.stringify(seen)}\n`);
    },
  };
}

function seenIn(text: string): Seen | undefined {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined; // half a file says nothing
  }
  if (!isRecord(value)) return undefined;
  const { commit, seq, link, why } = value;
  return typeof commit === 'string' &&
    typeof seq === 'number' &&
    typeof link === 'string' &&
    typeof why === 'string'
    ? { commit, seq, link, why }
    : undefined;
}
