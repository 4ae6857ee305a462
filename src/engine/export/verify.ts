/** Verifies a file against its manifest: length and digest. */
import { createHash } from 'node:crypto';
import type { FileHandle } from 'node:fs/promises';
import { decodeUtf8, JsonError, parseJson } from '../../base/json.ts';
import { count } from '../../base/text.ts';
import { claimIn, type Claim } from './claim.ts';
import { openToRead } from './disk.ts';
import { meaningOf, systemCodeOf } from './error.ts';
import { manifestEnding } from './manifest.ts';

/** The result for a file. `because` is a sentence for a person. */
export type Verification =
  | { readonly kind: 'whole'; readonly claim: Claim }
  | { readonly kind: 'changed' | 'unproved' | 'missing'; readonly because: string };

/** Compares a file with its manifest, or another one; reads both, changes nothing. */
export async function verifyFile(
  file: string,
  manifest = `${file}${manifestEnding}`,
): Promise<Verification> {
  const found = await opened(file, measured);
  if (found === undefined) return { kind: 'missing', because: `file not found: ${file}` };
  if (typeof found === 'string') return { kind: 'unproved', because: `it ${found}` };
  const claim = await readClaim(manifest);
  if (typeof claim === 'string') return { kind: 'unproved', because: claim };
  if (found.bytes !== claim.bytes) {
    const because = `it has ${count(found.bytes, 'byte')}, its manifest says ${claim.bytes}`;
    return { kind: 'changed', because };
  }
  if (found.sha256 !== claim.sha256) {
    return { kind: 'changed', because: 'its digest is not the one in its manifest' };
  }
  return { kind: 'whole', claim };
}

/** The digest of a file; undefined if it cannot be read. */
export async function digestAt(file: string): Promise<string | undefined> {
  const found = await opened(file, measured);
  return typeof found === 'object' ? found.sha256 : undefined;
}

const manifestMax = 1024 * 1024; // bytes; our manifests have a few hundred

/** The contents of the manifest, or why there are none. */
export async function readClaim(path: string): Promise<Claim | string> {
  const found = await opened(path, async (handle) => {
    const { size } = await handle.stat();
    return size > manifestMax ? 'is larger than 1 MiB' : { bytes: await handle.readFile() };
  });
  if (found === undefined) return 'it has no manifest';
  if (typeof found === 'string') return `its manifest ${found}`;
  try {
    return claimIn(parseJson(decodeUtf8(found.bytes)));
  } catch (error) {
    if (!(error instanceof JsonError)) throw error;
    return `its manifest cannot be read: ${error.message}`;
  }
}

/**
 * The result of `use` for a file.
 * @returns undefined when the file is missing, or why it cannot be read
 */
async function opened<T>(
  path: string,
  use: (handle: FileHandle) => Promise<T>,
): Promise<T | string | undefined> {
  try {
    const handle = await openToRead(path);
    if (handle === undefined) return 'is a folder, a pipe or a device, not a file';
    try {
      return await use(handle);
    } finally {
      await handle.close();
    }
  } catch (error) {
    const code = systemCodeOf(error);
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined;
    if (code === '') throw error;
    return `cannot be read: ${meaningOf(code)}`;
  }
}

async function measured(handle: FileHandle): Promise<{ bytes: number; sha256: string }> {
  const hash = createHash('sha256');
  let bytes = 0;
  for await (const chunk of handle.createReadStream({ autoClose: false })) {
    if (!(chunk instanceof Uint8Array)) continue; // without an encoding, chunks are bytes
    hash.update(chunk);
    bytes += chunk.length;
  }
  return { bytes, sha256: hash.digest('hex') };
}
