/** The files of a scheduler in the state folder of one machine. Each error is a DiskError with the path. */
import { constants, open, readdir, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { isCode } from '../../base/error.ts';
import { isRecord } from '../../base/json.ts';
import { readRegular } from '../../base/read-file.ts';
import { DiskError, makeFolder, replaceFile } from '../../engine/journal/file.ts';
import { syncFolder } from '../../base/platform/folder-sync.ts';
import type { StateFiles } from '../../stores/small-files.ts';

export const stateFiles: StateFiles = {
  read,
  // Locks of the machine exclude other processes between the comparison and the change.
  replace: async (path, text, before) => {
    if ((await read(path)) !== before) return false;
    await makeFolder(dirname(path));
    await replaceFile(path, text);
    return true;
  },
  create: async (path, text) => {
    await makeFolder(dirname(path));
    const handle = await open(path, 'wx', 0o600).catch((error: unknown) => {
      if (isCode(error, 'EEXIST')) return undefined;
      throw failed('write', path, error);
    });
    if (handle === undefined) return false;
    try {
      await handle.writeFile(text, 'utf8');
      await handle.sync();
    } catch (error) {
      throw failed('write', path, error);
    } finally {
      await handle.close();
    }
    await syncFolder(dirname(path));
    return true;
  },
  append: async (path, line) => {
    await makeFolder(dirname(path));
    try {
      const handle = await open(path, appending, 0o600);
      try {
        const { size } = await handle.stat();
        const last = Buffer.alloc(1);
        if (size > 0) await handle.read(last, 0, 1, size - 1);
        const isTorn = size > 0 && last.toString() !== '\n';
        const text = `${isTorn ? '\n' : ''}${line}\n`;
        await handle.appendFile(text, 'utf8');
        await handle.datasync();
        return size + Buffer.byteLength(text);
      } finally {
        await handle.close();
      }
    } catch (error) {
      throw failed('write', path, error);
    }
  },
  names: async (folder) => (await readdir(folder).catch(undefinedWhenMissing(folder))) ?? [],
  remove: async (folder) => {
    try {
      await rm(folder, { recursive: true, force: true });
    } catch (error) {
      throw failed('remove', folder, error);
    }
  },
};

async function read(path: string): Promise<string | undefined> {
  const bytes = await readRegular(path, Infinity).catch(undefinedWhenMissing(path));
  return bytes?.toString('utf8');
}

const { O_APPEND, O_CREAT, O_RDWR } = constants;
const appending = O_RDWR | O_APPEND | O_CREAT | (constants.O_NOFOLLOW ?? 0);

function undefinedWhenMissing(path: string): (error: unknown) => undefined {
  return (error) => {
    if (isCode(error, 'ENOENT')) return undefined;
    throw failed('read', path, error);
  };
}

/** @param act the failed action, after "cannot" */
function failed(act: 'read' | 'write' | 'remove', path: string, error: unknown): DiskError {
  const code = isRecord(error) && typeof error['code'] === 'string' ? ` (${error['code']})` : '';
  return new DiskError(`cannot ${act} ${path}${code}`, error);
}
