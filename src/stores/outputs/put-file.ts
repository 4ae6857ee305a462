/** Puts a fetched file into a folder: inside it, completely or not at all, and never over another file. */
import { link } from 'node:fs/promises';
import { join } from 'node:path';
import { realDisk } from '../../engine/export/disk.ts';
import { draft, errorsNaming } from '../../engine/export/draft.ts';
import { ExportError, systemCodeOf } from '../../engine/export/error.ts';
import { manifestEnding } from '../../engine/export/manifest.ts';
import { openTarget, type Target } from '../../engine/export/target.ts';
import { digestAt } from '../../engine/export/verify.ts';
import { proven, type Proof } from './content.ts';

/** A fetched file, with its manifest if it has one. */
export interface FetchedFile {
  readonly file: Proof;
  readonly content: () => AsyncIterable<Uint8Array>;
  readonly manifest?: {
    readonly proof: Proof;
    readonly content: () => AsyncIterable<Uint8Array>;
  };
}

/**
 * Puts a file into a folder.
 * @param folder an existing folder
 * @returns `same`: the file was there already
 * @throws ExportError for a name that leaves the folder, and if another file has the name
 */
export async function placeFile(
  folder: string,
  { file, content, manifest }: FetchedFile,
): Promise<'placed' | 'same'> {
  const target = await openTarget(folder, file.path);
  try {
    const placed = await placeOne(target, target.name, file, content);
    if (manifest !== undefined) {
      await placeOne(target, `${target.name}${manifestEnding}`, manifest.proof, manifest.content);
    }
    return placed;
  } finally {
    await target.close();
  }
}

/** Puts one file in its place by a link, which, unlike a rename, never replaces an existing file. */
async function placeOne(
  { folder }: Target,
  name: string,
  proof: Proof,
  content: () => AsyncIterable<Uint8Array>,
): Promise<'placed' | 'same'> {
  const path = join(folder, name);
  const { path: file } = proof;
  if ((await digestAt(path)) === proof.sha256) return 'same';
  const made = await draft(realDisk, { folder, name, file }, proven(content(), proof));
  try {
    await errorsNaming(file)(link(made.path, path)).catch(refuseOther);
    await errorsNaming(file)(realDisk.syncFolder(folder));
  } finally {
    await made.discard();
  }
  return 'placed';

  function refuseOther(error: unknown): never {
    if (error instanceof ExportError && systemCodeOf(error.cause) === 'EEXIST') {
      throw new ExportError('file-in-the-way', `${file} already exists with another content`, {
        hint: 'move it, or fetch the files into another folder',
      });
    }
    throw error;
  }
}
