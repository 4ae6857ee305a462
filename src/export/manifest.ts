/** What is next to a written file: where its rows came from, and the digest that proves it. */
import type { Millis } from '../base/clock.ts';
import { type Json, readableJson } from '../base/json.ts';
import type { OperationName } from '../api/operations/index.ts';
import type { SupportedFormat } from './formats.ts';

/** Ending of a manifest's name, after the whole name of its file. */
export const manifestEnding = '.manifest.json';

export interface TimeWindow {
  readonly from: Millis;
  readonly to: Millis;
}

/** A bound that was asked for and could not be read up to. */
export interface Clamp {
  readonly bound: 'from' | 'to';
  readonly asked: Millis;
  /** Bound of the available data. */
  readonly used: Millis;
  /** The exchange keeps nothing older; or the time asked for was not over. */
  readonly because: 'not kept' | 'not over';
}

/** What only the reader of the rows knows. */
export interface Origin {
  readonly operation: OperationName;
  /** What it was asked next to times and pages. */
  readonly input: { readonly [field: string]: Json };
  /** What the author asked for; absent where the operation has no times. */
  readonly asked?: TimeWindow;
  /** The windows that were read to their end, oldest first. */
  readonly covered: readonly TimeWindow[];
  readonly clamps: readonly Clamp[];
  readonly pages: number;
  /** Rows seen twice at the edges of pages and windows, and kept once. */
  readonly duplicatesDropped: number;
  /** The exchange's clock when the reading began. */
  readonly exchangeTime: Millis;
  /** Digest of the API schema that validated the responses. */
  readonly contract: string;
}

/** What is in its place for rows that were made of rows. */
export interface Derivation {
  readonly made: 'table';
  /** The steps whose rows were taken, with the files they was in. */
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
}

/** How the rows were written. */
interface Manner {
  readonly format: SupportedFormat;
  readonly columns?: readonly string[];
  readonly unique?: readonly string[];
  readonly names?: readonly string[];
  readonly sort?: readonly string[];
}

/** The text of a manifest: the same for the same rows. */
export function manifestText(
  written: Written,
  manner: Manner,
  origin: Origin | Derivation,
): string {
  const { file, rows, bytes, sha256 } = written;
  const { format, columns, sort, unique = manner.names } = manner;
  const manifest = {
    manifest: 1,
    file: file.slice(file.lastIndexOf('/') + 1),
    format,
    rows,
    bytes,
    sha256,
    ...(columns && { columns }),
    ...(unique && { unique }),
    ...(sort && { sort }),
    ...origin,
  };
  return readableJson(manifest);
}
