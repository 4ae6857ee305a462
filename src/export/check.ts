/** Everything that can be held against a file's manifest: its bytes, rows, names and windows. */
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Millis } from '../base/clock.ts';
import { fieldOf, isRecord, type Json } from '../base/json.ts';
import { randomId } from '../base/random.ts';
import { realDisk, type DiskFile } from './disk.ts';
import { ExportError } from './error.ts';
import { verifyFile } from './manifest.ts';
import { rowsOfFile, readableFormats } from './read-rows.ts';
import { uniqueCheck } from './unique.ts';

export interface CheckedFile {
  /** What is not as it was written or not complete, each a sentence; none when it is whole. */
  readonly findings: readonly string[];
  /** What could not be looked at. */
  readonly unchecked: readonly string[];
  readonly manifest?: Json;
}

/** Reads the file and its manifest; changes nothing. */
export async function checkFile(path: string): Promise<CheckedFile> {
  const found = await verifyFile(path);
  if (found.kind !== 'whole') return { findings: [found.because], unchecked: [] };
  const { manifest } = found;
  const holes = holesIn(manifest);
  const format = readableFormats.find((known) => known === fieldOf(manifest, 'format'));
  if (format === undefined) {
    const unchecked = ['its rows, which only the digest vouches for in this format'];
    return { findings: holes, unchecked, manifest };
  }
  const ofRows = await rowFindings(path, format, manifest, found.rows);
  return { findings: [...ofRows, ...holes], unchecked: [], manifest };
}

async function rowFindings(
  path: string,
  format: (typeof readableFormats)[number],
  manifest: Json,
  claimed: number,
): Promise<string[]> {
  const unique = fieldOf(manifest, 'unique');
  const columns = Array.isArray(unique) ? unique.map(String) : [];
  const names = columns.length === 0 ? undefined : uniqueCheck(path, columns, makeRun);
  let rows = 0;
  try {
    for await (const row of rowsOfFile(path, format)) {
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

/** Whether the windows that were read reach from bound to bound, one beside the other. */
function holesIn(manifest: Json): string[] {
  const asked = spanIn(fieldOf(manifest, 'asked'));
  if (asked === undefined) return [];
  const windows = listIn(manifest, 'covered')
    .map(spanIn)
    .filter((span) => span !== undefined);
  const clamps = listIn(manifest, 'clamps').filter(isRecord);
  const boundOf = (bound: 'from' | 'to'): Millis => {
    const used = clamps.find((clamp) => clamp['bound'] === bound)?.['used'];
    return typeof used === 'number' ? used : asked[bound];
  };
  const [from, to] = [boundOf('from'), boundOf('to')];
  const holes: string[] = [];
  let reached = from - 1;
  for (const span of windows) {
    if (span.from > reached + 1) holes.push(hole(reached + 1, span.from - 1));
    reached = Math.max(reached, span.to);
  }
  if (reached < to) holes.push(hole(reached + 1, to));
  return holes;
}

function hole(from: Millis, to: Millis): string {
  return `nothing was read from ${isoOf(from)} to ${isoOf(to)}`;
}

function isoOf(ms: Millis): string {
  return new Date(ms).toISOString();
}

function spanIn(value: unknown): { readonly from: Millis; readonly to: Millis } | undefined {
  const [from, to] = [fieldOf(value, 'from'), fieldOf(value, 'to')];
  return isTime(from) && isTime(to) ? { from, to } : undefined;
}

const latest = 8.64e15; // ms; beyond it there is no date

function isTime(value: unknown): value is Millis {
  return typeof value === 'number' && Math.abs(value) <= latest;
}

function listIn(manifest: Json, field: string): readonly unknown[] {
  const value = fieldOf(manifest, field);
  return Array.isArray(value) ? value : [];
}

/** A file without a name, for sorting more names than memory holds. */
async function makeRun(): Promise<DiskFile> {
  const path = join(tmpdir(), `deskhand-${randomId(10)}.run`);
  const file = await realDisk.create(path);
  await realDisk.remove(path);
  return file;
}
