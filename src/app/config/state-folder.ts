/** The state folder: it must contain no links, which would redirect writes. */
import type { Dirent } from 'node:fs';
import { join } from 'node:path';
import { ConfigError, isCode } from '../../base/error.ts';
import { kindAt } from '../../base/file-kind.ts';
import { readEntries } from '../../base/folder-names.ts';

/**
 * Refuses links in the state folder. The folder may be missing; it is created on the first write.
 * @param isNamed a person named the folder itself, which may then be a link
 * @param known subfolders that are known to have no links, and are not read
 * @throws ConfigError for a file in its place, and for a link in the folder or its subfolders
 */
export function refuseLinksIn(
  folder: string,
  isNamed: boolean,
  known: ReadonlySet<string> = new Set(),
): void {
  if (!isNamed && kindAt(folder) === 'link') throw linkAt(folder);
  if (kindAt(folder) === 'file') {
    throw new ConfigError(
      `the state folder ${folder} is a file`,
      'name a folder in DESKHAND_STATE_DIR, or unset it to use .deskhand',
    );
  }
  for (const entry of entriesOf(folder)) {
    const path = join(folder, entry.name);
    if (entry.isSymbolicLink()) throw linkAt(path);
    const found = entry.isDirectory() && !known.has(path) ? entriesOf(path) : [];
    const link = found.find((each) => each.isSymbolicLink());
    if (link !== undefined) throw linkAt(join(path, link.name));
  }
}

/**
 * The entries of a folder; none if it does not exist or cannot be read: the code that uses it reports that.
 */
function entriesOf(folder: string): readonly Dirent[] {
  try {
    return readEntries(folder);
  } catch (error) {
    if (silent.some((code) => isCode(error, code))) return [];
    throw error;
  }
}

const silent: readonly string[] = ['ENOENT', 'ENOTDIR', 'EACCES', 'EPERM', 'ELOOP'];

function linkAt(path: string): ConfigError {
  return new ConfigError(
    `${path} is a link: files would be written elsewhere`,
    'replace it by a folder or file, or set DESKHAND_STATE_DIR to its target',
  );
}
