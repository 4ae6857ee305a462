/** Files of configurations: where deskhand.yaml is, and which files it may name. */
import { existsSync, realpathSync } from 'node:fs';
import { dirname, isAbsolute, join, relative, resolve } from 'node:path';
import { ConfigError, messageOf } from '../../base/error.ts';
import { readRegularSync } from '../../base/read-file.ts';
import { isReallyIn, workspaceOf } from '../../base/workspace.ts';

const fileName = 'deskhand.yaml';

/** The nearest configuration file: in a folder or its parents, up to the root of the repository. */
export function nearestFile(start: string): string | undefined {
  for (let folder = resolve(start); ; folder = dirname(folder)) {
    const file = join(folder, fileName);
    refuseOther(folder);
    if (existsSync(file)) return file;
    if (existsSync(join(folder, '.git')) || dirname(folder) === folder) return undefined;
  }
}

const otherNames = ['deskhand.yml', '.deskhand.yaml', '.deskhand.yml'];

/** Refuses a misnamed configuration file: it would not be read, and its guards would not apply. */
function refuseOther(folder: string): void {
  const other = otherNames.map((name) => join(folder, name)).find((path) => existsSync(path));
  if (other === undefined) return;
  throw new ConfigError(
    `${other} is ignored: the configuration file is ${fileName}`,
    `rename it to ${fileName}, or name it with --config`,
  );
}

/**
 * Refuses a link out of the repository: an untrusted repository must not cause another file to be read, and
 * quoted, as its configuration.
 */
export function refuseLinkOut(file: string): void {
  if (isReallyIn(workspaceOf(dirname(file)), file)) return;
  throw new ConfigError(
    `${file} is a link that points outside its repository`,
    'name the file it leads to: --config FILE, or DESKHAND_CONFIG',
  );
}

/** Reads a file that the configuration names: in its folder, or elsewhere in the same repository. */
export function readBeside(
  path: string,
  config: string,
): { readonly file: string; readonly text: string } {
  const file = resolve(dirname(config), path);
  try {
    const within = relative(realpathSync(rootOf(dirname(config))), realpathSync(file));
    if (isAbsolute(path) || within.startsWith('..') || isAbsolute(within)) {
      throw new ConfigError(
        `${config} names ${path}, which is outside its repository`,
        'keep the file in the same repository',
      );
    }
    return { file, text: readRegularSync(file).toString('utf8') };
  } catch (error) {
    if (error instanceof ConfigError) throw error;
    throw new ConfigError(`${config} names ${path}, which cannot be read`, messageOf(error));
  }
}

/** The repository of a folder, or the folder itself. */
function rootOf(folder: string): string {
  for (let at = folder; ; at = dirname(at)) {
    if (existsSync(join(at, '.git'))) return at;
    if (dirname(at) === at) return folder;
  }
}
