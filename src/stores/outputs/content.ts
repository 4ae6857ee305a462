/** Reads contents that are proved by their length and digest before they count. */
import { createHash } from 'node:crypto';
import { ExportError } from '../../engine/export/error.ts';
import { plainText } from '../../base/text.ts';
import type { OutputReader } from '../outputs.ts';

export interface Proof {
  readonly path: string;
  readonly sha256: string;
  /** The length in bytes. Absent if only the digest is known; then `bytesMax` limits it. */
  readonly bytes?: number;
}

/** Reads a stored content, part by part. @throws StoreError; the caller proves the content */
export async function* storedContent(
  reader: OutputReader,
  run: string,
  { path, sha256 }: Proof,
): AsyncGenerator<Uint8Array> {
  for (let part = 0; ; part += 1) {
    const content = await reader.part(run, { path, sha256 }, part);
    if (content === undefined) return;
    yield content;
  }
}

const bytesMax = 1024 * 1024; // of a manifest, whose length is not recorded

/**
 * Passes a content on, and fails at its end if it is not the recorded one, so do not publish it before the
 * end.
 * @throws ExportError
 */
export async function* proven(
  content: AsyncIterable<Uint8Array>,
  { path, sha256, bytes: recorded }: Proof,
): AsyncGenerator<Uint8Array> {
  const hash = createHash('sha256');
  let bytes = 0;
  for await (const piece of content) {
    bytes += piece.length;
    if (bytes > (recorded ?? bytesMax)) throw notRecorded(path, 'it is longer');
    hash.update(piece);
    yield piece;
  }
  if (recorded !== undefined && bytes < recorded) {
    throw notRecorded(path, `${bytes} of ${recorded} bytes are there`);
  }
  if (hash.digest('hex') !== sha256) throw notRecorded(path, 'its digest is different');
}

function notRecorded(path: string, because: string): ExportError {
  return new ExportError(
    'file-changed',
    `${plainText(path, 160)} is not the file that the run wrote: ${because}`,
    { hint: 'find out who changed it; the journal has its digest' },
  );
}
