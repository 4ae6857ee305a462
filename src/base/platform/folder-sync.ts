/** Makes the names in a folder durable, where the system can: Windows does not sync folders. */
import { constants } from 'node:fs';
import { open, stat } from 'node:fs/promises';
import { isCode } from '../error.ts';
import { thisSystem, type System } from './system.ts';

/** The methods of a file handle that are used here, so that tests can pass one that fails as on Windows. */
export interface FolderHandle {
  stat(): Promise<{ isDirectory(): boolean }>;
  sync(): Promise<void>;
  close(): Promise<void>;
}

export interface FolderSync {
  readonly system?: System;
  readonly open?: (path: string) => Promise<FolderHandle>;
}

/**
 * Syncs a folder after names in it were added, replaced or removed. NTFS writes them to its own log, so
 * after a power failure a name may be missing or be the old one, but never half of one.
 * @throws the error of the system, except what Windows answers for every folder
 */
export async function syncFolder(path: string, options: FolderSync = {}): Promise<void> {
  const { system = thisSystem, open: opening = openFolder } = options;
  let handle: FolderHandle;
  try {
    handle = await opening(path);
  } catch (error) {
    if (isExpected(error, system) && (await stat(path)).isDirectory()) return;
    throw error;
  }
  try {
    await syncOpenFolder(handle, system);
  } finally {
    await handle.close();
  }
}

/** Syncs a folder that is already open, like `syncFolder`. */
export async function syncOpenFolder(
  handle: Pick<FolderHandle, 'stat' | 'sync'>,
  system: System = thisSystem,
): Promise<void> {
  try {
    await handle.sync();
  } catch (error) {
    if (isExpected(error, system) && (await handle.stat()).isDirectory()) return;
    throw error;
  }
}

function openFolder(path: string): Promise<FolderHandle> {
  return open(path, constants.O_RDONLY | (constants.O_DIRECTORY ?? 0)); // absent on Windows
}

/**
 * The error codes of Windows for a folder: it flushes only files that are open for writing, and a
 * folder never is.
 */
const codes = ['EPERM', 'EISDIR', 'EBADF'];

function isExpected(error: unknown, system: System): boolean {
  return system === 'win32' && codes.some((code) => isCode(error, code));
}
