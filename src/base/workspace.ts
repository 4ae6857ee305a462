/** The folder tree that files must be in, and whether a path leaves it. */
import { existsSync, realpathSync } from 'node:fs';
import { dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import process from 'node:process';
import { isCode } from './error.ts';
import { readRegularSync, UnreadableError } from './read-file.ts';

/**
 * The repository of a folder; without one, the folder of its deskhand.yaml; else the folder itself.
 */
export function workspaceOf(folder: string): string {
  return above(folder, '.git') ?? above(folder, 'deskhand.yaml') ?? resolve(folder);
}

/** The workspace of a file name: that of a folder, or of the file's folder. */
export function workspaceFor(file: string, folder = process.cwd()): string {
  const here = workspaceOf(folder);
  const named = resolve(folder, file);
  return isInside(here, named) ? here : workspaceOf(dirname(named));
}

/** Whether a path, with links resolved, is in a folder. @throws the error of the system */
export function isReallyIn(folder: string, path: string): boolean {
  return isInside(realpathSync(folder), realpathSync(path));
}

/**
 * A file named on the command line must not be a link that leaves its workspace, because its
 * contents may be displayed.
 * @throws UnreadableError
 */
export function refuseLeadingOut(file: string, folder = process.cwd()): void {
  refuseOutside(resolve(folder, file), workspaceFor(file, folder), file);
}

/**
 * Reads a file that another file names.
 * @throws UnreadableError when it is outside; the error of the system
 */
export function readInside(workspace: string, file: string): Buffer {
  refuseOutside(file, workspace);
  return readRegularSync(file);
}

function refuseOutside(file: string, workspace: string, name = file): void {
  try {
    if (isReallyIn(workspace, file)) return;
  } catch (error) {
    if (missing.some((code) => isCode(error, code))) return; // the read itself reports it
    throw error;
  }
  throw new UnreadableError(
    name,
    `it is outside ${workspace}`,
    'keep these files in one repository, or name the file at its real path',
  );
}

const missing: readonly string[] = ['ENOENT', 'ENOTDIR', 'ELOOP', 'EACCES'];

/** Whether a path is in a folder, without resolving links. */
export function isInside(folder: string, path: string): boolean {
  const way = relative(folder, path);
  return way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}

/** The nearest folder, from this one upwards, that contains an entry with this name. */
function above(folder: string, name: string): string | undefined {
  for (let at = resolve(folder); ; at = dirname(at)) {
    if (existsSync(join(at, name))) return at;
    if (dirname(at) === at) return undefined;
  }
}
