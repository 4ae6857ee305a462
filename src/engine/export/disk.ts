/** Disk operations for writing a file, as parameters, so that tests can crash between any two. */
import { constants, open, unlink, type FileHandle } from 'node:fs/promises';
import { StringDecoder } from 'node:string_decoder';
import { syncFolder } from '../../base/platform/folder-sync.ts';
import { renameFile } from '../../base/platform/rename.ts';
import { truncateOpen } from '../../base/platform/truncate.ts';
import { systemCodeOf } from './error.ts';

export interface Disk {
  /** Creates a new file, private to its owner; an existing one or a link is an error. */
  create(path: string): Promise<DiskFile>;
  /** An existing file, to continue; undefined if there is none, and a link is an error. */
  reopen(path: string): Promise<DiskFile | undefined>;
  rename(from: string, to: string): Promise<void>;
  remove(path: string): Promise<void>;
  /** Makes renames and removals in a folder durable. */
  syncFolder(path: string): Promise<void>;
}

export interface DiskFile {
  /** Appends the whole content. */
  write(content: string | Uint8Array): Promise<void>;
  /** Truncates the file to this length. */
  cut(bytes: number): Promise<void>;
  /** The written bytes between two offsets; a chunk is valid until the next is requested. */
  bytes(from?: number, to?: number): AsyncIterable<Uint8Array>;
  /** Makes the content durable. */
  sync(): Promise<void>;
  close(): Promise<void>;
}

export const realDisk: Disk = {
  create: async (path) => {
    const { O_APPEND, O_CREAT, O_EXCL, O_NOFOLLOW, O_RDWR } = constants;
    const handle = await open(path, O_RDWR | O_APPEND | O_CREAT | O_EXCL | O_NOFOLLOW, 0o600);
    return diskFile(handle, path);
  },
  reopen: async (path) => {
    const { O_APPEND, O_NOFOLLOW, O_RDWR } = constants;
    try {
      return diskFile(await open(path, O_RDWR | O_APPEND | O_NOFOLLOW), path);
    } catch (error) {
      if (systemCodeOf(error) === 'ENOENT') return undefined;
      throw error;
    }
  },
  rename: (from, to) => renameFile(from, to),
  remove: unlink,
  syncFolder: (path) => syncFolder(path),
};

/**
 * Opens a file for reading; undefined for other kinds: a pipe or a device might never end.
 * @throws the error of the operating system
 */
export async function openToRead(path: string): Promise<FileHandle | undefined> {
  const { O_NONBLOCK, O_RDONLY } = constants;
  const handle = await open(path, O_RDONLY | O_NONBLOCK); // to open a pipe would wait for its writer
  try {
    if ((await handle.stat()).isFile()) return handle;
  } catch (error) {
    await handle.close();
    throw error;
  }
  await handle.close();
  return undefined;
}

function diskFile(handle: FileHandle, path: string): DiskFile {
  return {
    write: (content) => handle.appendFile(content),
    cut: (bytes) => truncateOpen(handle, path, bytes),
    bytes: (from, to) => bytesOf(handle, from, to),
    sync: () => handle.sync(),
    close: () => handle.close(),
  };
}

const readSize = 64 * 1024; // bytes

async function* bytesOf(handle: FileHandle, from = 0, to = Infinity): AsyncGenerator<Uint8Array> {
  const buffer = Buffer.allocUnsafe(readSize);
  for (let at = from; at < to;) {
    const { bytesRead } = await handle.read(buffer, 0, Math.min(readSize, to - at), at);
    if (bytesRead === 0) return;
    at += bytesRead;
    yield buffer.subarray(0, bytesRead);
  }
}

/** Decodes chunks of UTF-8 that may be split anywhere. */
export async function* textsIn(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new StringDecoder('utf8');
  for await (const piece of pieces) yield decoder.write(piece);
}

/** Split only at LF: node:readline also splits at U+2028, which JSON texts may contain. */
export async function* linesIn(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  let rest = '';
  for await (const text of textsIn(pieces)) {
    const lines = (rest + text).split('\n');
    rest = lines.pop() ?? '';
    yield* lines;
  }
  if (rest !== '') yield rest;
}
