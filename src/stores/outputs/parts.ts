/** A file of a workspace, in the parts in which it is stored. */
import type { FileHandle } from 'node:fs/promises';
import { openToRead } from '../../engine/export/disk.ts';
import { partMax } from '../outputs.ts';

/** Reads the parts of a file: at least one, so that an empty file is stored, too. */
export async function* partsOf(path: string): AsyncGenerator<Uint8Array> {
  const handle = await openToRead(path);
  if (handle === undefined) return;
  try {
    for (let at = 0; ; at += partMax) {
      const content = await filled(handle, at);
      if (content.length > 0 || at === 0) yield content;
      if (content.length < partMax) return;
    }
  } finally {
    await handle.close();
  }
}

/** Reads a whole part, or the rest of the file if it is shorter. */
async function filled(handle: FileHandle, from: number): Promise<Uint8Array> {
  const buffer = Buffer.allocUnsafe(partMax);
  let length = 0;
  while (length < partMax) {
    const { bytesRead } = await handle.read(buffer, length, partMax - length, from + length);
    if (bytesRead === 0) break;
    length += bytesRead;
  }
  return buffer.subarray(0, length);
}
