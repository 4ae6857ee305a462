/** Making folders: Node's own `recursive` never ends where no one may make any, as under /proc. */
import { existsSync, mkdirSync } from 'node:fs';
import { mkdir, stat } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';

/**
 * Makes a folder and those above it that are missing.
 * @returns those that were missing
 * @throws what the file system says of the first that cannot be made
 */
export async function makeFolders(path: string, mode = 0o777): Promise<readonly string[]> {
  const missing: string[] = [];
  for (let at = resolve(path); !(await isThere(at)); at = dirname(at)) missing.push(at);
  for (const folder of missing.toReversed()) {
    await mkdir(folder, { mode }).catch(async (error: unknown) => {
      if (!(await isThere(folder))) throw error; // another process may have made it meanwhile
    });
  }
  return missing;
}

/** The same at once. */
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

/** A root is always there; a file in the way is reported when something is made in it. */
async function isThere(path: string): Promise<boolean> {
  if (dirname(path) === path) return true;
  return stat(path).then(
    () => true,
    () => false,
  );
}
