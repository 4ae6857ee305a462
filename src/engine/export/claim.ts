/** The claims of a manifest, read back and validated. */
import type { Millis } from '../../base/clock.ts';
import { isRecord, type Json } from '../../base/json.ts';
import { isDelimiter, type CsvStyle } from '../../base/csv-style.ts';
import { supportedFormats, type SupportedFormat } from './formats.ts';
import type { Clamp, Continued, TimeWindow } from './manifest.ts';

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
  /** What the last run with `since: last` did; absent for a file that is written as a whole. */
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
  const format = supportedFormats.find((known) => known === whole['format']);
  const unique = listOf(whole['unique'], isText);
  const csv = whole['csv'];
  const asked = whole['asked'];
  const covered = listOf(whole['covered'], isSpan);
  const clamps = listOf(whole['clamps'], isClamp);
  const { continued } = whole;
  if (format === undefined) return damaged('format');
  if (csv !== undefined && !isStyle(csv)) return damaged('csv');
  if (unique === undefined) return damaged('unique');
  if (asked !== undefined && !isSpan(asked)) return damaged('asked');
  if (covered === undefined) return damaged('covered');
  if (clamps === undefined) return damaged('clamps');
  if (continued !== undefined && !isContinued(continued)) return damaged('continued');
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

function damaged(field: string): string {
  return `its manifest was changed: deskhand does not write this value of ${field}`;
}

/** All members if each is valid; none without a list. */
function listOf<T>(value: unknown, is: (member: unknown) => member is T): readonly T[] | undefined {
  if (value === undefined) return [];
  return Array.isArray(value) && value.every(is) ? value : undefined;
}

function isText(value: unknown): value is string {
  return typeof value === 'string';
}

function isCount(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;
}

function isStyle(value: unknown): value is CsvStyle {
  if (!isRecord(value)) return false;
  const { bom, delimiter } = value;
  const isBom = bom === undefined || typeof bom === 'boolean';
  return isBom && (delimiter === undefined || isDelimiter(delimiter));
}

const latest = 8.64e15; // ms; the latest possible date

function isMoment(value: unknown): value is Millis {
  return isCount(value) && value <= latest;
}

function isSpan(value: unknown): value is TimeWindow {
  return isRecord(value) && isMoment(value['from']) && isMoment(value['to']);
}

function isClamp(value: unknown): value is Clamp {
  if (!isRecord(value) || !isMoment(value['asked']) || !isMoment(value['used'])) return false;
  return value['bound'] === 'from' || value['bound'] === 'to';
}

function isContinued(value: unknown): value is Continued {
  if (!isRecord(value)) return false;
  const { account, of, added, replaced } = value;
  if (account !== undefined && typeof account !== 'string') return false;
  if (of !== undefined && !isFormer(of)) return false;
  return isCount(added) && isCount(replaced);
}

function isFormer(value: unknown): boolean {
  return isRecord(value) && isCount(value['rows']) && typeof value['sha256'] === 'string';
}
