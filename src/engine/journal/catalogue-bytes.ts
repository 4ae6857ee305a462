/** The bytes of the catalogue: in memory, or in its file, of which a part is read when it is needed. */
import { closeSync, constants, fstatSync, lstatSync, type Stats } from 'node:fs';
import { openPlainFile, readAt } from '../../base/file-kind.ts';

export interface CatalogueBytes {
  readonly size: number;
  /** Some bytes, of which `to` is excluded; fewer where there are no more, and none once the file was replaced. */
  read(from: number, to: number): Buffer;
}

export function bytesIn(all: Buffer): CatalogueBytes {
  return { size: all.length, read: (from, to) => all.subarray(from, to) };
}

/** The bytes of a file, none without one; undefined if it cannot be read. */
export function bytesOf(path: string): CatalogueBytes | undefined {
  try {
    const file = lstatSync(path, { throwIfNoEntry: false });
    if (file === undefined) return bytesIn(Buffer.alloc(0));
    return file.isFile()
      ? { size: file.size, read: (...part) => partOf(path, file, ...part) }
      : undefined;
  } catch {
    return undefined;
  }
}

/** All bytes of a file; undefined if it cannot be read, or is replaced meanwhile. */
export function wholeOf(path: string): Buffer | undefined {
  const found = bytesOf(path);
  const bytes = found?.read(0, found.size);
  return bytes?.length === found?.size ? bytes : undefined;
}

/** Opens the file each time: one that is kept open could not be replaced on each system. */
function partOf(path: string, file: Stats, from: number, to: number): Buffer {
  let descriptor: number | undefined;
  try {
    descriptor = openPlainFile(path, constants.O_RDONLY);
    const { ino, dev } = fstatSync(descriptor);
    if (ino !== file.ino || dev !== file.dev) return Buffer.alloc(0);
    return readAt(descriptor, from, Math.max(0, Math.min(to, file.size) - from));
  } catch {
    return Buffer.alloc(0);
  } finally {
    if (descriptor !== undefined) closeSync(descriptor);
  }
}
