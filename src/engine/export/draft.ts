/** A file in progress: complete and durable under another name before it gets the final one. */
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { randomId } from '../../base/random.ts';
import type { Disk } from './disk.ts';
import { diskError, ExportError, systemCodeOf } from './error.ts';

export interface Draft {
  /** The path of the file until it gets its final name. */
  readonly path: string;
  readonly bytes: number;
  readonly sha256: string;
  /** Moves the file with the final name away, to be restored or removed. */
  setAside(): Promise<void>;
  putBack(): Promise<void>;
  forget(): Promise<void>;
  /**
   * Renames to the final name and replaces an earlier file atomically. Sync the folder afterwards.
   */
  publish(): Promise<void>;
  /** Removes the draft. */
  discard(): Promise<void>;
}

export interface DraftPlace {
  readonly folder: string;
  readonly name: string;
  readonly file: string;
  /**
   * The part of the draft's name that identifies its writer, if known; earlier drafts of it are removed
   * first.
   */
  readonly token?: string;
}

const chunk = 64 * 1024; // characters buffered before a write

/**
 * Writes content to a temporary file in the same folder and makes it durable.
 * @param afterLast may still refuse the file after all of it is written
 * @throws ExportError when the disk is full or fails; errors of `content` are passed on
 */
export async function draft(
  disk: Disk,
  place: DraftPlace,
  content: AsyncIterable<string | Uint8Array>,
  afterLast: () => Promise<void> = async () => undefined,
): Promise<Draft> {
  const { folder, name, file, token } = place;
  const path = join(folder, `.${name}.${token ?? randomId(10)}.part`);
  const naming = errorsNaming(file);
  if (token !== undefined) await naming(removeIfThere(disk, path));
  const made = await naming(disk.create(path));
  const discard = (): Promise<void> => naming(disk.remove(path));
  const hash = createHash('sha256');
  let bytes = 0;
  const put = async (piece: string | Uint8Array): Promise<void> => {
    const written = typeof piece === 'string' ? Buffer.from(piece) : piece;
    await naming(made.write(written));
    hash.update(written);
    bytes += written.length;
  };
  try {
    for await (const piece of gathered(content)) await put(piece);
    await afterLast();
    await naming(made.sync());
    await naming(made.close());
  } catch (error) {
    await made.close().catch(() => undefined);
    await discard().catch(() => undefined); // the first error has the cause
    throw error;
  }
  const final = join(folder, name);
  const aside = `${path.slice(0, -'.part'.length)}.old`;
  let isAside = false;
  return {
    path,
    bytes,
    sha256: hash.digest('hex'),
    setAside: async () => {
      isAside = await naming(renameIfThere(disk, final, aside));
    },
    putBack: async () => {
      if (isAside) await naming(disk.rename(aside, final));
    },
    forget: async () => {
      await naming(removeIfThere(disk, aside)); // also a draft of an earlier process
    },
    publish: () => naming(disk.rename(path, final)),
    discard,
  };
}

/**
 * Renames a file and its companions to their final names. Files with the later names are removed
 * first, so that an old manifest is never next to a new file. After a crash at any point, a hidden
 * manifest still identifies the file: see `provenClaim`.
 */
export async function publishAll(
  disk: Disk,
  place: { readonly folder: string; readonly file: string },
  [first, ...later]: readonly [Draft, ...Draft[]],
): Promise<void> {
  const sync = (): Promise<void> => errorsNaming(place.file)(disk.syncFolder(place.folder));
  let isPublished = false;
  try {
    for (const each of later) await each.setAside();
    if (later.length > 0) await sync();
    await first.publish();
    isPublished = true;
    for (const each of later) await each.publish();
    await sync();
    for (const each of later) await each.forget();
  } catch (error) {
    // The first error has the cause.
    if (!isPublished) {
      for (const each of later) await each.putBack().catch(() => undefined);
      for (const each of [first, ...later]) await each.discard().catch(() => undefined);
    }
    throw error;
  }
}

/** Writes a whole file. */
export async function* oneText(text: string): AsyncGenerator<string> {
  yield text;
}

/** Converts errors of the operating system for one file. */
export function errorsNaming(file: string): <T>(work: Promise<T>) => Promise<T> {
  return async (work) => {
    try {
      return await work;
    } catch (error) {
      throw error instanceof ExportError ? error : diskError(file, error);
    }
  };
}

/** Renames a file. @returns whether it existed */
async function renameIfThere(disk: Disk, from: string, to: string): Promise<boolean> {
  try {
    await disk.rename(from, to);
    return true;
  } catch (error) {
    if (systemCodeOf(error) === 'ENOENT') return false;
    throw error;
  }
}

/** Removes a file; a missing one is not an error. */
export async function removeIfThere(disk: Disk, path: string): Promise<void> {
  try {
    await disk.remove(path);
  } catch (error) {
    if (systemCodeOf(error) !== 'ENOENT') throw error;
  }
}

async function* gathered(
  content: AsyncIterable<string | Uint8Array>,
): AsyncGenerator<string | Uint8Array> {
  let pending = '';
  for await (const piece of content) {
    const isText = typeof piece === 'string';
    if (isText) pending += piece;
    if (isText && pending.length < chunk) continue;
    if (pending !== '') yield pending;
    pending = '';
    if (!isText) yield piece;
  }
  if (pending !== '') yield pending;
}
