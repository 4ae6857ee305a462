/** One text becomes a file by the rules of rows: inside the workspace, whole or not at all. */
import { realDisk, type Disk } from './disk.ts';
import { draft, oneText, publishAll } from './draft.ts';
import { openTarget } from './target.ts';

/**
 * Writes a page or a note that has no rows and needs no manifest.
 * @throws ExportError when the name is not allowed or the disk fails
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
    const made = await draft(disk, target, oneText(request.text));
    await publishAll(disk, target, [made]);
    return { file, bytes: made.bytes, sha256: made.sha256 };
  } finally {
    await target.close();
  }
}
