/** Reads a file that its user named. */
import { readdir } from 'node:fs/promises';
import { dirname, join, relative, resolve } from 'node:path';
import { UsageError } from '../../base/error.ts';
import { readRegular, UnreadableError } from '../../base/read-file.ts';
import { nearWord } from '../../base/text.ts';
import { refuseLeadingOut } from '../../base/workspace.ts';

/**
 * The bytes of a file.
 * @param folder from which it is named
 * @throws UsageError when it does not exist; UnreadableError when it may not be read
 */
export async function readNamed(path: string, folder: string): Promise<Buffer> {
  try {
    refuseLeadingOut(path, folder);
    return await readRegular(resolve(folder, path));
  } catch (error) {
    if (error instanceof UnreadableError || !(error instanceof Error) || !('code' in error)) {
      throw error;
    }
    throw error.code === 'ENOENT' || error.code === 'ENOTDIR'
      ? await missingFile(path, folder)
      : error;
  }
}

/** The error for a missing file, with a similar name that exists. */
export async function missingFile(path: string, folder: string): Promise<UsageError> {
  const names = await readdir(dirname(resolve(folder, path))).catch(() => []);
  const near = nearWord(
    path,
    names.map((name) => join(dirname(path), name)).filter((name) => relative(path, name) !== ''), // a broken symbolic link
  );
  return new UsageError(`file not found: ${path}`, near && `did you mean ${near}?`);
}
