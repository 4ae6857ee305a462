/** Files that survive a crash: append and sync, atomic replacement, and folders synced after both. */
import {
  closeSync,
  constants,
  fstatSync,
  openSync,
  rmSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { open, statfs, truncate, unlink } from 'node:fs/promises';
import { dirname } from 'node:path';
import process from 'node:process';
import { alarm, type Millis } from '../../base/clock.ts';
import { makeFolders } from '../../base/folder.ts';
import { DeskhandError, exits } from '../../base/error.ts';
import { syncFolder } from '../../base/platform/folder-sync.ts';
import { renameFile, renameFileSync } from '../../base/platform/rename.ts';
import { refuseMoved, standingAt, type OwnKind } from '../../base/own-file.ts';
import { randomId } from '../../base/random.ts';
import { readRegular } from '../../base/read-file.ts';

/** The disk failed; nothing may be sent after this. */
export class DiskError extends DeskhandError {
  constructor(message: string, cause: unknown) {
    super(message, {
      code: 'disk',
      actor: 'operator',
      exit: exits.stopped,
      hint: hintFor(process.versions),
      cause,
    });
  }
}

/** The remedy for a disk error: Yarn's Plug'n'Play puts functions in place of Node's, without `sync`. */
export function hintFor(versions: Readonly<Record<string, string | undefined>>): string {
  return versions['pnp'] === undefined
    ? 'check the disk (space, permissions, health), then resume the run'
    : "Yarn's Plug'n'Play cannot write durably: set `nodeLinker: node-modules` in .yarnrc.yml, then `yarn install`";
}

/** Another process has continued a file that this process was writing: nothing more is appended. */
export class ContinuedError extends DeskhandError {
  constructor(path: string) {
    super(`another process has taken over ${path}; this one does not write to it`, {
      code: 'locked',
      actor: 'operator',
      exit: exits.heldBack,
      hint: 'it was suspended until its run was taken over; `deskhand runs list` shows the run',
    });
  }
}

/** An append-only file. The real one is below; tests substitute a failing disk. */
export interface AppendFile {
  /** @throws ContinuedError when another process has appended to it or replaced it */
  write(text: string): Promise<void>;
  /** Resolves when all writes are on the disk. A failure is final: the kernel may have dropped the pages. */
  sync(): Promise<void>;
  /** Rings once, when text has waited for a sync as long as it should; absent: it may wait. */
  alarm?(ring: () => void): () => void;
  close(): Promise<void>;
}

/** The disk operations for continuing a journal; a parameter, so that disks can be simulated. */
export interface JournalFiles {
  read(path: string): Promise<string>;
  /** Truncates the file to this length. */
  truncate(path: string, bytes: number): Promise<void>;
  /**
   * Opens a file to append to it.
   * @param bytes the expected length of the file: if it has grown since, the first write fails
   */
  append(path: string, bytes: number): Promise<AppendFile>;
}

const syncDelay: Millis = 50;

/**
 * Opens a file for appending: readable only by its owner, and not a link.
 * @param bytes its expected length; default: its current length
 */
export async function openAppendFile(path: string, bytes?: number): Promise<AppendFile> {
  const flags =
    constants.O_WRONLY | constants.O_APPEND | constants.O_CREAT | (constants.O_NOFOLLOW ?? 0);
  const handle = await open(path, flags, 0o600);
  let size = bytes ?? fstatSync(handle.fd).size;
  return {
    write: async (text) => {
      const found = fstatSync(handle.fd);
      if (found.size !== size || found.nlink === 0) throw new ContinuedError(path);
      const added = Buffer.from(text, 'utf8');
      writeAll(handle.fd, added);
      size += added.length;
    },
    sync: () => handle.datasync(),
    alarm: (ring) => alarm(syncDelay, ring),
    close: () => handle.close(),
  };
}

export const realFiles: JournalFiles = {
  read: async (path) => (await readRegular(path, Infinity)).toString('utf8'),
  truncate,
  append: openAppendFile,
};

/**
 * Writes a file completely or not at all: temporary file, sync, rename, sync of the folder.
 * @param mode its permissions, default: only its owner
 * @param mayStill throws when the existing file must be kept
 * @throws DiskError; errors of `mayStill` are passed on
 */
export async function replaceFile(
  path: string,
  text: string,
  mode = 0o600,
  mayStill: () => void = () => undefined,
): Promise<void> {
  const temporary = `${path}.${process.pid}.${randomId(6)}.tmp`; // unique: others may replace it meanwhile
  try {
    const handle = await open(temporary, 'wx', mode);
    try {
      await handle.chmod(mode); // independent of the process's umask
      await handle.writeFile(text, 'utf8');
      await handle.sync();
    } finally {
      await handle.close();
    }
    mayStill();
    await renameFile(temporary, path);
    await syncFolder(dirname(path));
  } catch (error) {
    await unlink(temporary).catch(() => undefined); // the first error has the cause
    if (error instanceof DeskhandError) throw error;
    throw new DiskError(`cannot write ${path}`, error);
  }
}

/**
 * Replaces a file that can be made again at any time: nothing is synced, and if the new file cannot be
 * written the earlier one stays.
 * @param textAt makes the text of the file; `now` is by the clock of the file system
 */
export function replaceDerived(path: string, textAt: (now: Millis) => string): void {
  const temporary = `${path}.${process.pid}.${randomId(6)}.tmp`;
  try {
    const descriptor = openSync(temporary, 'wx', 0o600);
    try {
      writeFileSync(descriptor, textAt(fstatSync(descriptor).ctimeMs));
    } finally {
      closeSync(descriptor);
    }
    renameFileSync(temporary, path);
  } catch {
    rmSync(temporary, { force: true });
  }
}

/**
 * Adds lines to a file that can be made again at any time: nothing is synced, and after a line that a
 * crash cut off, they begin on a new line.
 * @param textAt makes the lines; `now` is by the clock of the file system
 * @returns whether the file could be written
 */
export function appendDerived(path: string, textAt: (now: Millis) => string): boolean {
  const flags = constants.O_WRONLY | constants.O_APPEND | constants.O_CREAT;
  const never = (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0); // a link, or a pipe without a reader
  try {
    const descriptor = openSync(path, flags | never, 0o600);
    try {
      if (!fstatSync(descriptor).isFile()) return false;
      writeSync(descriptor, '\n');
      const now = fstatSync(descriptor).ctimeMs;
      writeAll(descriptor, Buffer.from(textAt(now), 'utf8'));
      return true;
    } finally {
      closeSync(descriptor);
    }
  } catch {
    return false;
  }
}

/**
 * Replaces a file that a person named, durably: only a file of the same kind is replaced, and its mode
 * is kept.
 * @throws ForeignFileError, DiskError
 */
export async function replaceOwnFile(
  path: string,
  text: string,
  kind: OwnKind,
  mode = 0o666 & ~process.umask(),
): Promise<void> {
  const before = standingAt(path, kind);
  const own = before === undefined ? mode : Number(before.mode) & 0o777;
  await replaceFile(path, text, own, () => refuseMoved(path, before));
}

/** Creates a folder private to its owner, durably, with its missing parents. */
export async function makeFolder(path: string): Promise<void> {
  try {
    const made = await makeFolders(path, 0o700);
    // Also if it existed: its creator may have crashed before the sync.
    for (const each of new Set([...made, path].map((folder) => dirname(folder)))) {
      await syncFolder(each);
    }
  } catch (error) {
    throw new DiskError(`cannot create the folder ${path}`, error);
  }
}

const freeMin = 16 * 1024 * 1024; // bytes; a run writes far less, and must not stop halfway

/** @throws DiskError when less than 16 MiB are free */
export async function requireFreeSpace(folder: string): Promise<void> {
  const { bavail, bsize } = await statfs(folder);
  if (bavail * bsize >= freeMin) return;
  throw new DiskError(`less than 16 MiB are free in ${folder}; nothing was sent`, undefined);
}

/** Writes bytes synchronously: it takes less time than a thread switch, and only the sync waits. */
function writeAll(file: number, bytes: Buffer): void {
  for (let written = 0; written < bytes.length;) written += writeSync(file, bytes, written);
}
