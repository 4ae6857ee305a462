/** Finds where the files of a run are now. */
import { join } from 'node:path';
import { ExportError } from '../../engine/export/error.ts';
import { filePartsOf } from '../../engine/export/target.ts';
import { digestAt } from '../../engine/export/verify.ts';
import type { OutputReader } from '../outputs.ts';
import type { RunFile } from './written-files.ts';

export type FilePlace =
  /** The file is in this workspace, unchanged. */
  | { readonly kind: 'here' }
  | { readonly kind: 'store' }
  | {
      readonly kind: 'elsewhere';
      readonly host: string;
      readonly folder: string;
      /** Why the file is not in the store, if it should be. */
      readonly because?: string;
    }
  | { readonly kind: 'missing'; readonly because: string };

export interface SeenFile {
  readonly file: RunFile;
  readonly place: FilePlace;
}

export interface SeeOptions {
  readonly run: string;
  /** The current folder. */
  readonly workspace: string;
  /** Reads copies from the store; absent if no file is in a store. */
  readonly reader?: OutputReader;
}

/** Finds where files are now. @throws StoreError when the store gave no answer */
export async function seeFiles(
  files: readonly RunFile[],
  { run, workspace, reader }: SeeOptions,
): Promise<readonly SeenFile[]> {
  const stored = new Map(
    ((await reader?.list(run)) ?? []).map(({ path, sha256, bytes }) => [
      JSON.stringify([path, sha256]),
      bytes,
    ]),
  );
  const seen: SeenFile[] = [];
  for (const file of files) {
    const bytes = stored.get(JSON.stringify([file.path, file.sha256]));
    seen.push({ file, place: await placeOf(file, workspace, bytes === file.bytes) });
  }
  return seen;
}

async function placeOf(file: RunFile, workspace: string, isStored: boolean): Promise<FilePlace> {
  const { stored } = file;
  if (stored?.in === 'store' && isStored) return { kind: 'store' };
  const here = await digestHere(file, workspace);
  if (here === file.sha256) return { kind: 'here' };
  if (stored?.in === 'store') {
    return { kind: 'missing', because: 'no longer in the store: it was pruned or removed' };
  }
  if (stored !== undefined) {
    const { host, folder, because } = stored;
    return { kind: 'elsewhere', host, folder, ...(because !== undefined && { because }) };
  }
  const because = here === undefined ? 'not in this folder' : 'changed or replaced since';
  return { kind: 'missing', because };
}

async function digestHere({ path }: RunFile, workspace: string): Promise<string | undefined> {
  try {
    return await digestAt(join(workspace, ...filePartsOf(path)));
  } catch (error) {
    if (error instanceof ExportError) return undefined; // no file of ours has such a name
    throw error;
  }
}
