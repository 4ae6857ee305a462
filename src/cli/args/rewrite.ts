/** A file of the author's in a new text: a death, or a full disk, leaves the old one. */
import { realpath, stat } from 'node:fs/promises';
import { UsageError } from '../../base/error.ts';
import { readRegularSync } from '../../base/read-file.ts';
import { replaceFile } from '../../journal/file.ts';

/**
 * Replaces what is in a file, at one stroke; links lead to it, and who may read it stays.
 * @param before what was read of it: someone's edit since then is never lost
 * @throws UsageError for what is not a file, or not what was read; DiskError
 */
export async function rewriteFile(path: string, text: string, before: Buffer): Promise<void> {
  const place = await realpath(path);
  const found = await stat(place);
  if (!found.isFile()) throw new UsageError(`${path} is not a file that can be rewritten`);
  if ((found.mode & 0o222) === 0) throw new UsageError(`${path} is read-only and was not changed`);
  await replaceFile(place, text, found.mode & 0o777, () => {
    if (!readRegularSync(place).equals(before)) throw changedSince(path);
  });
}

function changedSince(path: string): UsageError {
  return new UsageError(`${path} was changed by another program and was not overwritten`);
}
