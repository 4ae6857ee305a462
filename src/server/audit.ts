/** The audit log: who wrote what, when, and from where. A line is on the disk before the write is
 * carried out, and another one says how it ended. Lines are only added.
 */
import { dirname, join } from 'node:path';
import { isCode } from '../base/error.ts';
import { isRecord } from '../base/json.ts';
import { randomId } from '../base/random.ts';
import { readRegular } from '../base/read-file.ts';
import { plainText } from '../base/text.ts';
import type { Clock, Millis } from '../base/clock.ts';
import { makeFolder, openAppendFile } from '../journal/file.ts';

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
      /** Of the line before the write. */
      readonly id: string;
      readonly at: Millis;
      /** HTTP status. */
      readonly status: number;
      /** Why it was refused; empty if it was done. */
      readonly result: string;
    };

export interface Asked {
  readonly who: string;
  /** Address and browser. */
  readonly from: string;
  readonly what: string;
}

export interface Audit {
  /** @returns the id of the line @throws DiskError; then nothing is carried out */
  asked(asked: Asked): Promise<string>;
  answered(id: string, status: number, result: string): Promise<void>;
}

/** Beside the sessions, in the state folder. */
export function auditPath(stateDir: string): string {
  return join(stateDir, 'serve', 'audit.ndjson');
}

export function openAudit(stateDir: string, clock: Clock): Audit {
  const path = auditPath(stateDir);
  let last: Promise<unknown> = Promise.resolve();
  const append = (line: AuditLine): Promise<void> => {
    const next = last.then(async () => {
      await makeFolder(dirname(path));
      const file = await openAppendFile(path);
      try {
        await file.write(`${JSON.stringify(line)}\n`);
        await file.sync();
      } finally {
        await file.close();
      }
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

/** A write, and how it ended: absent if the server ended before. */
export interface AuditRow extends Asked {
  readonly at: number;
  readonly status?: number;
  readonly result?: string;
}

/** Oldest first; a line that cannot be read is counted. */
export async function readAudit(
  stateDir: string,
): Promise<{ readonly rows: readonly AuditRow[]; readonly damaged: number }> {
  const rows = new Map<string, AuditRow>();
  let damaged = 0;
  for (const line of (await textOf(auditPath(stateDir))).split('\n')) {
    if (line === '') continue;
    const value = lineIn(line);
    const before = value === undefined ? undefined : rows.get(value.id);
    if (value?.kind === 'asked') {
      const { id, at, who, from, what } = value;
      rows.set(id, { at, who, from, what });
    } else if (value !== undefined && before !== undefined) {
      rows.set(value.id, { ...before, status: value.status, result: value.result });
    } else damaged += 1;
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
