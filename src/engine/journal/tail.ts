/** The entries of a journal file while it grows: each call returns those that were added since. */
import { constants, open, type FileHandle } from 'node:fs/promises';
import { isCode } from '../../base/error.ts';
import type { Entry } from './entry.ts';
import { JournalError } from './error.ts';
import { emptyJournal } from './journal.ts';
import type { JournalState } from './read-journal.ts';
import { DamagedRecordError, decodeRecord } from './record.ts';

export interface JournalTail {
  /**
   * Entries whose lines are complete and were not returned before. A last line that cannot be read
   * is left to a later call: its process may be writing it, or cut it off after a crash.
   * @throws JournalError when an earlier line was changed, or the file is not a journal
   */
  added(): AsyncGenerator<Entry>;
  /** The last returned entry, and whether characters follow that are no entry yet. */
  readonly end: JournalState & { readonly isTorn: boolean };
}

const lineFeed = 0x0a;
const chunk = 1024 * 1024; // bytes read at once

/** Follows a journal. Reads in pieces, so that memory does not grow with the journal. */
export function journalTail(path: string): JournalTail {
  let state = emptyJournal;
  let offset = 0; // after the last returned entry
  let isTorn = false;

  const entryIn = (line: Buffer): Entry => {
    const { entry, link } = decodeRecord(line.toString('utf8'), {
      seq: state.seq + 1,
      prev: state.link,
    });
    state = { seq: entry.seq, link };
    offset += line.length + 1;
    return entry;
  };
  async function* added(): AsyncGenerator<Entry> {
    let damage: DamagedRecordError | undefined;
    isTorn = false;
    for await (const line of linesFrom(path, offset)) {
      isTorn = true;
      if (damage !== undefined) {
        throw new JournalError(`${path}:${state.seq + 1} is damaged: ${damage.message}`, damage);
      }
      if (!line.isWhole) return;
      try {
        yield entryIn(line.bytes);
        isTorn = false;
      } catch (error) {
        if (!(error instanceof DamagedRecordError)) throw error;
        damage = error;
      }
    }
  }
  return {
    added,
    get end() {
      return { ...state, isTorn };
    },
  };
}

interface Line {
  readonly bytes: Buffer;
  /** Whether the line has its line feed, which is not part of `bytes`. */
  readonly isWhole: boolean;
}

async function* linesFrom(path: string, offset: number): AsyncGenerator<Line> {
  const file = await opened(path);
  if (file === undefined) return;
  try {
    let rest: Buffer[] = []; // of a line that is longer than a chunk
    for (let at = offset; ;) {
      const { bytesRead, buffer } = await file.read(Buffer.allocUnsafe(chunk), 0, chunk, at);
      if (bytesRead === 0) break;
      at += bytesRead;
      let from = 0;
      const read = buffer.subarray(0, bytesRead);
      for (let end = read.indexOf(lineFeed); end !== -1; end = read.indexOf(lineFeed, from)) {
        yield { bytes: Buffer.concat([...rest, read.subarray(from, end)]), isWhole: true };
        rest = [];
        from = end + 1;
      }
      if (from < bytesRead) rest.push(read.subarray(from));
    }
    if (rest.length > 0) yield { bytes: Buffer.concat(rest), isWhole: false };
  } finally {
    await file.close();
  }
}

/** Opens a journal; undefined until the file exists. Links and devices are refused. @throws JournalError */
async function opened(path: string): Promise<FileHandle | undefined> {
  const { O_RDONLY, O_NOFOLLOW, O_NONBLOCK } = constants;
  let file: FileHandle;
  try {
    file = await open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
  } catch (error) {
    if (isCode(error, 'ENOENT')) return undefined;
    throw new JournalError(`${path} cannot be read`, error);
  }
  if ((await file.stat()).isFile()) return file;
  await file.close();
  throw new JournalError(`${path} is not a file`);
}
