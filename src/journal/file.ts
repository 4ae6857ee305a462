/** Files that survive a crash: append and sync, replace whole, and folders synced after both. */
import { constants, writeSync } from 'node:fs';
import { open, readFile, rename, statfs, truncate, unlink } from 'node:fs/promises';
import { dirname } from 'node:path';
import { makeFolders } from '../base/folder.ts';
import { DeskhandError, exits } from '../base/error.ts';
import { randomId } from '../base/random.ts';

/** The disk failed us; nothing may be sent after this. */
export class DiskError extends DeskhandError {
  constructor(message: string, cause: unknown) {
    super(message, {
      code: 'disk',
      actor: 'operator',
      exit: exits.stopped,
      hint: 'look at the disk (space, permissions, health), then resume the run',
      cause,
    });
  }
}

/** A file that only grows. The real one is below; tests put a failing disk in its place. */
export interface AppendFile {
  write(text: string): Promise<void>;
  /** On the disk when it resolves. A failure is final: the kernel may have dropped the pages. */
  sync(): Promise<void>;
  close(): Promise<void>;
}

/** What going on with a journal needs of a disk; passed in so that disks can be simulated. */
export interface JournalFiles {
  read(path: string): Promise<string>;
  /** Cuts the file to so many bytes. */
  truncate(path: string, bytes: number): Promise<void>;
  append(path: string): Promise<AppendFile>;
}

/** Opens a file for appending: only its owner may read it, and it is no link. */
export async function openAppendFile(path: string): Promise<AppendFile> {
  const flags =
    constants.O_WRONLY | constants.O_APPEND | constants.O_CREAT | (constants.O_NOFOLLOW ?? 0);
  const handle = await open(path, flags, 0o600);
  return {
    write: async (text) => writeAll(handle.fd, Buffer.from(text, 'utf8')),
    sync: () => handle.datasync(),
    close: () => handle.close(),
  };
}

export const realFiles: JournalFiles = {
  read: (path) => readFile(path, 'utf8'),
  truncate,
  append: openAppendFile,
};

/**
 * Writes a file whole or not at all: temporary file, sync, rename, sync of the folder.
 * @param mode who may read it: its owner alone unless said
 * @throws DiskError
 */
export async function replaceFile(path: string, text: string, mode = 0o600): Promise<void> {
  const temporary = `${path}.${process.pid}.${randomId(6)}.tmp`; // others may replace it meanwhile
  try {
    const handle = await open(temporary, 'wx', mode);
    try {
      await handle.chmod(mode); // what the process withholds from new files does not count here
      await handle.writeFile(text, 'utf8');
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(temporary, path);
    await syncFolder(dirname(path));
  } catch (error) {
    await unlink(temporary).catch(() => undefined); // the first error says what happened
    throw new DiskError(`cannot write ${path}`, error);
  }
}

/** Makes a folder for its owner alone, and its name durable, with those above it that were missing. */
export async function makeFolder(path: string): Promise<void> {
  try {
    const made = await makeFolders(path, 0o700);
    // Its own also when it was there: who made it may have died before it was synced.
    for (const each of new Set([...made, path].map((folder) => dirname(folder)))) {
      await syncFolder(each);
    }
  } catch (error) {
    throw new DiskError(`cannot make the folder ${path}`, error);
  }
}

export async function syncFolder(path: string): Promise<void> {
  const handle = await open(path, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

const freeMin = 16 * 1024 * 1024; // bytes; a run writes far less, and must not stop half-way

/** @throws DiskError when less than 16 MiB are free */
export async function requireFreeSpace(folder: string): Promise<void> {
  const { bavail, bsize } = await statfs(folder);
  if (bavail * bsize >= freeMin) return;
  throw new DiskError(`less than 16 MiB are free in ${folder}; nothing was sent`, undefined);
}

/** Not handed to another thread: it takes less time than that, and the sync is what waits. */
function writeAll(file: number, bytes: Buffer): void {
  for (let written = 0; written < bytes.length;) written += writeSync(file, bytes, written);
}
