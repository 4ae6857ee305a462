/** Copies a file of a workspace into the store of its run, within limits. */
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { messageOf } from '../../base/error.ts';
import { plainText } from '../../base/text.ts';
import type { KeepFile } from '../../engine/effects/effect-context.ts';
import { manifestEnding } from '../../engine/export/manifest.ts';
import { filePartsOf } from '../../engine/export/target.ts';
import type { Stored } from '../../engine/journal/entry.ts';
import type { HeldOutputs } from '../outputs.ts';
import { StoreError } from '../store.ts';
import { partsOf } from './parts.ts';

export interface KeepOptions {
  readonly outputs: HeldOutputs;
  readonly workspace: string;
  /** Name of this machine. */
  readonly host: string;
  /** Maximum bytes of one file; a larger one stays in the workspace. */
  readonly max: number;
  /** Maximum bytes of all files of a run. */
  readonly runMax: number;
}

/**
 * Makes the function that stores files. A file that cannot be stored does not fail its step: the entry says
 * where the file is, and why. Only the loss of the run is an error.
 */
export function keeperOf(options: KeepOptions): KeepFile {
  const { workspace, host, max, runMax, outputs } = options;
  let total: number | undefined;
  return async ({ file, bytes, sha256, hasManifest }, signal): Promise<Stored> => {
    const left = (because: string): Stored => ({
      in: 'workspace',
      host,
      folder: workspace,
      because,
    });
    if (bytes > max) return left(`it is larger than ${sizeWords(max)}`);
    try {
      total ??= await outputs.total();
      if (total + bytes > runMax) {
        return left(`the files of the run are larger than ${sizeWords(runMax)}`);
      }
      const path = join(workspace, ...filePartsOf(file));
      const digest = await copy(path, { path: file, sha256 }, options, signal);
      if (digest !== sha256) {
        await outputs.keepOnly({ path: file, sha256: '' });
        return left('it was changed by another program');
      }
      await outputs.keepOnly({ path: file, sha256 });
      total += bytes;
      if (!hasManifest) return { in: 'store' };
      const name = { path: `${file}${manifestEnding}`, sha256: '' };
      const manifest = await digestOfFile(`${path}${manifestEnding}`);
      await copy(`${path}${manifestEnding}`, { ...name, sha256: manifest }, options, signal);
      await outputs.keepOnly({ ...name, sha256: manifest });
      return { in: 'store', manifest };
    } catch (error) {
      if (signal.aborted || !isAboutFile(error)) throw error;
      return left(plainText(`it could not be stored: ${messageOf(error)}`, 200));
    }
  };
}

/** Whether an error is about one file, such as that of the store or the disk, and not the loss of the run. */
function isAboutFile(error: unknown): boolean {
  return error instanceof StoreError || (error instanceof Error && 'syscall' in error);
}

/** Copies a file into the store. @returns the digest of what was stored */
async function copy(
  path: string,
  name: { readonly path: string; readonly sha256: string },
  { outputs }: KeepOptions,
  signal: AbortSignal,
): Promise<string> {
  const hash = createHash('sha256');
  let part = 0;
  for await (const content of partsOf(path)) {
    signal.throwIfAborted();
    hash.update(content);
    await outputs.keep({ ...name, part, content });
    part += 1;
  }
  return hash.digest('hex');
}

async function digestOfFile(path: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const content of partsOf(path)) hash.update(content);
  return hash.digest('hex');
}

/** A limit in the notation of the configuration: `64MiB`. */
export function sizeWords(bytes: number): string {
  const units = ['B', 'KiB', 'MiB', 'GiB'];
  let at = 0;
  let size = bytes;
  while (size >= 1024 && size % 1024 === 0 && at < units.length - 1) {
    size /= 1024;
    at += 1;
  }
  return `${size}${units[at] ?? ''}`;
}
