/** Pages of an export as they came, on the disk until its file is whole: a dead one goes on here. */
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { InternalError } from '../base/error.ts';
import { isRecord } from '../base/json.ts';
import { RecentRows } from '../contract/recent-rows.ts';
import type { Disk, DiskFile } from './disk.ts';
import { removeIfThere, tellingFor } from './draft.ts';
import type { Row } from './row.ts';

export interface KeptPage {
  readonly rows: readonly Row[];
  /** What names each row; empty where nothing does. */
  readonly names: readonly string[];
}

/** What the file of kept pages held after a page: proves later that all of it is still there. */
export interface KeptMark {
  readonly bytes: number;
  readonly crc: number;
}

export interface Kept {
  /** How many of the earlier pages are there as they were; what followed them is forgotten. */
  readonly held: number;
  /** Names of the newest rows among them, oldest first. */
  readonly names: readonly string[];
  /** Resolves when the page would outlive this process. */
  add(page: KeptPage): Promise<KeptMark>;
  /** All rows kept so far, in their order. */
  rows(): AsyncIterable<Row>;
  close(): Promise<void>;
}

/** The place of an export's pages: hidden, beside the file they become. */
export interface KeptPlace {
  readonly folder: string;
  readonly name: string;
  readonly file: string;
  /** Tells the exports of one file from another. */
  readonly token: string;
}

/**
 * Opens the pages of an export.
 * @param marks of the pages kept before, oldest first; none begins anew
 * @throws ExportError when the disk fails
 */
export async function openKept(
  disk: Disk,
  place: KeptPlace,
  marks: readonly KeptMark[],
): Promise<Kept> {
  const told = tellingFor(place.file);
  const path = pathOf(place);
  const earlier = marks.length === 0 ? undefined : await told(disk.reopen(path));
  const file = earlier ?? (await told(createAnew(disk, path)));
  try {
    const found = earlier === undefined ? nothing : await told(heldIn(file, marks));
    let mark = marks[found.held - 1] ?? { bytes: 0, crc: 0 };
    if (earlier !== undefined) await told(file.cut(mark.bytes));
    return {
      ...found,
      add: async ({ names, rows }) => {
        const line = Buffer.from(`${JSON.stringify([names, rows])}\n`);
        await told(file.write(line));
        mark = { bytes: mark.bytes + line.length, crc: crc32(line, mark.crc) };
        return mark;
      },
      rows: () => rowsOf(file),
      close: () => file.close(),
    };
  } catch (error) {
    await file.close();
    throw error;
  }
}

/** Forgets the pages of an export, if there are any. */
export async function removeKept(disk: Disk, place: KeptPlace): Promise<void> {
  await tellingFor(place.file)(removeIfThere(disk, pathOf(place)));
}

function pathOf({ folder, name, token }: KeptPlace): string {
  return join(folder, `.${name}.${token}.pages`);
}

async function createAnew(disk: Disk, path: string): Promise<DiskFile> {
  await removeIfThere(disk, path);
  return disk.create(path);
}

const nothing = { held: 0, names: [] };

/** Reads as far as the marks prove it; a torn, lost or changed line ends what is believed. */
async function heldIn(
  file: DiskFile,
  marks: readonly KeptMark[],
): Promise<Pick<Kept, 'held' | 'names'>> {
  const recent: string[] = []; // texts of the last pages: their rows may come again
  let [bytes, crc, held] = [0, 0, 0];
  for await (const text of file.lines()) {
    const line = Buffer.from(`${text}\n`);
    bytes += line.length;
    crc = crc32(line, crc);
    const mark = marks[held];
    if (mark === undefined || mark.bytes !== bytes || mark.crc !== crc) break;
    held += 1;
    recent.push(text);
    if (recent.length > pagesRemembered) recent.shift();
  }
  return { held, names: recent.flatMap((text) => [...pageIn(text).names]) };
}

const pagesRemembered = RecentRows.most / 100; // pages of the shortest kind hold 100 rows

async function* rowsOf(file: DiskFile): AsyncGenerator<Row> {
  // One by one: an async generator that hands a whole list on waits twice for each of its rows.
  for await (const text of file.lines()) for (const row of pageIn(text).rows) yield row;
}

/** A line we wrote ourselves. */
function pageIn(text: string): KeptPage {
  const value: unknown = JSON.parse(text);
  const [names, rows]: readonly unknown[] = Array.isArray(value) ? value : [];
  if (!isNames(names) || !isRows(rows)) throw new InternalError('a kept line is no page');
  return { names, rows };
}

function isNames(value: unknown): value is readonly string[] {
  return Array.isArray(value);
}

function isRows(value: unknown): value is readonly Row[] {
  return Array.isArray(value) && value.every(isRecord);
}
