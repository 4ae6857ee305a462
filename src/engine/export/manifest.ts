/** The companion of an exported file: the source of its rows, and its digest. */
import type { Millis } from '../../base/clock.ts';
import { readableJson, type JsonRecord } from '../../base/json.ts';
import type { OperationName } from '../../exchange/api/operations/index.ts';
import type { CsvStyle } from '../../base/csv-style.ts';
import type { SupportedFormat } from './formats.ts';
import type { ColumnException } from './survey.ts';

/** Suffix of a manifest's name, after the full name of its file. */
export const manifestEnding = '.manifest.json';

export interface TimeWindow {
  readonly from: Millis;
  readonly to: Millis;
}

/** A requested bound that was not available. */
export interface Clamp {
  readonly bound: 'from' | 'to';
  readonly asked: Millis;
  /** The bound of the available data. */
  readonly used: Millis;
  /** The exchange keeps nothing older; or the requested time is in the future. */
  readonly because: 'not kept' | 'not over';
}

/** The last run that continued a file with `since: last`. */
export interface Continued {
  /** Identifies the account of the rows; absent for public data. */
  readonly account?: string;
  /** The file before it; absent for a new file. */
  readonly of?: { readonly rows: number; readonly sha256: string };
  readonly added: number;
  /** Rows of the overlap whose content had changed. */
  readonly replaced: number;
}

/** The facts that the reader of the rows adds to the manifest. */
export interface Origin {
  readonly operation: OperationName;
  /** The input without times and page fields. */
  readonly input: JsonRecord;
  /** The requested range; absent if the operation has no times. */
  readonly asked?: TimeWindow;
  /** The completed windows, oldest first. */
  readonly covered: readonly TimeWindow[];
  readonly clamps: readonly Clamp[];
  readonly pages: number;
  /** Rows returned twice at the boundaries of pages and windows. */
  readonly duplicatesDropped: number;
  /** The exchange's clock at the start of reading. */
  readonly exchangeTime: Millis;
  /** Digest of the API schema that validated the responses. */
  readonly contract: string;
  readonly continued?: Continued;
}

/** The source of derived rows. */
export interface Derivation {
  readonly made: 'table';
  /** The source steps of the rows, with their files. */
  readonly of: readonly {
    readonly step: string;
    readonly file?: string;
    readonly rows?: number;
    readonly sha256?: string;
  }[];
}

export interface Written {
  readonly file: string;
  readonly rows: number;
  readonly bytes: number;
  readonly sha256: string;
  /** Values that are not of the type of their column. */
  readonly exceptions?: readonly ColumnException[];
}

/** The layout in which the rows were written. */
interface Layout {
  readonly format: SupportedFormat;
  readonly columns?: readonly string[];
  readonly unique?: readonly string[];
  readonly names?: readonly string[];
  readonly sort?: readonly string[];
  readonly csv?: CsvStyle;
  /** Types by column, in formats that have them. */
  readonly types?: Readonly<Record<string, string>>;
}

/** The text of a manifest; equal rows give equal text. */
export function manifestText(
  written: Written,
  layout: Layout,
  origin: Origin | Derivation,
): string {
  const { file, rows, bytes, sha256, exceptions } = written;
  const { format, columns, types, sort, csv, unique = layout.names } = layout;
  const manifest = {
    manifest: 1,
    file: file.slice(file.lastIndexOf('/') + 1),
    format,
    rows,
    bytes,
    sha256,
    ...(csv && { csv }),
    ...(columns && { columns }),
    ...(types && { types }),
    ...(exceptions && { exceptions }),
    ...(unique && { unique }),
    ...(sort && { sort }),
    ...origin,
  };
  return readableJson(manifest);
}

/** What later steps may use of a manifest: its name, and what it says of its file. */
export function manifestSaid({ file, rows, bytes, sha256 }: Written): JsonRecord {
  return { file: `${file}${manifestEnding}`, rows, bytes, sha256 };
}
