/** The stored rows of an unfinished export: a crashed one continues from them. */
import { join } from 'node:path';
import { namesIn, RecentRows } from '../../exchange/api/recent-rows.ts';
import { linesIn, type Disk, type DiskFile } from './disk.ts';
import { removeIfThere, errorsNaming } from './draft.ts';
import { provenFile, provenMarks, type Mark } from './proven.ts';

/** A checkpoint: the marks of the rows and of their names. */
export interface KeptMark extends Mark {
  readonly names: Mark;
}

export interface Kept {
  /** The number of earlier checkpoints that are intact; everything after them is removed. */
  readonly proven: number;
  /** Names of the newest rows, oldest first. */
  readonly names: readonly string[];
  /** Appends the rows of a page and their names; `names` is empty if the rows have none. */
  add(rows: string | Uint8Array, names: readonly string[]): Promise<void>;
  /** Resolves when everything appended survives a crash of this process. */
  mark(): Promise<KeptMark>;
  /** The stored rows between two offsets; a chunk is valid until the next is requested. */
  bytes(from?: number, to?: number): AsyncIterable<Uint8Array>;
  lines(): AsyncIterable<string>;
  close(): Promise<void>;
}

/** The location of stored rows: hidden, next to the final file. */
export interface KeptPlace {
  readonly folder: string;
  readonly name: string;
  readonly file: string;
  /** Distinguishes the exports of different files. */
  readonly token: string;
}

/**
 * Opens the stored rows of an export.
 * @param marks earlier checkpoints, oldest first; none starts again
 * @throws ExportError when the disk fails
 */
export async function openKept(
  disk: Disk,
  place: KeptPlace,
  marks: readonly KeptMark[],
): Promise<Kept> {
  const naming = errorsNaming(place.file);
  const { rows, names } = await naming(openBoth(disk, place, marks.length > 0));
  const close = async (): Promise<void> => {
    await rows.close();
    await names.close();
  };
  try {
    const proven = await naming(bothProven({ rows, names }, marks));
    const mark = marks[proven - 1] ?? { ...nothing, names: nothing };
    await naming(rows.cut(mark.bytes));
    await naming(names.cut(mark.names.bytes));
    const [keptRows, keptNames] = [provenFile(rows, mark), provenFile(names, mark.names)];
    return {
      proven,
      names: await naming(newestNames(names)),
      add: async (added, named) => {
        await naming(keptRows.add(added));
        await naming(keptNames.add(`${JSON.stringify(named)}\n`));
      },
      mark: async () => ({
        ...(await naming(keptRows.mark())),
        names: await naming(keptNames.mark()),
      }),
      bytes: (from, to) => rows.bytes(from, to),
      lines: () => linesIn(rows.bytes()),
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Removes the stored rows of an export, if any. */
export async function removeKept(disk: Disk, place: KeptPlace): Promise<void> {
  const naming = errorsNaming(place.file);
  for (const path of Object.values(pathsOf(place))) await naming(removeIfThere(disk, path));
}

const nothing: Mark = { bytes: 0, crc: 0 };

function pathsOf({ folder, name, token }: KeptPlace): { rows: string; names: string } {
  const path = join(folder, `.${name}.${token}`);
  return { rows: `${path}.rows`, names: `${path}.names` };
}

interface Both {
  readonly rows: DiskFile;
  readonly names: DiskFile;
}

async function openBoth(disk: Disk, place: KeptPlace, mayBeThere: boolean): Promise<Both> {
  const paths = pathsOf(place);
  const opened = async (path: string): Promise<DiskFile> => {
    const earlier = mayBeThere ? await disk.reopen(path) : undefined;
    if (earlier !== undefined) return earlier;
    await removeIfThere(disk, path);
    return disk.create(path);
  };
  const rows = await opened(paths.rows);
  try {
    return { rows, names: await opened(paths.names) };
  } catch (error) {
    await rows.close();
    throw error;
  }
}

async function bothProven({ rows, names }: Both, marks: readonly KeptMark[]): Promise<number> {
  const proven = await provenMarks(rows, marks);
  return provenMarks(
    names,
    marks.slice(0, proven).map((mark) => mark.names),
  );
}

const pagesRemembered = RecentRows.most / 100; // the smallest pages have 100 rows

/** Names of the last pages: their rows may be repeated. */
async function newestNames(file: DiskFile): Promise<readonly string[]> {
  const recent: string[] = [];
  for await (const line of linesIn(file.bytes())) {
    recent.push(line);
    if (recent.length > pagesRemembered) recent.shift();
  }
  return recent.flatMap(namesIn);
}
