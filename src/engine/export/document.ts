/** Writes one text to a file with the rules of exports: inside the workspace, completely or not at all. */
import { join } from 'node:path';
import { ForeignFileError, refuseMoved, standingAt, type Standing } from '../../base/own-file.ts';
import { realDisk, type Disk } from './disk.ts';
import { draft, oneText, publishAll } from './draft.ts';
import { ExportError } from './error.ts';
import { documentFile } from './own-document.ts';
import { openTarget } from './target.ts';

/**
 * Writes a page or a text file that has no rows and no manifest. It replaces only an earlier one.
 * @throws ExportError when the name is not allowed, another file has it, or the disk fails
 */
export async function writeDocument(request: {
  /** An existing folder that contains the file. */
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
      await made.discard().catch(() => undefined); // the first error has the cause
      throw error;
    }
    await publishAll(disk, target, [made]);
    return { file, bytes: made.bytes, sha256: made.sha256 };
  } finally {
    await target.close();
  }
}

/** The internal path uses an open folder handle; messages use the file name. */
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
