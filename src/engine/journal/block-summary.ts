/** The summary of a block of the catalogue, in the line before it: which runs it may have, and which values their
 * facts have. A reader that wants none of them does not read the block. It holds for the block with its checksum,
 * and blocks of earlier versions have none.
 */
import { crc32 } from 'node:zlib';
import { isRecord } from '../../base/json.ts';
import { fewIn, rangeIn, type Column } from './columns.ts';
import { fieldsOf } from './run-columns.ts';

/** What is known of the values of a field: those that it has, or their bounds; neither if that takes too many words. */
export interface FieldSummary {
  readonly among?: readonly unknown[];
  readonly least?: number;
  readonly most?: number;
  /** Whether some facts have no such field. */
  readonly isPartial?: true;
}

export interface BlockSummary {
  readonly rows: number;
  /** Whether the block may have the run with a hash; one that it does not have seldom has the hash of another. */
  readonly mayHave: (hash: number) => boolean;
  /** The hashes of its runs, sorted. */
  readonly hashes: () => Uint32Array;
  /** The fields that any of the facts has. */
  readonly fields: Readonly<Record<string, FieldSummary>>;
}

const kind = 'summary 1';
const textMax = 8_000; // characters of the values of a field
const hashBytes = 4;

/** What a summary is made of. */
interface Summarised {
  readonly rows: number;
  readonly runs: readonly string[];
  readonly values: Column;
}

/** The JSON of a summary. @param checksum of the line with the block */
export function summaryText(block: Summarised, checksum: string): string {
  const hashes = Uint32Array.from(block.runs, nameHash).sort();
  const names = Buffer.alloc(hashes.length * hashBytes);
  for (const [at, hash] of hashes.entries()) names.writeUInt32LE(hash, at * hashBytes);
  const columns = Object.entries(fieldsOf(block.values) ?? {});
  const fields = Object.fromEntries(
    columns.map(([key, each]) => [key, summaryOf(each, block.rows)]),
  );
  const { rows } = block;
  return JSON.stringify({ kind, block: checksum, rows, names: names.toString('base64'), fields });
}

/** The summary in JSON; undefined unless it is of the block with this checksum, and of as many facts. */
export function summaryIn(text: string, checksum: string, rows: number): BlockSummary | undefined {
  const value: unknown = JSON.parse(text);
  if (!isRecord(value) || value['kind'] !== kind || value['block'] !== checksum) return undefined;
  const { names, fields } = value;
  if (value['rows'] !== rows || typeof names !== 'string' || !areSummaries(fields))
    return undefined;
  const bytes = Buffer.from(names, 'base64');
  if (bytes.length !== rows * hashBytes) return undefined;
  const mayHave = (hash: number): boolean => hasHash(bytes, hash);
  return { rows, fields, mayHave, hashes: () => hashesIn(bytes) };
}

function summaryOf(column: Column, rows: number): FieldSummary {
  const isPartial = 'some' in column;
  const own = isPartial ? column.of : column;
  const few = fewIn(own);
  const isShort = few !== undefined && JSON.stringify(few).length <= textMax;
  const range = rangeIn(own, isPartial ? column.some.length : rows);
  return { ...(isShort ? { among: few } : range), ...(isPartial && { isPartial }) };
}

/** The hash of a run by which summaries have it. */
export function nameHash(run: string): number {
  return crc32(run);
}

/** Whether a number is among sorted ones. */
function hasHash(bytes: Buffer, hash: number): boolean {
  let [low, high] = [0, bytes.length / hashBytes - 1];
  while (low <= high) {
    const middle = (low + high) >> 1;
    const found = bytes.readUInt32LE(middle * hashBytes);
    if (found === hash) return true;
    if (found < hash) low = middle + 1;
    else high = middle - 1;
  }
  return false;
}

function hashesIn(bytes: Buffer): Uint32Array {
  const hashes = new Uint32Array(bytes.length / hashBytes);
  for (const at of hashes.keys()) hashes[at] = bytes.readUInt32LE(at * hashBytes);
  return hashes;
}

/** Whether a value is the fields of a summary; the checksum of its line proves that deskhand wrote them. */
function areSummaries(value: unknown): value is BlockSummary['fields'] {
  return isRecord(value) && Object.values(value).every(isRecord);
}
