/** The last state that this machine fetched, stored next to its runs. */
import { join } from 'node:path';
import { isCode } from '../../base/error.ts';
import { isRecord, sha256 } from '../../base/json.ts';
import { readRegular } from '../../base/read-file.ts';
import { makeFolder, replaceFile } from '../../engine/journal/file.ts';
import type { Seen } from './chain.ts';

export interface Memory {
  read(): Promise<Seen | undefined>;
  write(seen: Seen): Promise<void>;
}

/** Opens the memory of a store. @param store identifies one ref of one remote */
export function memoryIn(stateDir: string, store: string): Memory {
  const folder = join(stateDir, 'state');
  const path = join(folder, `${sha256(store).slice(0, 16)}.json`);
  return {
    read: async () => {
      const bytes = await readRegular(path).catch((error: unknown) => {
        if (isCode(error, 'ENOENT')) return undefined;
        throw error;
      });
      return bytes && seenIn(bytes.toString('utf8'));
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
    return undefined; // an incomplete file proves nothing
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
