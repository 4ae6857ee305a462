/** The journal of one run: append-only, checked, and on the disk before anything acts on it. */
import { setImmediate } from 'node:timers/promises';
import type { Clock } from '../base/clock.ts';
import { DeskhandError, exits } from '../base/error.ts';
import type { Entry, Event } from './entry.ts';
import { DiskError, realFiles, type AppendFile, type JournalFiles } from './file.ts';
import {
  chainStart,
  DamagedRecordError,
  decodeRecord,
  encodeRecord,
  readRecord,
} from './record.ts';

/** Appends events; the only writer of a run's history. */
export interface Journal {
  /**
   * Resolves with the entry when it is on the disk. Calls made together share one sync.
   * @throws DiskError for this and every later call once the disk failed
   */
  append(event: Event): Promise<Entry>;
  close(): Promise<void>;
}

/** A journal that is not as it was written; nothing is changed in it. */
export class JournalError extends DeskhandError {
  constructor(message: string, cause?: unknown) {
    super(message, {
      code: 'journal',
      actor: 'operator',
      exit: exits.stopped,
      hint: 'nothing was sent; restore the run folder from a copy, or look at it by hand',
      cause,
    });
  }
}

export interface JournalState {
  readonly seq: number;
  readonly link: string;
}

export const emptyJournal: JournalState = { seq: 0, link: chainStart };

/** A journal that goes on after `state`, over any append-only file. */
export function journalOver(file: AppendFile, clock: Clock, state: JournalState): Journal {
  let { seq, link } = state;
  let queue: Waiting[] = [];
  let flushing: Promise<void> | undefined;
  let broken: DiskError | undefined;

  const flush = async (): Promise<void> => {
    while (queue.length > 0 && broken === undefined) {
      const batch = queue;
      queue = [];
      try {
        await file.write(batch.map(({ line }) => line).join(''));
        await file.sync();
        for (const waiting of batch) waiting.resolve(waiting.entry);
      } catch (error) {
        broken = new DiskError('the journal could not be written', error);
        for (const waiting of batch) waiting.reject(broken);
      }
    }
    for (const waiting of queue) waiting.reject(broken);
    queue = [];
    flushing = undefined;
  };

  return {
    append: (event) => {
      if (broken !== undefined) return Promise.reject(broken);
      const group = queue[0]?.entry.seq ?? seq + 1;
      const record = encodeRecord(event, { seq: seq + 1, at: clock.now(), group, prev: link });
      ({ seq } = record.entry);
      ({ link } = record);
      return new Promise((resolve, reject) => {
        queue.push({ line: record.line, entry: record.entry, resolve, reject });
        flushing ??= setImmediate().then(flush); // all that one event sets off shares one sync
      });
    },
    close: async () => {
      await flushing;
      await file.close();
    },
  };
}

interface Waiting {
  readonly line: string;
  readonly entry: Entry;
  readonly resolve: (entry: Entry) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Reads a journal. Damage in what was written last, and never known to be on the disk, is the mark
 * of a crash: from there on it is reported as `torn` and not part of the entries. Damage anywhere
 * else is refused.
 * @throws JournalError
 */
export function readJournal(
  text: string,
  path: string,
): {
  readonly entries: readonly Entry[];
  readonly state: JournalState;
  /** Characters from here on are no whole line. */
  readonly tornAt?: number;
} {
  const entries: Entry[] = [];
  let state = emptyJournal;
  let at = 0;
  while (at < text.length) {
    const end = text.indexOf('\n', at);
    try {
      if (end === -1) throw new DamagedRecordError('the line has no end');
      const record = decodeRecord(text.slice(at, end), { seq: state.seq + 1, prev: state.link });
      entries.push(record.entry);
      state = { seq: record.entry.seq, link: record.link };
      at = end + 1;
    } catch (error) {
      const line = entries.length + 1;
      if (!(error instanceof DamagedRecordError) || wasFollowed(line, text.slice(at), end - at)) {
        throw new JournalError(`${path}:${line} is damaged: ${describe(error)}`, error);
      }
      return { entries, state, tornAt: at };
    }
  }
  return { entries, state };
}

/** Opens a journal file to go on with it, cutting off a torn last line first. */
export async function openJournal(
  path: string,
  clock: Clock,
  files: JournalFiles = realFiles,
): Promise<{ readonly journal: Journal; readonly entries: readonly Entry[] }> {
  const text = await files.read(path);
  const { entries, state, tornAt } = readJournal(text, path);
  try {
    if (tornAt !== undefined) await files.truncate(path, Buffer.byteLength(text.slice(0, tornAt)));
    const file = await files.append(path);
    if (tornAt !== undefined) await file.sync();
    return { journal: journalOver(file, clock, state), entries };
  } catch (error) {
    throw new DiskError('the journal could not be opened to go on with it', error);
  }
}

/**
 * Whether a line was on the disk before others were written: then no crash can have damaged it. A
 * group is written at once and synced at once, so of one that was not synced any line may be lost.
 * @param rest the journal from that line on, which ends at `end`
 */
function wasFollowed(line: number, rest: string, end: number): boolean {
  if (end < 0) return false;
  const isWhole = groupOf(rest.slice(0, end)) !== undefined; // but not in its place
  return rest
    .slice(end + 1)
    .split('\n')
    .some((next) => {
      const group = groupOf(next);
      return group === undefined ? (groupIn(next) ?? 0) > line : isWhole || group > line;
    });
}

/**
 * The group that a line with a wrong checksum still tells, when it is there from end to end: with
 * two groups damaged, something else than a crash was at work (as other ends of lines everywhere).
 */
function groupIn(line: string): number | undefined {
  const whole =
    /^[0-9a-f]{8} \d+ \{"seq":(\d+),[^\0]*?(?:,"group":(\d+))?,"prev":"[0-9a-f]{16}"\}\r?$/;
  const [, seq, group = seq] = whole.exec(line) ?? [];
  return group === undefined ? undefined : Number(group);
}

/** The group of a whole line. */
function groupOf(line: string): number | undefined {
  try {
    return readRecord(line).group;
  } catch (error) {
    if (error instanceof DamagedRecordError) return undefined;
    throw error;
  }
}

function describe(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
