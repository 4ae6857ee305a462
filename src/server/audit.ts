/** The audit log: who wrote what, when, and from where. A line is on the disk before the write is
 * carried out, and another one says how it ended. Lines are only added.
 */
import { dirname, join } from 'node:path';
import { schemaProblems } from '../api/check.ts';
import { choice, integer, oneOf, record, text, type Infer } from '../api/schema.ts';
import { isCode } from '../base/error.ts';
import { isRecord } from '../base/json.ts';
import { randomId } from '../base/random.ts';
import { readRegular } from '../base/read-file.ts';
import { plainText } from '../base/text.ts';
import type { Clock } from '../base/clock.ts';
import { makeFolder, openAppendFile } from '../journal/file.ts';
import { moment } from './shapes.ts';

const asked = record({
  version: integer(),
  kind: choice(['asked']),
  id: text(),
  at: moment('By the machine’s clock'),
  who: text(),
  from: text({ description: 'Address and browser' }),
  what: text(),
});

const answered = record({
  version: integer(),
  kind: choice(['answered']),
  id: text({ description: 'Of the line before the write' }),
  at: moment('By the machine’s clock'),
  status: integer({ description: 'HTTP status' }),
  result: text({ description: 'Why it was refused; empty if it was done' }),
});

export const auditLine = oneOf(asked, answered);
export type AuditLine = Infer<typeof auditLine>;

export interface Asked {
  readonly who: string;
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
  return schemaProblems(auditLine.json, value).length === 0 ? (value as AuditLine) : undefined;
}
