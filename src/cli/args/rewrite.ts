/** Rewrites a user's file: a crash, or a full disk, leaves the old text. */
import { realpath, stat } from 'node:fs/promises';
import { UsageError } from '../../base/error.ts';
import { readRegularSync } from '../../base/read-file.ts';
import { replaceFile } from '../../engine/journal/file.ts';

/**
 * Replaces the text of a file atomically; links are followed, and the mode is kept.
 * @param before the text that was read: a later edit is never lost
 * @throws UsageError for what is not a file, or was changed; DiskError
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
