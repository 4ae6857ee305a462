/** A file of the author's in a new text: a death, or a full disk, leaves the old one. */
import { realpath, stat } from 'node:fs/promises';
import { UsageError } from '../../base/error.ts';
import { replaceFile } from '../../journal/file.ts';

/**
 * Replaces what stands in a file, at one stroke; links lead to it, and who may read it stays.
 * @throws UsageError for what is no file; DiskError
 */
export async function rewriteFile(path: string, text: string): Promise<void> {
  const place = await realpath(path);
  const found = await stat(place);
  if (!found.isFile()) throw new UsageError(`${path} is no file that can be written anew`);
  await replaceFile(place, text, found.mode & 0o777);
}
