/** Fetches the files of a run into a folder, each proved by its digest. */
import { join } from 'node:path';
import { plainText } from '../../base/text.ts';
import { foldedName } from '../../base/platform/file-name.ts';
import { DeskhandError } from '../../base/error.ts';
import { ExportError } from '../../engine/export/error.ts';
import { manifestEnding } from '../../engine/export/manifest.ts';
import { filePartsOf } from '../../engine/export/target.ts';
import { digestAt } from '../../engine/export/verify.ts';
import { StoreError } from '../store.ts';
import { storedContent } from './content.ts';
import type { RunFile } from './written-files.ts';
import { partsOf } from './parts.ts';
import { placeFile, type FetchedFile } from './put-file.ts';
import type { SeenFile, SeeOptions } from './seen.ts';

export type Fetched =
  | { readonly kind: 'placed' | 'same'; readonly file: RunFile }
  | { readonly kind: 'failed'; readonly file: RunFile; readonly error: DeskhandError };

const bytesMax = 2 ** 30; // more is never stored; larger files are copied by other means

/**
 * Fetches files one after the other: a file that cannot be fetched does not prevent the others.
 * @param into an existing folder
 * @throws StoreError when the store gave no answer
 */
export async function* fetchFiles(
  files: readonly SeenFile[],
  into: string,
  options: SeeOptions,
): AsyncGenerator<Fetched> {
  const names = new Map<string, string>();
  for (const seen of files) {
    const { file } = seen;
    try {
      refuseAlike(file.path, names);
      yield { kind: await placeFile(into, await sourceOf(seen, options)), file };
    } catch (error) {
      if (!(error instanceof DeskhandError) || error instanceof StoreError) throw error;
      yield { kind: 'failed', file, error };
    }
  }
}

/**
 * Refuses paths that differ only in spelling: some file systems have one file for both. @throws ExportError
 */
function refuseAlike(path: string, names: Map<string, string>): void {
  const folded = foldedName(path);
  const other = names.get(folded);
  if (other !== undefined) {
    throw new ExportError(
      'file-name',
      `${plainText(path, 160)} differs from ${plainText(other, 160)} only in its case`,
      { hint: 'fetch it where it is' },
    );
  }
  names.set(folded, path);
}

/** Finds a file where it is now. @throws ExportError for a file that cannot be fetched */
async function sourceOf(seen: SeenFile, options: SeeOptions): Promise<FetchedFile> {
  const { file, place } = seen;
  const { path, bytes } = file;
  if (!Number.isSafeInteger(bytes) || bytes < 0 || bytes > bytesMax) {
    throw new ExportError('file-name', `${plainText(path, 160)} is larger than 1 GiB`, {
      hint: 'copy it from the machine of its run',
    });
  }
  const manifest = `${path}${manifestEnding}`;
  if (place.kind === 'here') {
    const found = join(options.workspace, ...filePartsOf(path));
    const digest = file.hasManifest ? await digestAt(`${found}${manifestEnding}`) : undefined;
    return {
      file,
      content: () => partsOf(found),
      ...(digest !== undefined && {
        manifest: {
          proof: { path: manifest, sha256: digest },
          content: () => partsOf(`${found}${manifestEnding}`),
        },
      }),
    };
  }
  const { reader, run } = options;
  if (place.kind !== 'store' || reader === undefined) throw notHere(seen);
  const sha256 = file.stored?.in === 'store' ? file.stored.manifest : undefined;
  const proof = sha256 === undefined ? undefined : { path: manifest, sha256 };
  return {
    file,
    content: () => storedContent(reader, run, file),
    ...(proof && { manifest: { proof, content: () => storedContent(reader, run, proof) } }),
  };
}

function notHere({ file: { path }, place }: SeenFile): ExportError {
  const name = plainText(path, 160);
  if (place.kind !== 'elsewhere') {
    const because = place.kind === 'missing' ? place.because : 'the store has no files';
    return new ExportError('file-elsewhere', `${name} cannot be fetched: ${because}`, {
      hint: 'fetch the files in the folder in which the run was started',
    });
  }
  const where = `on ${plainText(place.host, 80)} in ${plainText(place.folder, 200)}`;
  return new ExportError('file-elsewhere', `${name} is only ${where}`, {
    hint: 'copy it from there, or raise outputs.max for the next run',
  });
}
