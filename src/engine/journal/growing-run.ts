/** The entries of a run in progress: of its journal, only what was appended is read and verified again. */
import { constants } from 'node:fs';
import { open } from 'node:fs/promises';
import type { Entry } from './entry.ts';
import { JournalError } from './error.ts';
import { readMark } from './high-water.ts';
import { readAppended } from './journal.ts';
import type { ReadJournal } from './read-journal.ts';
import {
  checked,
  journalPath,
  readHeader,
  readRunText,
  refuseChanged,
  refuseForeign,
} from './runs.ts';

export interface GrowingRun {
  /**
   * All entries now. New lines must continue the chain of the last known one. The whole journal is
   * read again when it is another file, became shorter, was changed without growing, or has
   * anything that does not fit; then the result and the errors are those of `readRun`. A change of
   * earlier lines is found by the next whole reading.
   */
  entries(): Promise<readonly Entry[]>;
}

/** The content of a file from an offset on. */
export interface Appended {
  /** The device and inode of the file. */
  readonly file: string;
  /** The time of the last write to the file, in ns; not before `bytes` were read. */
  readonly writtenAt: bigint;
  readonly size: number;
  readonly bytes: Uint8Array;
}

/**
 * Reads a file from an offset; undefined if it cannot be read or is not a file: reading it whole
 * reports the problem.
 */
export type ReadFrom = (path: string, offset: number) => Promise<Appended | undefined>;

export function growingRun(
  stateDir: string,
  run: string,
  readFrom: ReadFrom = readFileFrom,
): GrowingRun {
  const path = journalPath(stateDir, run);
  let kept: Kept | undefined;

  const whole = async (): Promise<Kept> => {
    const before = await readFrom(path, Infinity);
    const found = await readRunText(stateDir, run);
    const read = await checked(found);
    const end = Buffer.byteLength(found.text.slice(0, read.tornAt));
    return { file: before?.file, writtenAt: before?.writtenAt, end, read };
  };

  const grown = async (known: Kept): Promise<Kept | undefined> => {
    const header = await readHeader(stateDir, run);
    const mark = await readMark(stateDir, run); // before the journal, which is never behind it
    const found = await readFrom(path, known.end);
    if (found === undefined || found.file !== known.file || found.size < known.end) {
      return undefined;
    }
    const { file, writtenAt, bytes } = found;
    if (bytes.length === 0 && writtenAt !== known.writtenAt) return undefined;
    const read = readAppended(known.read, Buffer.from(bytes).toString('utf8'), path, mark);
    if (read.tornAt !== undefined) return undefined; // seldom: lines are written in one piece
    refuseForeign(header, read.entries, path);
    refuseChanged(header, path);
    return { file, writtenAt, end: known.end + bytes.length, read };
  };

  return {
    entries: async () => {
      const known = kept;
      kept = undefined;
      const next = known && (await grown(known).catch(undefinedWhenDamaged));
      const now = next ?? (await whole());
      kept = now;
      return now.read.entries;
    },
  };
}

interface Kept {
  readonly file: string | undefined;
  readonly writtenAt: bigint | undefined;
  /** The offset after the last entry. */
  readonly end: number;
  readonly read: ReadJournal;
}

export async function readFileFrom(path: string, offset: number): Promise<Appended | undefined> {
  const { O_RDONLY, O_NOFOLLOW, O_NONBLOCK } = constants;
  const opened = await open(path, O_RDONLY | (O_NOFOLLOW ?? 0) | (O_NONBLOCK ?? 0)).catch(
    () => undefined,
  );
  if (opened === undefined) return undefined;
  try {
    const { size } = await opened.stat();
    const length = Math.max(0, size - offset);
    const buffer = Buffer.alloc(length);
    const { bytesRead } =
      length === 0 ? { bytesRead: 0 } : await opened.read(buffer, 0, length, offset);
    const { dev, ino, mtimeNs, size: now, ...after } = await opened.stat({ bigint: true });
    if ((BigInt(constants.S_IFMT) & after.mode) !== BigInt(constants.S_IFREG)) return undefined;
    const bytes = buffer.subarray(0, bytesRead);
    return { file: `${dev} ${ino}`, writtenAt: mtimeNs, size: Number(now), bytes };
  } finally {
    await opened.close();
  }
}

function undefinedWhenDamaged(error: unknown): undefined {
  if (error instanceof JournalError) return undefined;
  throw error;
}
