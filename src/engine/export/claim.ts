/** The claims of a manifest, read back and validated. */
import { isRecord, type Json } from '../../base/json.ts';
import { csvDelimiters, type CsvStyle } from '../../base/csv-style.ts';
import { supportedFormats, type SupportedFormat } from './formats.ts';
import {
  clamp,
  continued as continuedShape,
  timeWindow,
  type Clamp,
  type Continued,
  type TimeWindow,
} from './manifest.ts';
import { choice, list, optional, record, text, truth } from '../../exchange/api/schema.ts';
import { shapeCheck } from '../../exchange/api/check.ts';

export interface Claim {
  readonly format: SupportedFormat;
  readonly rows: number;
  readonly bytes: number;
  readonly sha256: string;
  /** The style of a CSV file, if not the usual one. */
  readonly csv?: CsvStyle;
  /** Columns that together identify a row; none if there are none. */
  readonly unique: readonly string[];
  readonly operation?: string;
  readonly asked?: TimeWindow;
  readonly covered: readonly TimeWindow[];
  readonly clamps: readonly Clamp[];
  /**
   * The result of the last run with `since: last`; absent for a file that is written as a whole.
   */
  readonly continued?: Continued;
  /** The whole manifest, as found. */
  readonly whole: Json;
}

/** The claim, or a sentence with the reason why there is none. */
export function claimIn(whole: Json): Claim | string {
  if (!isRecord(whole)) return 'its manifest was not written by deskhand';
  const { manifest, bytes, sha256, rows, operation } = whole;
  if (manifest !== 1) return 'its manifest is of another version';
  if (!isCount(bytes) || typeof sha256 !== 'string' || !isCount(rows)) {
    return 'its manifest lacks the size, the digest or the rows';
  }
  const broken = checks.find(([field, isValid]) => {
    return whole[field] !== undefined && !isValid(whole[field]);
  });
  if (broken !== undefined) return damaged(broken[0]);
  if (!isClaim(whole)) return damaged('format');
  const { format, csv, unique = [], asked, covered = [], clamps = [], continued } = whole;
  return {
    format,
    rows,
    bytes,
    sha256,
    ...(csv && { csv }),
    unique,
    ...(typeof operation === 'string' && { operation }),
    ...(asked && { asked }),
    covered,
    clamps,
    ...(continued && { continued }),
    whole,
  };
}

/** The fields that other commands read, each checked by itself: an error names the field. */
const claimed = {
  format: choice(supportedFormats),
  csv: optional(record({ bom: optional(truth), delimiter: optional(choice(csvDelimiters)) })),
  unique: optional(list(text())),
  asked: optional(timeWindow),
  covered: optional(list(timeWindow)),
  clamps: optional(list(clamp)),
  continued: optional(continuedShape),
};

const isClaim = shapeCheck(record(claimed));
const checks = Object.entries(claimed).map(
  ([field, shape]) => [field, shapeCheck<unknown>(shape)] as const,
);

function damaged(field: string): string {
  return `its manifest was changed: deskhand does not write this value of ${field}`;
}

function isCount(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;
}
