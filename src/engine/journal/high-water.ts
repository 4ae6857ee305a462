/** How far a journal is known to be on the disk, stored separately: a journal that ends before is damaged. */
import { writeSync } from 'node:fs';
import { constants, lstat, open, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import type { Millis } from '../../base/clock.ts';
import { isCode } from '../../base/error.ts';
import { namesInFolder } from '../../base/folder-names.ts';
import { isRecord } from '../../base/json.ts';
import { readRegular } from '../../base/read-file.ts';
import { makeFolder, replaceFile } from './file.ts';
import { hintFor, JournalError } from './error.ts';
import { chainStart, DamagedRecordError, frame, unframe } from './record.ts';

/** The last entry that must exist: later ones may be lost without harm. */
export interface HighWater {
  /** 0 while nothing was written: then nothing was sent either. */
  readonly seq: number;
  /** The link of the marked entry. */
  readonly link: string;
  /** The last entry when the journal was last closed. */
  readonly end: number;
}

export interface MarkedRun {
  readonly run: string;
  readonly playbook: string;
  readonly createdAt: Millis;
}

/** A high-water mark as stored. */
export interface Mark extends MarkedRun, HighWater {
  /** The number of the write, which increases with each write. */
  readonly turn: number;
}

/** Raises the mark of a journal that is being written. */
export interface MarkFile {
  /**
   * The first mark is on the disk when it resolves; later ones survive a crash of the process, and
   * a power cut after `close`. Call it only for entries that are on the disk.
   */
  raise(to: Omit<HighWater, 'end'>): Promise<void>;
  /** @param end the last entry; undefined when the journal belongs to another process now */
  close(end: number | undefined): Promise<void>;
}

/** Creates the mark of a new run, which records that nothing was written yet. @throws DiskError */
export function createMark(stateDir: string, run: MarkedRun): Promise<void> {
  return putMark(stateDir, run, { seq: 0, link: chainStart, end: 0 });
}

/** Replaces the mark of a run whose journal was replaced by an intact one. @throws DiskError */
export async function putMark(stateDir: string, run: MarkedRun, to: HighWater): Promise<void> {
  await makeFolder(folderIn(stateDir));
  const slot = slotOf({ ...run, ...to, turn: 0 });
  await replaceFile(markPath(stateDir, run.run), slot + slot);
}

/** Opens the mark of a run to raise it. @throws JournalError when there is none */
export async function openMark(stateDir: string, run: string): Promise<MarkFile> {
  const path = markPath(stateDir, run);
  const mark = await readMark(stateDir, run);
  if (mark === undefined) throw new JournalError(`${path} is missing`, undefined, hintFor(run));
  return markOver(await open(path, constants.O_RDWR | (constants.O_NOFOLLOW ?? 0)), mark);
}

/**
 * The mark of a run; undefined for a run of an earlier version or a copied one.
 * @throws JournalError when it is damaged
 */
export async function readMark(stateDir: string, run: string): Promise<Mark | undefined> {
  const path = markPath(stateDir, run);
  const found = await lstat(path).catch(undefinedWhenMissing);
  if (found === undefined) return undefined;
  return newestIn(found.isFile() ? await readRegular(path) : Buffer.alloc(0), path, run);
}

function newestIn(bytes: Buffer, path: string, run: string): Mark {
  const half = bytes.length / 2;
  const slots = [bytes.subarray(0, half), bytes.subarray(half)];
  const marks = slots.flatMap((slot) => markIn(slot.toString('utf8'), run) ?? []);
  const [newest] = marks.toSorted((a, b) => b.turn - a.turn);
  if (newest !== undefined) return newest;
  throw new JournalError(
    `${path} is damaged: it does not say how far ${run} was written`,
    undefined,
    hintFor(run),
  );
}

/** Runs that have a mark, whether or not their folders exist. */
export function markedRuns(stateDir: string): readonly string[] {
  return marksIn(folderIn(stateDir))
    .filter((name) => name.endsWith(ending))
    .map((name) => name.slice(0, -ending.length));
}

/** Synchronously: the other way takes eight times as long for thousands of names. */
function marksIn(folder: string): readonly string[] {
  try {
    return namesInFolder(folder);
  } catch (error) {
    return undefinedWhenMissing(error) ?? [];
  }
}

export function markPath(stateDir: string, run: string): string {
  return join(folderIn(stateDir), `${run}${ending}`);
}

const ending = '.mark';

function folderIn(stateDir: string): string {
  return join(stateDir, 'high-water');
}

/** Writes the mark to two slots alternately, so that one is intact after any crash. */
function markOver(handle: FileHandle, mark: Mark): MarkFile {
  let { seq, link, turn } = mark;
  let isSynced = seq > 0;
  const write = (end: number): void => {
    turn += 1;
    const bytes = Buffer.from(slotOf({ ...mark, seq, link, end, turn }), 'utf8');
    const from = (turn % 2) * bytes.length;
    for (let at = 0; at < bytes.length;) {
      at += writeSync(handle.fd, bytes, at, bytes.length - at, from + at);
    }
  };
  return {
    raise: async (to) => {
      ({ seq, link } = to);
      write(0);
      if (!isSynced) await handle.datasync();
      isSynced = true;
    },
    close: async (end) => {
      try {
        if (end !== undefined) {
          write(end);
          await handle.datasync();
        }
      } finally {
        await handle.close();
      }
    },
  };
}

/** A slot with a mark. Its length is constant for a run, so that slots never overlap. */
function slotOf({ run, playbook, createdAt, seq, link, end, turn }: Mark): string {
  const at = { seq: padded(seq), link, end: padded(end), turn: padded(turn) };
  return frame(JSON.stringify({ version: 1, run, playbook, createdAt, ...at }));
}

function padded(count: number): string {
  return String(count).padStart(12, '0');
}

function markIn(slot: string, run: string): Mark | undefined {
  let value: unknown;
  try {
    value = JSON.parse(unframe(slot.replace(/\n$/, '')));
  } catch (error) {
    if (error instanceof DamagedRecordError) return undefined;
    throw error;
  }
  if (!isRecord(value) || value['version'] !== 1 || value['run'] !== run) return undefined;
  const { playbook, createdAt, seq, link, end, turn } = value;
  return typeof playbook === 'string' &&
    typeof createdAt === 'number' &&
    typeof link === 'string' &&
    isCount(seq) &&
    isCount(end) &&
    isCount(turn)
    ? { run, playbook, createdAt, link, seq: Number(seq), end: Number(end), turn: Number(turn) }
    : undefined;
}

function isCount(value: unknown): value is string {
  return typeof value === 'string' && /^\d{12}$/.test(value);
}

function undefinedWhenMissing(error: unknown): undefined {
  if (isCode(error, 'ENOENT')) return undefined;
  throw error;
}
