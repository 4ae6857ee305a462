/** What stands beside a written file: where its rows came from, and the digest that proves it. */
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import type { Millis } from '../base/clock.ts';
import { isRecord, type Json, parseJson, readableJson } from '../base/json.ts';
import { messageOf } from '../base/error.ts';
import { count } from '../base/text.ts';
import type { OperationName } from '../contract/operations/index.ts';
import { systemCodeOf } from './error.ts';
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
  /** Where the data begins or ends instead. */
  readonly used: Millis;
  /** The exchange keeps nothing older; or the time asked for was not over. */
  readonly because: 'not kept' | 'not over';
}

/** What only the reader of the rows knows. */
export interface Origin {
  readonly operation: OperationName;
  /** What it was asked beside times and pages. */
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
  /** Digest of the contract the answers were checked against. */
  readonly contract: string;
}

/** What stands in its place for rows that were made of rows. */
export interface Derivation {
  readonly made: 'table';
  /** The steps whose rows were taken, with the files they stood in. */
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

/** How a file stands against its manifest. `because` is a sentence for a person. */
export type Verification =
  | { readonly kind: 'whole'; readonly rows: number; readonly manifest: Json }
  | { readonly kind: 'changed' | 'unproved' | 'missing'; readonly because: string };

/** Compares a file with the manifest beside it; reads both, changes nothing. */
export async function verifyFile(file: string): Promise<Verification> {
  const found = await measured(file);
  if (found === undefined) return { kind: 'missing', because: `there is no file ${file}` };
  const manifest = await readManifest(`${file}${manifestEnding}`);
  if (typeof manifest === 'string') return { kind: 'unproved', because: manifest };
  if (found.bytes !== manifest.bytes) {
    const because = `it has ${count(found.bytes, 'byte')}, its manifest says ${manifest.bytes}`;
    return { kind: 'changed', because };
  }
  if (found.sha256 !== manifest.sha256) {
    return { kind: 'changed', because: 'its digest is not the one in its manifest' };
  }
  return { kind: 'whole', rows: manifest.rows, manifest: manifest.whole };
}

const manifestMax = 1024 * 1024; // bytes; ours have a few hundred

interface Claim {
  readonly bytes: number;
  readonly sha256: string;
  readonly rows: number;
  readonly whole: Json;
}

/** The claim of a manifest, or why there is none. */
async function readManifest(path: string): Promise<Claim | string> {
  let whole: Json;
  try {
    if ((await stat(path)).size > manifestMax) return 'its manifest is larger than 1 MiB';
    whole = parseJson(await readFile(path, 'utf8'));
  } catch (error) {
    if (systemCodeOf(error) === 'ENOENT') return 'there is no manifest beside it';
    return `its manifest cannot be read: ${messageOf(error)}`;
  }
  if (!isRecord(whole)) return 'its manifest is not one of ours';
  const { manifest, bytes, sha256, rows } = whole;
  if (manifest !== 1) return 'its manifest is of another version';
  if (typeof bytes !== 'number' || typeof sha256 !== 'string' || typeof rows !== 'number') {
    return 'its manifest lacks the size, the digest or the rows';
  }
  return { bytes, sha256, rows, whole };
}

async function measured(file: string): Promise<{ bytes: number; sha256: string } | undefined> {
  const hash = createHash('sha256');
  let bytes = 0;
  try {
    for await (const chunk of createReadStream(file)) {
      hash.update(chunk);
      bytes += chunk.length;
    }
  } catch (error) {
    if (systemCodeOf(error) === 'ENOENT') return undefined;
    throw error;
  }
  return { bytes, sha256: hash.digest('hex') };
}
