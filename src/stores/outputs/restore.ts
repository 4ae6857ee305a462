/** Brings the files that a run wrote on another machine into the workspace in which it continues. */
import { join } from 'node:path';
import { realDisk } from '../../engine/export/disk.ts';
import { draft, publishAll } from '../../engine/export/draft.ts';
import { ExportError } from '../../engine/export/error.ts';
import { manifestEnding } from '../../engine/export/manifest.ts';
import { placeFor } from '../../engine/export/overwrite.ts';
import { openTarget } from '../../engine/export/target.ts';
import { lockTarget } from '../../engine/export/target-lock.ts';
import { digestAt } from '../../engine/export/verify.ts';
import type { Entry } from '../../engine/journal/entry.ts';
import type { OutputReader } from '../outputs.ts';
import { proven, storedContent } from './content.ts';
import { filesOf, type RunFile } from './written-files.ts';

export interface RestoreOptions {
  readonly run: string;
  readonly entries: readonly Entry[];
  readonly workspace: string;
  readonly reader: OutputReader;
}

/**
 * Restores only files with rows, which later steps read. An export of an earlier run is replaced, as the step
 * itself would do.
 * @returns the files that are not in the workspace, each with the reason: another file of that name is not
 * the one of this run
 * @throws StoreError when the store gave no answer
 */
export async function restoreFiles(options: RestoreOptions): Promise<ReadonlyMap<string, string>> {
  const elsewhere = new Map<string, string>();
  for (const file of filesOf(options.entries)) {
    if (!file.hasManifest || file.stored === undefined) continue;
    const because = await restored(file, options);
    if (because !== undefined) elsewhere.set(file.path, because);
  }
  return elsewhere;
}

/** Restores one file. @returns why it is not in the workspace; undefined if it is */
async function restored(file: RunFile, options: RestoreOptions): Promise<string | undefined> {
  const { path, stored } = file;
  try {
    const target = await openTarget(options.workspace, path);
    try {
      if ((await digestAt(join(target.folder, target.name))) === file.sha256) return undefined;
      if (stored?.in !== 'store') return `it is on ${stored?.host}, in ${stored?.folder}`;
      const lock = lockTarget(target, options.run);
      try {
        await placeFor(target, 'own');
        const { reader, run } = options;
        const manifest = `${path}${manifestEnding}`;
        const proof = { path: manifest, sha256: stored.manifest ?? '' };
        const drafts = [
          await draft(realDisk, target, proven(storedContent(reader, run, file), file)),
          await draft(
            realDisk,
            { ...target, name: `${target.name}${manifestEnding}`, file: manifest },
            proven(storedContent(reader, run, proof), proof),
          ),
        ] as const;
        await publishAll(realDisk, target, drafts);
        return undefined;
      } finally {
        lock.release();
      }
    } finally {
      await target.close();
    }
  } catch (error) {
    if (error instanceof ExportError) return error.message;
    throw error;
  }
}
