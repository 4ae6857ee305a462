/** Truncates an open file: on Windows a handle that only appends may not, so the file is opened again by its path. */
import { ftruncateSync, truncateSync } from 'node:fs';
import { truncate, type FileHandle } from 'node:fs/promises';
import { thisSystem, type System } from './system.ts';

/** @param path of the file that is open */
export async function truncateOpen(
  handle: Pick<FileHandle, 'truncate'>,
  path: string,
  bytes: number,
  system: System = thisSystem,
): Promise<void> {
  await (system === 'win32' ? truncate(path, bytes) : handle.truncate(bytes));
}

/** The synchronous variant of `truncateOpen`. */
export function truncateOpenSync(
  descriptor: number,
  path: string,
  bytes: number,
  system: System = thisSystem,
): void {
  if (system === 'win32') truncateSync(path, bytes);
  else ftruncateSync(descriptor, bytes);
}
