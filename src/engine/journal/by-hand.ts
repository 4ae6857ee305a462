/** Writes that a person sent by hand and that set a state of an account: no run knows their effect. */
import { lstatSync } from 'node:fs';
import { join } from 'node:path';
import { readFoundSync } from '../../base/read-file.ts';
import { JournalError } from './error.ts';
import { DiskError, makeFolder, openAppendFile } from './file.ts';
import { frame, unframe } from './record.ts';
import { shapeCheck } from '../../exchange/api/check.ts';
import { anything, named, record, type Infer } from '../../exchange/api/schema.ts';
import { destinationSchema, millis, operationName } from './shared-schema.ts';

const handWrite = record({
  at: millis('When the write was signed, by the exchange’s clock'),
  destination: destinationSchema,
  operation: operationName,
  input: named(anything),
});

export type HandWrite = Infer<typeof handWrite>;

const isHandWrite = shapeCheck(handWrite);

/** Records a write before it is sent, because no run knows its outcome. @throws DiskError */
export async function recordByHand(stateDir: string, write: HandWrite): Promise<void> {
  const path = pathIn(stateDir);
  await makeFolder(stateDir);
  try {
    const file = await openAppendFile(path);
    try {
      await file.write(frame(JSON.stringify(write)));
      await file.sync();
    } finally {
      await file.close();
    }
  } catch (error) {
    throw new DiskError(`cannot write ${path}; nothing was sent`, error);
  }
}

/** All that this machine sent by hand, oldest first. @throws JournalError for a damaged file */
export function readByHand(stateDir: string): readonly HandWrite[] {
  const path = pathIn(stateDir);
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (found === undefined) return [];
  const lines = readFoundSync(path, found, Infinity).split('\n');
  // Without its end a line was not complete when its write would have been sent.
  return lines.slice(0, -1).map((line, at) => writeIn(line, `${path}:${at + 1}`));
}

function writeIn(line: string, place: string): HandWrite {
  const value = valueIn(line);
  if (!isHandWrite(value)) {
    throw new JournalError(`${place} is damaged: it names a write that was sent by hand`);
  }
  return value;
}

function valueIn(line: string): unknown {
  try {
    return JSON.parse(unframe(line));
  } catch {
    return undefined;
  }
}

function pathIn(stateDir: string): string {
  return join(stateDir, 'by-hand.ndjson');
}
