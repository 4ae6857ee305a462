/** The folder tree that files are named in, and whether a name leads out of it. */
import { existsSync, realpathSync } from 'node:fs';
import { dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import process from 'node:process';
import { isCode } from './error.ts';
import { readRegularSync, UnreadableError } from './read-file.ts';

/** The repository a folder is in; without one, where its deskhand.yaml is; otherwise itself. */
export function workspaceOf(folder: string): string {
  return above(folder, '.git') ?? above(folder, 'deskhand.yaml') ?? resolve(folder);
}

/** The workspace a file is named in: that of this process, or of the file's own folder. */
export function workspaceFor(file: string): string {
  const here = workspaceOf(process.cwd());
  const named = resolve(file);
  return isInside(here, named) ? here : workspaceOf(dirname(named));
}

/** Whether a path, links followed, is in a folder. @throws what the system says */
export function isReallyIn(folder: string, path: string): boolean {
  return isInside(realpathSync(folder), realpathSync(path));
}

/**
 * A file named on a command line, whose links must not lead out of the workspace it is named in:
 * what is read may be shown.
 * @throws UnreadableError
 */
export function refuseLeadingOut(file: string): void {
  refuseOutside(file, workspaceFor(file));
}

/** A file that another file names. @throws UnreadableError when it is outside; what the system says */
export function readInside(workspace: string, file: string): Buffer {
  refuseOutside(file, workspace);
  return readRegularSync(file);
}

function refuseOutside(file: string, workspace: string): void {
  try {
    if (isReallyIn(workspace, file)) return;
  } catch (error) {
    if (missing.some((code) => isCode(error, code))) return; // to read it says so
    throw error;
  }
  throw new UnreadableError(
    file,
    `it is outside ${workspace}`,
    'keep these files in one repository, or name the file at its real path',
  );
}

const missing: readonly string[] = ['ENOENT', 'ENOTDIR', 'ELOOP', 'EACCES'];

/** Whether a path is in a folder by its words alone. */
export function isInside(folder: string, path: string): boolean {
  const way = relative(folder, path);
  return way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}

/** The nearest folder, from this one up, that has an entry of a name. */
function above(folder: string, name: string): string | undefined {
  for (let at = resolve(folder); ; at = dirname(at)) {
    if (existsSync(join(at, name))) return at;
    if (dirname(at) === at) return undefined;
  }
}
