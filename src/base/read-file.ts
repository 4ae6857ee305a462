/** Reads files by name: only regular ones of limited size. */
import {
  closeSync,
  constants,
  fstatSync,
  openSync,
  readFileSync,
  readSync,
  type Stats,
} from 'node:fs';
import { open, type FileHandle } from 'node:fs/promises';
import { isCode, UsageError } from './error.ts';
import { kindOf, kindWords } from './file-kind.ts';

/** The path is not a readable regular file or a link to one. */
export class UnreadableError extends UsageError {
  readonly because: string;

  constructor(path: string, because: string, hint: string) {
    super(because === aFolder ? `${path} is a folder` : `${path} cannot be read: ${because}`, hint);
    this.because = because;
  }
}

/** A file above the size limit. */
export class TooLargeError extends UnreadableError {
  constructor(path: string, most: number) {
    super(
      path,
      `it is larger than ${most / mebibyte} MB`,
      `name another file, or raise the limit: ${sizeFlag} 100`,
    );
  }
}

const aFolder = 'it is a folder';
const mebibyte = 1024 * 1024;
/** The size limit of files; `--max-file-size` raises it for the whole process. */
const limit = { bytes: 10 * mebibyte };

/** The flag that raises the limit. */
export const sizeFlag = '--max-file-size';

export function raiseFileLimit(megabytes: number): void {
  limit.bytes = megabytes * mebibyte;
}

/**
 * Reads a file by name, without blocking and with a size limit.
 * @param most bytes; Infinity for files that only this program writes, such as a journal
 * @throws UnreadableError for what is not a regular file, or a larger one; the error of the system
 */
export async function readRegular(path: string, most = limit.bytes): Promise<Buffer> {
  const handle = await open(path, toRead).catch((error: unknown) => {
    throw unopened(path, error);
  });
  try {
    const found = await handle.stat();
    refuseOther(path, found, most);
    return most === Infinity ? await handle.readFile() : await upTo(handle, found, path, most);
  } finally {
    await handle.close();
  }
}

/** The synchronous variant of `readRegular`. */
export function readRegularSync(path: string, most = limit.bytes): Buffer {
  const descriptor = openedSync(path);
  try {
    const found = fstatSync(descriptor);
    refuseOther(path, found, most);
    const pieces: Buffer[] = [];
    for (let bytes = 0; bytes <= most;) {
      const piece = emptyPiece(found);
      const read = readSync(descriptor, piece);
      if (read === 0) return Buffer.concat(pieces);
      pieces.push(piece.subarray(0, read));
      bytes += read;
    }
    throw new TooLargeError(path, most);
  } finally {
    closeSync(descriptor);
  }
}

/**
 * The text of a file that was just inspected: takes half the time, for thousands of small files that
 * only this program writes.
 * @throws UnreadableError as above; the error of the system
 */
export function readFoundSync(path: string, found: Stats, most = limit.bytes): string {
  refuseOther(path, found, most);
  return readFileSync(path, 'utf8');
}

/** `stdin`, or a file of unknown size: @throws UnreadableError above the limit */
export async function readStream(
  stream: AsyncIterable<Uint8Array | string>,
  name: string,
  most = limit.bytes,
): Promise<Buffer> {
  const pieces: Buffer[] = [];
  let bytes = 0;
  for await (const piece of stream) {
    const read = Buffer.from(piece);
    bytes += read.length;
    if (bytes > most) throw new TooLargeError(name, most);
    pieces.push(read);
  }
  return Buffer.concat(pieces);
}

/** @throws UnreadableError unless the path is a file, or cannot be inspected */
export function refuseIrregular(path: string): void {
  let descriptor: number;
  try {
    descriptor = openedSync(path);
  } catch (error) {
    if (error instanceof UnreadableError) throw error;
    return; // the following read reports the reason
  }
  try {
    refuseOther(path, fstatSync(descriptor), Infinity);
  } finally {
    closeSync(descriptor);
  }
}

const pieceBytes = 64 * 1024;
const pieceLeast = 1024; // files under /proc report a size of 0
const piecesMost = 1024 * 1024;
/**
 * The flags of a read: without O_NONBLOCK, a pipe would wait for its writer; the flag is absent on
 * Windows.
 */
const toRead = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0);

function openedSync(path: string): number {
  try {
    return openSync(path, toRead);
  } catch (error) {
    throw unopened(path, error);
  }
}

/** A buffer for a small file, with one byte to detect its end; the unused rest is cut off. */
function emptyPiece({ size }: Stats): Buffer {
  const wanted = size < pieceBytes ? size + 1 : size < piecesMost ? size : pieceBytes;
  return Buffer.allocUnsafe(Math.max(wanted, pieceLeast));
}

/** The reported size of a file is wrong under /proc, and the file may grow. */
async function upTo(handle: FileHandle, found: Stats, path: string, most: number): Promise<Buffer> {
  const pieces: Buffer[] = [];
  for (let bytes = 0; bytes <= most;) {
    const piece = emptyPiece(found);
    const { bytesRead } = await handle.read(piece, 0, piece.length);
    if (bytesRead === 0) return Buffer.concat(pieces);
    pieces.push(piece.subarray(0, bytesRead));
    bytes += bytesRead;
  }
  throw new TooLargeError(path, most);
}

function refuseOther(path: string, found: Stats, most: number): void {
  const kind = kindOf(found);
  if (kind === 'folder') throw new UnreadableError(path, aFolder, 'name a file in it');
  if (kind !== 'file') throw irregular(path, kindWords(kind));
  if (found.size > most) throw new TooLargeError(path, most);
}

function unopened(path: string, error: unknown): unknown {
  if (isCode(error, 'ENXIO')) return irregular(path, 'it is a socket or a device');
  return isCode(error, 'ELOOP') ? irregular(path, 'its links form a loop') : error;
}

function irregular(path: string, because: string): UnreadableError {
  return new UnreadableError(
    path,
    `${because}, not a file`,
    'only regular files are read; copy its contents to a regular file',
  );
}
