/** A run that a person released: another process may have continued it without reporting. */
import { join } from 'node:path';
import type { Millis } from '../base/clock.ts';
import { isCode } from '../base/error.ts';
import { isRecord, readableJson } from '../base/json.ts';
import { readRegular } from '../base/read-file.ts';
import { replaceFile } from '../journal/file.ts';
import { JournalError } from '../journal/error.ts';
import { runFolder } from '../journal/runs.ts';
import type { Opened, Unreported } from './store.ts';

const nameOf = (stateDir: string, run: string): string =>
  join(runFolder(stateDir, run), 'handover.json');

/** Records that a process may have signed writes of a run that the local journal lacks. */
export async function noteHandover(
  stateDir: string,
  run: string,
  { host, since, until }: Unreported,
): Promise<void> {
  const text = readableJson({ version: 1, host, since, until });
  await replaceFile(nameOf(stateDir, run), text);
}

/** Opens a journal; one that was released records that first. */
export async function withHandover(stateDir: string, run: string, opened: Opened): Promise<Opened> {
  const noted = await handoverOf(stateDir, run);
  return noted === undefined ? opened : takenOver(opened, noted);
}

/** The same for one release; it is recorded once. */
export async function takenOver(
  { journal, entries }: Opened,
  { host, since, until }: Unreported,
): Promise<Opened> {
  const isKnown = entries.some((entry) => entry.kind === 'taken-over' && entry.until === until);
  if (isKnown) return { journal, entries };
  const entry = await journal.append({ kind: 'taken-over', host, since, until });
  return { journal, entries: [...entries, entry] };
}

async function handoverOf(stateDir: string, run: string): Promise<Unreported | undefined> {
  const path = nameOf(stateDir, run);
  let value: unknown;
  try {
    value = JSON.parse((await readRegular(path)).toString('utf8'));
  } catch (error) {
    if (isCode(error, 'ENOENT')) return undefined;
    throw new JournalError(`${path} cannot be read`, error);
  }
  if (!isHandover(value)) throw new JournalError(`${path} is damaged`);
  return value;
}

function isHandover(value: unknown): value is Unreported {
  return (
    isRecord(value) &&
    value['version'] === 1 &&
    typeof value['host'] === 'string' &&
    isMoment(value['since']) &&
    isMoment(value['until'])
  );
}

function isMoment(value: unknown): value is Millis {
  return Number.isSafeInteger(value) && Number(value) >= 0;
}
