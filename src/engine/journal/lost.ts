/** The writes that a lost machine may have sent in a fetched run, until someone continues the run. */
import { join } from 'node:path';
import { isCode } from '../../base/error.ts';
import { readableJson } from '../../base/json.ts';
import { readRegular } from '../../base/read-file.ts';
import type { Entry } from './entry.ts';
import { JournalError } from './error.ts';
import { replaceFile } from './file.ts';
import { takenOver, type Lost } from './possible.ts';
import { runFolder } from './runs.ts';
import { shapeCheck } from '../../exchange/api/check.ts';
import { exactly, integer, record, text } from '../../exchange/api/schema.ts';

/** The note about another machine that has a run, or had it and did not report its end. */
export type LostNote = 'lost.json' | 'handover.json';

export async function writeLost(
  stateDir: string,
  run: string,
  name: LostNote,
  { host, since, until }: Lost,
): Promise<void> {
  const text = readableJson({ version: 1, host, since, until });
  await replaceFile(join(runFolder(stateDir, run), name), text);
}

/**
 * Reads the note about a lost machine; undefined if there is none.
 * @throws JournalError when it cannot be read
 */
export async function readLost(
  stateDir: string,
  run: string,
  name: LostNote,
): Promise<Lost | undefined> {
  const path = join(runFolder(stateDir, run), name);
  let value: unknown;
  try {
    value = JSON.parse((await readRegular(path)).toString('utf8'));
  } catch (error) {
    if (isCode(error, 'ENOENT')) return undefined;
    throw new JournalError(`${path} cannot be read`, error);
  }
  if (!isLost(value)) throw new JournalError(`${path} is damaged`);
  return value;
}

/**
 * The entries of a fetched run, with an intent for each write that its machine may have sent since.
 * @throws JournalError when the note cannot be read
 */
export async function withLost(
  stateDir: string,
  run: string,
  entries: readonly Entry[],
): Promise<readonly Entry[]> {
  const last = entries.at(-1);
  if (last === undefined || last.kind === 'finished') return entries;
  const lost = await readLost(stateDir, run, 'lost.json');
  if (lost === undefined) return entries;
  if (entries.some((entry) => entry.kind === 'taken-over' && entry.until >= lost.until)) {
    return entries;
  }
  const { at, seq } = last;
  const intents = takenOver(entries, lost).filter(({ kind }) => kind === 'intended');
  return [...entries, ...intents.map((intent, index) => ({ ...intent, at, seq: seq + 1 + index }))];
}

const moment = integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER });
const isLost = shapeCheck(
  record({ version: exactly(1), host: text(), since: moment, until: moment }),
);
