/** The files that a tool may name: ordinary ones in the folder of the server, and no hidden ones. */
import { existsSync, lstatSync, realpathSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { isCode } from '../../base/error.ts';
import { repositoryPath } from '../../base/platform/repository-path.ts';
import { thisSystem, type System } from '../../base/platform/system.ts';
import { isInside } from '../../base/workspace.ts';
import { ArgumentError } from './refusal.ts';

/** The files that a tool may not read under any name: files with secrets, by their real paths. */
export type Withheld = ReadonlySet<string>;

/**
 * The path of a file to read, as a command takes it.
 * @throws ArgumentError for an absolute path, `..`, a hidden file or folder, another extension, a
 * link that leads to such a file, and a file with secrets
 */
export function readable(
  path: string,
  { folder, withheld, where }: ToolFolder,
  extension: RegExp,
  system: System = thisSystem,
): string {
  checkSpelling(path, extension, where);
  const root = realpathSync(folder);
  const real = realOf(join(root, path));
  if (real === undefined) return path; // the command reports what is missing
  if (!isInside(root, real)) throw refused(where, `${path} is outside the folder of this server`);
  checkSpelling(repositoryPath(relative(root, real), system), extension, where);
  if (withheld.has(real))
    throw refused(where, `${path} is where this configuration keeps a secret`);
  return path;
}

/**
 * The path of a file to create.
 * @throws ArgumentError for a path that no call may name, and for an existing file
 */
export function creatable(path: string, { folder, where }: ToolFolder, extension: RegExp): string {
  checkSpelling(path, extension, where);
  const root = realpathSync(folder);
  if (lstatSync(join(root, path), { throwIfNoEntry: false }) !== undefined) {
    throw new ArgumentError(
      where,
      `${path} exists`,
      'name a new file: tools replace nothing',
      'path',
    );
  }
  let parent = dirname(join(root, path));
  while (!existsSync(parent)) {
    // A link whose target is missing would be followed when the folder is made.
    if (lstatSync(parent, { throwIfNoEntry: false }) !== undefined) {
      throw refused(where, `${path} leads through a broken link`);
    }
    parent = dirname(parent);
  }
  const real = realpathSync(parent);
  if (!isInside(root, real)) throw refused(where, `${path} is outside the folder of this server`);
  if (real !== root) checkParts(repositoryPath(relative(root, real)).split('/'), where);
  return path;
}

export interface ToolFolder {
  readonly folder: string;
  readonly withheld: Withheld;
  /** The argument that names the file. */
  readonly where: string;
}

function checkSpelling(path: string, extension: RegExp, where: string): void {
  if (!/^[^\p{C}\\:]{1,300}$/u.test(path)) {
    throw refused(
      where,
      'a path has 1 to 300 characters, and no backslash, colon or control character',
    );
  }
  checkParts(path.split('/'), where);
  if (!extension.test(path)) throw refused(where, `the file must match ${extension.source}`);
}

function checkParts(parts: readonly string[], where: string): void {
  for (const part of parts) {
    if (part === '') throw refused(where, 'a path is relative to the folder, without empty parts');
    if (part.startsWith('.')) throw refused(where, 'hidden files and `..` are not read or written');
    if (part.startsWith('-')) throw refused(where, 'a part of a path starts with a hyphen');
    if (part === 'node_modules') throw refused(where, 'files of packages are not read or written');
  }
}

function refused(where: string, what: string): ArgumentError {
  return new ArgumentError(where, what, 'name a file in the folder: playbooks/ladder.yaml', 'path');
}

/** The real path of a file; undefined if it does not exist. */
function realOf(path: string): string | undefined {
  try {
    return realpathSync(path);
  } catch (error) {
    if (['ENOENT', 'ENOTDIR', 'ELOOP', 'ENAMETOOLONG'].some((code) => isCode(error, code))) {
      return undefined;
    }
    throw error;
  }
}
