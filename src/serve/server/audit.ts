/** The audit log: the person, time and address of each write. A line is on the disk before the write
 * is carried out, and another one says how it ended. Lines are only added; a full file is renamed, and
 * the oldest files are removed.
 */
import { lstat, readdir, unlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { isCode } from '../../base/error.ts';
import { isRecord } from '../../base/json.ts';
import { randomId } from '../../base/random.ts';
import { readRegular } from '../../base/read-file.ts';
import { plainText } from '../../base/text.ts';
import type { Clock, Millis } from '../../base/clock.ts';
import { renameFile } from '../../base/platform/rename.ts';
import { DiskError } from '../../engine/journal/file.ts';
import { stateFiles } from '../../app/schedule/state-files.ts';

type AuditLine =
  | (Asked & {
      readonly version: 1;
      readonly kind: 'asked';
      readonly id: string;
      readonly at: Millis;
    })
  | {
      readonly version: 1;
      readonly kind: 'answered';
      /** The id of the line that was written before the write. */
      readonly id: string;
      readonly at: Millis;
      /** The HTTP status of the answer. */
      readonly status: number;
      /** The reason of a refusal; empty if the write was done. */
      readonly result: string;
    };

export interface Asked {
  readonly who: string;
  /** The address and browser of the client. */
  readonly from: string;
  readonly what: string;
}

export interface Audit {
  /**
   * Records a request. @returns the id of the line @throws DiskError; then nothing is carried out
   */
  asked(asked: Asked): Promise<string>;
  answered(id: string, status: number, result: string): Promise<void>;
}

/** The path of the audit log, beside the sessions in the state folder. */
export function auditPath(stateDir: string): string {
  return join(stateDir, 'serve', 'audit.ndjson');
}

/** Limits of how much of the log is kept. */
export interface AuditLimits {
  /** The number of bytes of a file, after which the next one begins. */
  readonly file: number;
  /** The number of full files that are kept. */
  readonly files: number;
}

const usualLimits: AuditLimits = { file: 8 * 1024 * 1024, files: 9 }; // 80 MiB: some 100,000 actions

export function openAudit(
  stateDir: string,
  clock: Clock,
  limits: AuditLimits = usualLimits,
): Audit {
  const path = auditPath(stateDir);
  let last: Promise<unknown> = Promise.resolve();
  const append = (line: AuditLine): Promise<void> => {
    const next = last.then(async () => {
      await rotate(path, clock, limits);
      await stateFiles.append(path, JSON.stringify(line)).catch(throwCause);
    });
    last = next.catch(() => undefined);
    return next;
  };
  return {
    asked: async ({ who, from, what }) => {
      const id = randomId(12);
      await append({
        version: 1,
        kind: 'asked',
        id,
        at: clock.now(),
        who: plainText(who, 100),
        from: plainText(from, 200),
        what: plainText(what, 500),
      });
      return id;
    },
    answered: (id, status, result) =>
      append({
        version: 1,
        kind: 'answered',
        id,
        at: clock.now(),
        status,
        result: plainText(result, 300),
      }),
  };
}

/** Throws the error of the system: the terminal shows it, and the page shows no path. */
function throwCause(error: unknown): never {
  throw error instanceof DiskError ? error.cause : error;
}

/**
 * The name of a full file, as `audit-20261121T021500.000Z-5b0c3f1d.ndjson`: sorts chronologically.
 */
const fullName = /^audit-\d{8}T\d{6}\.\d{3}Z-[0-9a-z]+\.ndjson$/;

/**
 * Starts a new file. Another server of this folder may do the same: then a file is shorter than it
 * could be.
 */
async function rotate(path: string, clock: Clock, { file, files }: AuditLimits): Promise<void> {
  const found = await lstat(path).catch(undefinedWhenMissing);
  if (found === undefined || !found.isFile() || found.size < file) return;
  const folder = dirname(path);
  const at = new Date(clock.now()).toISOString().replaceAll(/[-:]/g, '');
  await renameFile(path, join(folder, `audit-${at}-${randomId(8)}.ndjson`)).catch(
    undefinedWhenMissing,
  );
  const full = await fullFiles(folder);
  for (const name of full.slice(0, Math.max(0, full.length - files))) {
    await unlink(join(folder, name)).catch(undefinedWhenMissing);
  }
}

/** The full files, oldest first. */
async function fullFiles(folder: string): Promise<readonly string[]> {
  const names = (await readdir(folder).catch(undefinedWhenMissing)) ?? [];
  return names.filter((name) => fullName.test(name)).toSorted();
}

function undefinedWhenMissing(error: unknown): undefined {
  if (isCode(error, 'ENOENT')) return undefined;
  throw error;
}

/** A write and its outcome, which is absent if the server ended before. */
export interface AuditRow extends Asked {
  readonly at: number;
  readonly status?: number;
  readonly result?: string;
}

/** The entries of all files that are kept, oldest first; a line that cannot be read is counted. */
export async function readAudit(
  stateDir: string,
): Promise<{ readonly rows: readonly AuditRow[]; readonly damaged: number }> {
  const rows = new Map<string, AuditRow>();
  let damaged = 0;
  const path = auditPath(stateDir);
  const folder = dirname(path);
  const newest = await textOf(path); // first: if it is renamed meanwhile, a full file begins with it
  const full = await fullFiles(folder);
  const texts = await Promise.all(full.map((name) => textOf(join(folder, name))));
  // A line has a random id, so one whole line shows which file it is. Part of a line does not.
  const isAmongFull = newest.includes('\n') && texts.some((each) => each.startsWith(newest));
  if (!isAmongFull) texts.push(newest);
  for (const line of texts.join('\n').split('\n')) {
    if (line === '') continue;
    const value = lineIn(line);
    const before = value === undefined ? undefined : rows.get(value.id);
    if (value?.kind === 'asked') {
      const { id, at, who, from, what } = value;
      rows.set(id, { at, who, from, what });
    } else if (value !== undefined && before !== undefined) {
      rows.set(value.id, { ...before, status: value.status, result: value.result });
    } else if (value === undefined || full.length === 0) damaged += 1; // not the end of what was removed
  }
  return { rows: [...rows.values()], damaged };
}

async function textOf(path: string): Promise<string> {
  try {
    return (await readRegular(path, Infinity)).toString('utf8');
  } catch (error) {
    if (isCode(error, 'ENOENT')) return '';
    throw error;
  }
}

function lineIn(line: string): AuditLine | undefined {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    return undefined;
  }
  if (!isRecord(value) || value['version'] !== 1) return undefined;
  const { kind, id, at, who, from, what, status, result } = value;
  if (typeof id !== 'string' || typeof at !== 'number') return undefined;
  const common = { version: 1, id, at } as const;
  if (kind === 'asked' && isText(who) && isText(from) && isText(what)) {
    return { ...common, kind, who, from, what };
  }
  if (kind !== 'answered' || typeof status !== 'number' || !isText(result)) return undefined;
  return { ...common, kind, status, result };
}

function isText(value: unknown): value is string {
  return typeof value === 'string';
}
