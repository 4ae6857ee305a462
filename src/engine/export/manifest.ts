/** The companion of an exported file: the source of its rows, and its digest. */
import { lastMoment, type Millis } from '../../base/clock.ts';
import { readableJson, type JsonRecord } from '../../base/json.ts';
import type { OperationName } from '../../exchange/api/operations/index.ts';
import type { CsvStyle } from '../../base/csv-style.ts';
import type { SupportedFormat } from './formats.ts';
import type { ColumnException } from './survey.ts';
import { choice, integer, optional, record, text, type Infer } from '../../exchange/api/schema.ts';

/** Suffix of a manifest's name, after the full name of its file. */
export const manifestEnding = '.manifest.json';

const count = integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER });
const moment = integer({ minimum: 0, maximum: lastMoment });

export const timeWindow = record({ from: moment, to: moment });

export type TimeWindow = Infer<typeof timeWindow>;

/** A requested bound that was not available. */
export const clamp = record({
  bound: choice(['from', 'to']),
  asked: moment,
  /** The bound of the available data. */
  used: moment,
  /** The exchange keeps nothing older; or the requested time is in the future. */
  because: choice(['not kept', 'not over']),
});

export type Clamp = Infer<typeof clamp>;

/** The last run that continued a file with `since: last`. */
export const continued = record({
  /** Identifies the account of the rows; absent for public data. */
  account: optional(text()),
  /** The previous version of the file; absent for a new file. */
  of: optional(record({ rows: count, sha256: text() })),
  added: count,
  /** Rows of the overlap whose content had changed. */
  replaced: count,
});

export type Continued = Infer<typeof continued>;

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

/**
 * The parts of a manifest that later steps may use: its name, and the size and digest of its file.
 */
export function manifestSaid({ file, rows, bytes, sha256 }: Written): JsonRecord {
  return { file: `${file}${manifestEnding}`, rows, bytes, sha256 };
}
