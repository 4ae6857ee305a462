/** Creates folders: Node's `recursive` never returns where folders cannot be created, such as under /proc. */
import { existsSync, mkdirSync } from 'node:fs';
import { mkdir, stat } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';

/**
 * Creates a folder and its missing parents.
 * @returns the folders that were missing
 * @throws the error of the first folder that cannot be created
 */
export async function makeFolders(path: string, mode = 0o777): Promise<readonly string[]> {
  const missing: string[] = [];
  for (let at = resolve(path); !(await isThere(at)); at = dirname(at)) missing.push(at);
  for (const folder of missing.toReversed()) {
    await mkdir(folder, { mode }).catch(async (error: unknown) => {
      if (!(await isThere(folder))) throw error; // another process may have created it
    });
  }
  return missing;
}

/** The synchronous variant of `makeFolders`. */
export function makeFoldersSync(path: string, mode = 0o777): void {
  const missing: string[] = [];
  for (let at = resolve(path); !existsSync(at) && dirname(at) !== at; at = dirname(at)) {
    missing.push(at);
  }
  for (const folder of missing.toReversed()) {
    try {
      mkdirSync(folder, { mode });
    } catch (error) {
      if (!existsSync(folder)) throw error;
    }
  }
}

/** Whether a folder exists. A root always does; a file in the path is reported by the next mkdir. */
async function isThere(path: string): Promise<boolean> {
  if (dirname(path) === path) return true;
  return stat(path).then(
    () => true,
    () => false,
  );
}
