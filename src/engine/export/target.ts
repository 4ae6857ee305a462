/** The places where a file may be written: inside the workspace, opened part by part so that no link
 * leaves it.
 */
import { constants, lstat, mkdir, open, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import { unusableFile, workspaceFileHint } from '../../base/platform/file-name.ts';
import { syncOpenFolder } from '../../base/platform/folder-sync.ts';
import { thisSystem, type System } from '../../base/platform/system.ts';
import { plainText } from '../../base/text.ts';
import { diskError, ExportError, systemCodeOf } from './error.ts';
import { manifestEnding } from './manifest.ts';

/** The location of one file. Its folder stays open until `close`, so it cannot be swapped. */
export interface Target {
  /** The file as the playbook names it: `out/volume.csv`. */
  readonly file: string;
  readonly name: string;
  /** The path of the folder, valid while the target is open. */
  readonly folder: string;
  close(): Promise<void>;
}

/**
 * The parts of a file name in a playbook.
 * @throws ExportError when the name is absolute, contains `..`, is hidden or has other characters
 */
export function filePartsOf(file: string): readonly string[] {
  const parts = file.split('/');
  const because = unusableFile(file);
  if (because !== undefined) throw nameError(file, because);
  if (file.toLowerCase().endsWith(manifestEnding))
    throw nameError(file, `${manifestEnding} is reserved for manifests`);
  return parts;
}

/**
 * Opens the location of a file and creates its folders.
 * @param workspace an existing folder; the file and all its folders stay inside it
 * @throws ExportError when the name is not allowed or a link or folder is in the way
 */
export async function openTarget(
  workspace: string,
  file: string,
  system: System = thisSystem,
): Promise<Target> {
  const parts = filePartsOf(file);
  const name = parts.at(-1) ?? '';
  let folder = await openFolder(workspace, workspace, file, { mayBeLink: true, system });
  for (const word of parts.slice(0, -1)) {
    const parent = folder;
    try {
      folder = await enter(parent, word, file, system);
    } finally {
      await parent.handle.close();
    }
  }
  try {
    await refuseObstacle(join(folder.path, name), file);
    await refuseObstacle(join(folder.path, `${name}${manifestEnding}`), `${file}${manifestEnding}`);
  } catch (error) {
    await folder.handle.close();
    throw error;
  }
  return { file, name, folder: folder.path, close: () => folder.handle.close() };
}

interface Folder {
  readonly handle: FileHandle;
  /** A path through the open handle, on systems that support it. */
  readonly path: string;
}

async function enter(parent: Folder, word: string, file: string, system: System): Promise<Folder> {
  const path = join(parent.path, word);
  try {
    await mkdir(path);
    await syncOpenFolder(parent.handle);
  } catch (error) {
    if (systemCodeOf(error) !== 'EEXIST') throw diskError(file, error);
  }
  return openFolder(path, word, file, { mayBeLink: false, system });
}

async function openFolder(
  path: string,
  shown: string,
  file: string,
  { mayBeLink, system }: { readonly mayBeLink: boolean; readonly system: System },
): Promise<Folder> {
  const { O_DIRECTORY, O_NOFOLLOW, O_RDONLY } = constants;
  // Windows has no flags that refuse links and files.
  const only = system === 'win32' ? 0 : O_DIRECTORY | (mayBeLink ? 0 : O_NOFOLLOW);
  try {
    if (system === 'win32' && !mayBeLink && !(await lstat(path)).isDirectory()) {
      throw inTheWay(file, `${shown} is a link or a file, not a folder`);
    }
    const handle = await open(path, O_RDONLY | only);
    return { handle, path: system === 'linux' ? `/proc/self/fd/${handle.fd}` : path };
  } catch (error) {
    if (error instanceof ExportError) throw error;
    const code = systemCodeOf(error);
    if (code !== 'ELOOP' && code !== 'ENOTDIR') throw diskError(file, error);
    throw inTheWay(file, `${shown} is a link or a file, not a folder`);
  }
}

async function refuseObstacle(path: string, file: string): Promise<void> {
  let found;
  try {
    found = await lstat(path);
  } catch (error) {
    if (systemCodeOf(error) === 'ENOENT') return;
    throw diskError(file, error);
  }
  if (found.isDirectory()) throw inTheWay(file, 'a folder has that name');
  if (found.isSymbolicLink())
    throw inTheWay(file, 'a link has that name, and links are not followed');
  if (!found.isFile()) throw inTheWay(file, 'something other than a file has that name');
}

function nameError(file: string, reason: string): ExportError {
  return new ExportError('file-name', `${plainText(file, 120)} cannot be written: ${reason}`, {
    hint: workspaceFileHint,
  });
}

function inTheWay(file: string, reason: string): ExportError {
  return new ExportError('file-in-the-way', `${file} cannot be written: ${reason}`, {
    hint: 'move it or choose another name',
  });
}
