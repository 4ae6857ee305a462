/** Writes rows to a file: complete, durable and with a manifest, or not at all. */
import { join } from 'node:path';
import { randomId } from '../../base/random.ts';
import { realDisk, type Disk, type DiskFile } from './disk.ts';
import { draft, oneText, publishAll, errorsNaming, type Draft, type DraftPlace } from './draft.ts';
import { isCompressed, type SupportedFormat } from './formats.ts';
import { intake, type Intake } from './intake.ts';
import { typeName, type ColumnType, type ColumnTypes } from '../../exchange/api/column-types.ts';
import type { CsvStyle } from '../../base/csv-style.ts';
import { survey, type Survey } from './survey.ts';
import {
  manifestEnding,
  manifestText,
  type Derivation,
  type Origin,
  type Written,
} from './manifest.ts';
import type { Row } from '../../exchange/api/listing.ts';
import { openTarget } from './target.ts';
import { csvBytes } from './writers/csv.ts';
import { gzipped } from './writers/gzip.ts';
import { jsonTexts } from './writers/json.ts';
import { ndjsonTexts } from './writers/ndjson.ts';

/** The request for a file, whatever its source. */
export interface FileRequest {
  /** An existing folder that contains the file. */
  readonly workspace: string;
  /** The path of the file, relative to the workspace: `out/volume.csv`. */
  readonly file: string;
  readonly format: SupportedFormat;
  /** The columns in order; default: all fields, in order of appearance. */
  readonly columns?: readonly string[];
  /** Columns that are known to identify a row: listed in the manifest, not checked. */
  readonly names?: readonly string[];
  /** The style of a CSV file, if not the usual one. */
  readonly csv?: CsvStyle;
  /** A part of temporary file names: files of an earlier process with the same part are removed. */
  readonly token?: string;
  /** Called once, after the last row. */
  readonly origin: () => Origin | Derivation;
  /** Called when all files are drafted: throws when the existing file must be kept. */
  readonly mayPublish?: (made: Written) => Promise<void>;
  readonly disk?: Disk;
}

export interface RowsRequest extends FileRequest {
  /** Columns that identify a row. */
  readonly unique?: readonly string[];
  /** Columns to sort by, the most significant first; default: the order of arrival. */
  readonly sort?: readonly string[];
  /** The column whose values are the sheets of a workbook; the first one to sort by. */
  readonly sheets?: string;
  /** Reads the rows. Must be repeatable: Parquet reads all of them before it writes the first. */
  readonly rows: () => AsyncIterable<Row>;
  /** The known types of columns; the types of other columns follow from their values. */
  readonly types?: ColumnTypes;
  /** The type of columns that are not in `types`. */
  readonly otherType?: ColumnType;
}

/** Rows that are already in the format of the file. */
export interface ContentRequest extends FileRequest {
  /** The bytes of a chunk need to be valid only until the next is requested. */
  readonly content: AsyncIterable<string | Uint8Array>;
  /** The number of rows. */
  readonly count: number;
}

/**
 * Writes any number of rows in bounded memory. The final name always has the earlier file or the
 * complete new one; equal rows give equal bytes.
 * @throws ExportError when the name is not allowed, two rows have equal unique columns, or the disk
 * fails; errors of `rows` are passed on
 */
export function writeRows(request: RowsRequest): Promise<Written> {
  return written(request, (disk, place) => draftRows(request, disk, place));
}

/** Writes content that is already formatted. @throws ExportError as `writeRows` does */
export function writeContent(request: ContentRequest): Promise<Written> {
  const { file, content, count } = request;
  return written(request, async (disk, place) => ({
    data: await draft(disk, place, compressed(file, content)),
    rows: count,
  }));
}

async function written(
  request: FileRequest,
  draftData: (disk: Disk, place: DraftPlace) => Promise<Drafted>,
): Promise<Written> {
  const { file, disk = realDisk } = request;
  const target = await openTarget(request.workspace, file);
  try {
    const place = { ...target, ...(request.token !== undefined && { token: request.token }) };
    const { data, rows, survey: found } = await draftData(disk, place);
    const exceptions = found?.exceptions ?? [];
    const made = {
      file,
      rows,
      bytes: data.bytes,
      sha256: data.sha256,
      ...(exceptions.length > 0 && { exceptions }),
    };
    const layout = { ...request, ...(found && { types: typesOf(found) }) };
    const manifest = await draftManifest(disk, place, data, () =>
      manifestText(made, layout, request.origin()),
    );
    await mayPublish(request, made, [data, manifest]);
    await publishAll(disk, target, [data, manifest]);
    return made;
  } finally {
    await target.close();
  }
}

interface Drafted {
  readonly data: Draft;
  readonly rows: number;
  /** The survey of the rows, for a format with types. */
  readonly survey?: Survey;
}

/** The types of the columns by name. */
function typesOf({ columns }: Survey): Readonly<Record<string, string>> {
  return Object.fromEntries(columns.map(({ name, type }) => [name, typeName(type)]));
}

async function mayPublish(
  request: FileRequest,
  made: Written,
  drafts: readonly Draft[],
): Promise<void> {
  try {
    await request.mayPublish?.(made);
  } catch (error) {
    for (const each of drafts) await each.discard().catch(() => undefined); // the first error counts
    throw error;
  }
}

function compressed<T extends string | Uint8Array>(
  file: string,
  content: AsyncIterable<T>,
): AsyncIterable<T | Uint8Array> {
  return isCompressed(file) ? gzipped(content) : content;
}

async function draftRows(request: RowsRequest, disk: Disk, target: DraftPlace): Promise<Drafted> {
  const isTable = request.format !== 'ndjson' && request.format !== 'json';
  const arriving = await intake({
    ...request,
    rows: request.rows(),
    picks: !isTable,
    readsAhead: isTable && request.columns === undefined,
    makeRun: () => makeRun(disk, target),
  });
  try {
    const { content, survey: found } = await contentOf(request, arriving);
    const data = await draft(disk, target, compressed(request.file, content), () =>
      arriving.settle(),
    );
    return { data, rows: arriving.count(), ...(found && { survey: found }) };
  } finally {
    await arriving.close();
  }
}

/** Drafts the manifest before the data gets its name, so that a full disk leaves neither. */
async function draftManifest(
  disk: Disk,
  target: DraftPlace,
  data: Draft,
  text: () => string,
): Promise<Draft> {
  const name = `${target.name}${manifestEnding}`;
  try {
    return await draft(disk, { ...target, name }, oneText(text()));
  } catch (error) {
    await data.discard().catch(() => undefined); // the first error has the cause
    throw error;
  }
}

interface Content {
  readonly content: AsyncIterable<string | Uint8Array>;
  readonly survey?: Survey;
}

/** The content of the file. Writers with their own packages are loaded on demand. */
async function contentOf(request: RowsRequest, arriving: Intake): Promise<Content> {
  const { file, format, rows, csv, sheets, types = new Map(), otherType } = request;
  const columns = () => ({ names: arriving.columns(), types, otherType });
  switch (format) {
    case 'csv':
      return { content: csvBytes(arriving.rows, arriving.columns(), csv) };
    case 'ndjson':
      return { content: ndjsonTexts(arriving.rows) };
    case 'json':
      return { content: jsonTexts(arriving.rows) };
    case 'xlsx': {
      const { xlsxBytes } = await import('./writers/xlsx.ts');
      const found = await survey(file, format, rows(), columns());
      return { content: xlsxBytes(file, arriving.rows, found.columns, sheets), survey: found };
    }
    case 'parquet': {
      const { parquetBytes } = await import('./writers/parquet.ts');
      const found = await survey(file, format, rows(), columns());
      return { content: parquetBytes(arriving.rows, found.columns), survey: found };
    }
  }
}

/** Makes an unnamed file: it is removed when it is closed, or when the process ends. */
export async function makeRun(
  disk: Disk,
  target: Pick<DraftPlace, 'folder' | 'name' | 'file'>,
): Promise<DiskFile> {
  const path = join(target.folder, `.${target.name}.${randomId(10)}.run`);
  const naming = errorsNaming(target.file);
  const file = await naming(disk.create(path));
  try {
    await naming(disk.remove(path));
  } catch (error) {
    await file.close();
    throw error;
  }
  return { ...file, write: (text) => naming(file.write(text)) };
}
