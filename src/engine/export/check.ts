/** All checks of a file against its manifest: its bytes, rows, unique columns and windows. */
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Millis } from '../../base/clock.ts';
import { randomId } from '../../base/random.ts';
import { isOperation } from '../../exchange/api/operations/index.ts';
import { rowId } from '../../exchange/api/row-schema.ts';
import type { Claim } from './claim.ts';
import { holesIn } from './coverage.ts';
import { realDisk, type DiskFile } from './disk.ts';
import { ExportError } from './error.ts';
import { readableFormats, rowsOfFile, type ReadableFormat } from './read-rows.ts';
import { uniqueCheck } from './unique.ts';
import { verifyFile } from './verify.ts';

export interface CheckedFile {
  /** Differences and gaps, each as a sentence; none if the file is intact. */
  readonly findings: readonly string[];
  /** Checks that could not be made, with reasons. */
  readonly unchecked: readonly string[];
  /** The contents of the file's manifest; absent if the manifest is not of this file. */
  readonly claim?: Claim;
}

/** Reads the file and its manifest; changes nothing. */
export async function checkFile(path: string): Promise<CheckedFile> {
  const found = await verifyFile(path);
  if (found.kind !== 'whole') return { findings: [found.because], unchecked: [] };
  const { claim } = found;
  const holes = gapsIn(claim);
  const format = readableFormats.find((known) => known === claim.format);
  if (format === undefined) {
    const unchecked = ['its rows, which only the digest verifies in this format'];
    return { findings: holes, unchecked, claim };
  }
  const ofRows = await rowFindings(path, format, claim);
  return { findings: [...ofRows, ...holes], unchecked: [], claim };
}

async function rowFindings(
  path: string,
  format: ReadableFormat,
  { unique, rows: claimed, csv, operation }: Claim,
): Promise<string[]> {
  const emptyIsValue = !isOwnId(unique, operation);
  const names = unique.length === 0 ? undefined : uniqueCheck(path, unique, makeRun, emptyIsValue);
  let rows = 0;
  try {
    for await (const row of rowsOfFile(path, format, csv)) {
      rows += 1;
      await names?.add(row, rows);
    }
    await names?.settle();
  } catch (error) {
    if (error instanceof ExportError) return [error.message];
    throw error;
  } finally {
    await names?.close();
  }
  return rows === claimed ? [] : [`it has ${rows} rows, its manifest says ${claimed}`];
}

/**
 * Whether columns are those by which the read itself distinguished rows; a read without an id uses all
 * fields.
 */
function isOwnId(columns: readonly string[], operation: string | undefined): boolean {
  if (operation === undefined || !isOperation(operation)) return false;
  const id = rowId(operation);
  return id.length === columns.length && id.every((field, at) => field === columns[at]);
}

/** Gaps between the windows that were read, and at the bounds. */
function gapsIn({ asked, covered, clamps }: Claim): string[] {
  if (asked === undefined) return [];
  const boundOf = (bound: 'from' | 'to'): Millis =>
    clamps.find((clamp) => clamp.bound === bound)?.used ?? asked[bound];
  const holes = holesIn({ from: boundOf('from'), to: boundOf('to') }, covered);
  return holes.map(({ from, to }) => `nothing was read from ${isoOf(from)} to ${isoOf(to)}`);
}

function isoOf(ms: Millis): string {
  return new Date(ms).toISOString();
}

/** An unnamed file, for sorting more names than fit into memory. */
async function makeRun(): Promise<DiskFile> {
  const path = join(tmpdir(), `deskhand-${randomId(10)}.run`);
  const file = await realDisk.create(path);
  await realDisk.remove(path);
  return file;
}
