/** The journal of one run: append-only, verified, and on the disk before anything depends on it. */
import type { Clock } from '../../base/clock.ts';
import type { Entry, Event } from './entry.ts';
import { DeskhandError } from '../../base/error.ts';
import { DiskError, realFiles, type AppendFile, type JournalFiles } from './file.ts';
import { GroupCommit } from './group-commit.ts';
import type { HighWater, MarkFile } from './high-water.ts';
import { chainStart, DamagedRecordError, decodeRecord, encodeRecord } from './record.ts';
import { wasFollowed } from './followed.ts';
import { JournalError } from './error.ts';
import type { JournalState, ReadJournal } from './read-journal.ts';
import { keptJournal } from './kept-journal.ts';

/** Appends events; the only writer of a run's history. */
export interface Journal {
  /**
   * Appends an event, and resolves with its entry when that is on the disk. Concurrent calls share one sync.
   * @param sync `later`: written at once, and synced with the next entry that may not wait. Only for an
   * event that may be lost in a power cut, and only if it is not awaited.
   * @throws DiskError for this and every later call after the disk failed; ContinuedError or
   * HeldError after another process continued the run; StoreError when its store gave no answer;
   * InternalError for an event without the format of its kind, which is not written
   */
  append(event: Event, sync?: 'now' | 'later'): Promise<Entry>;
  /** Resolves when every appended entry is on the disk. @throws as `append` */
  flush(): Promise<void>;
  /** The length of its lines, in characters; 0 for one without lines. */
  length(): number;
  close(): Promise<void>;
}

export const emptyJournal: JournalState = { seq: 0, link: chainStart };

/**
 * A journal that continues after `state`, over any append-only file.
 * @param mark raised after each entry that must never be lost
 * @param before the length of the lines up to `state`, in characters
 */
export function journalOver(
  file: AppendFile,
  clock: Clock,
  state: JournalState,
  mark?: MarkFile,
  before = 0,
): Journal {
  const commits = new GroupCommit(file, mark);
  let { seq, link } = state;
  let length = before;
  let last: Promise<unknown> = Promise.resolve();
  return {
    append: (event, sync = 'now') => {
      if (commits.broken !== undefined) return Promise.reject(commits.broken);
      const group = commits.earliest?.seq ?? seq + 1;
      let record: ReturnType<typeof encodeRecord>;
      try {
        record = encodeRecord(event, { seq: seq + 1, at: clock.now(), group, prev: link });
      } catch (error) {
        return Promise.reject(error as Error);
      }
      ({ seq } = record.entry);
      ({ link } = record);
      length += record.line.length;
      const appended = commits.add(record, sync);
      last = appended;
      return appended;
    },
    flush: async () => {
      commits.syncSoon();
      await last;
    },
    length: () => length,
    close: async () => {
      await commits.close();
      const { broken } = commits;
      const isOurs = broken?.code !== 'locked';
      const end = broken === undefined ? seq : 0;
      await mark?.close(isOurs ? end : undefined).catch(() => undefined); // failing to update the mark is harmless
    },
  };
}

/**
 * Reads a journal. Damage in the last lines, which were never known to be on the disk, is caused by
 * a crash: it is returned as `torn` and not part of the entries. Damage anywhere else is refused.
 * @param mark how far it was on the disk, if known
 * @throws JournalError
 */
export function readJournal(text: string, path: string, mark?: HighWater): ReadJournal {
  return withMark(keptJournal(text) ?? readLines(text, path, mark?.seq ?? 0), path, mark);
}

/**
 * Reads a journal that has grown: its new lines must continue the chain of those before.
 * @param text the lines after the last known one
 * @throws JournalError
 */
export function readAppended(
  before: ReadJournal,
  text: string,
  path: string,
  mark?: HighWater,
): ReadJournal {
  return withMark(readLines(text, path, mark?.seq ?? 0, before), path, mark);
}

function withMark(read: ReadJournal, path: string, mark?: HighWater): ReadJournal {
  const { state, links } = read;
  const { seq: known = 0, link } = mark ?? {};
  if (state.seq < known) {
    const rest = `entries up to ${known} were on the disk and are missing`;
    throw new JournalError(`${path}:${state.seq + 1} is damaged: ${rest}`);
  }
  if (known > 0 && links[known - 1] !== link) {
    throw new JournalError(`${path}:${known} is damaged: another entry was written there`);
  }
  return read;
}

/** @param known entries that were on the disk: damage in them is never caused by a crash */
function readLines(
  text: string,
  path: string,
  known: number,
  before: ReadJournal = { entries: [], links: [], state: emptyJournal },
): ReadJournal {
  const entries = [...before.entries];
  const links = [...before.links];
  let { state } = before;
  let at = 0;
  while (at < text.length) {
    const end = text.indexOf('\n', at);
    try {
      if (end === -1) throw new DamagedRecordError('the line has no end');
      const record = decodeRecord(text.slice(at, end), { seq: state.seq + 1, prev: state.link });
      entries.push(record.entry);
      links.push(record.link);
      state = { seq: record.entry.seq, link: record.link };
      at = end + 1;
    } catch (error) {
      const line = entries.length + 1;
      const isTorn = error instanceof DamagedRecordError && !error.isWritten;
      if (!isTorn || line <= known || wasFollowed(line, text.slice(at), end - at)) {
        throw new JournalError(`${path}:${line} is damaged: ${describe(error)}`, error);
      }
      return { entries, links, state, tornAt: at };
    }
  }
  return { entries, links, state };
}

/** The high-water mark of an opened journal. */
interface MarkOf {
  /** The high-water mark of the journal; absent if it has none yet. */
  readonly known?: HighWater | undefined;
  /** Opens the mark when the journal is on the disk up to the given state. */
  readonly open: (state: JournalState) => Promise<MarkFile>;
}

/** Wraps the file of a journal with the file of a store. */
export type FileOver = (file: AppendFile) => AppendFile;

export const itself: FileOver = (file) => file;

/** A journal as stored, read and verified. */
interface JournalText {
  readonly text: string;
  readonly read: ReadJournal;
}

/**
 * Opens a journal file to continue it, and first cuts off a torn last line.
 * @param known the entries that were already read under the run's lock
 * @param over wraps the file for a store; default: the file itself
 */
export async function openJournal(
  path: string,
  clock: Clock,
  files: JournalFiles = realFiles,
  mark?: MarkOf,
  known?: JournalText,
  over: FileOver = itself,
): Promise<{ readonly journal: Journal; readonly entries: readonly Entry[] }> {
  const text = known?.text ?? (await files.read(path));
  const { entries, state, tornAt } = known?.read ?? readJournal(text, path, mark?.known);
  try {
    const lines = text.slice(0, tornAt);
    const whole = Buffer.byteLength(lines);
    if (tornAt !== undefined) await files.truncate(path, whole);
    const file = over(await files.append(path, whole));
    try {
      if (tornAt !== undefined || mark !== undefined) await file.sync();
      const opened = await mark?.open(state);
      return { journal: journalOver(file, clock, state, opened, lines.length), entries };
    } catch (error) {
      await file.close();
      throw error;
    }
  } catch (error) {
    if (error instanceof DeskhandError) throw error;
    throw new DiskError('the journal could not be opened for appending', error);
  }
}

function describe(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
