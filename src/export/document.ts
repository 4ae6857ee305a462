/** One text becomes a file by the rules of rows: inside the workspace, whole or not at all. */
import { join } from 'node:path';
import { ForeignFileError, refuseMoved, standingAt, type Standing } from '../base/own-file.ts';
import { realDisk, type Disk } from './disk.ts';
import { draft, oneText, publishAll } from './draft.ts';
import { ExportError } from './error.ts';
import { documentFile } from './own-document.ts';
import { openTarget } from './target.ts';

/**
 * Writes a page or a note that has no rows and needs no manifest. It takes the place of an earlier
 * one, and of nothing else.
 * @throws ExportError when the name is not allowed, something else has it, or the disk fails
 */
export async function writeDocument(request: {
  /** An existing folder that the file stays inside. */
  readonly workspace: string;
  readonly file: string;
  readonly text: string;
  readonly disk?: Disk;
}): Promise<{ readonly file: string; readonly bytes: number; readonly sha256: string }> {
  const { file, disk = realDisk } = request;
  const target = await openTarget(request.workspace, file);
  try {
    const path = join(target.folder, target.name);
    const before = inWords(file, () => standingAt(path, documentFile));
    const made = await draft(disk, target, oneText(request.text));
    try {
      inWords(file, () => refuseMoved(path, before));
    } catch (error) {
      await made.discard().catch(() => undefined); // the first error is the one to tell
      throw error;
    }
    await publishAll(disk, target, [made]);
    return { file, bytes: made.bytes, sha256: made.sha256 };
  } finally {
    await target.close();
  }
}

/** The path leads through an open folder; people know the file by its name. */
function inWords(file: string, look: () => Standing | void): Standing {
  try {
    return look() ?? undefined;
  } catch (error) {
    if (!(error instanceof ForeignFileError)) throw error;
    throw new ExportError('file-in-the-way', `${file} already exists: ${error.because}`, {
      hint: 'move it or choose another name',
    });
  }
}
