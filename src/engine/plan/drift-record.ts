/** The result of the last `drift` of each playbook and account, kept on this machine for its pages. */
import { join } from 'node:path';
import { isCode } from '../../base/error.ts';
import { isRecord } from '../../base/json.ts';
import { readRegular } from '../../base/read-file.ts';
import { makeFolder, replaceFile } from '../journal/file.ts';
import { shapeCheck } from '../../exchange/api/check.ts';
import { integer, optional, record, text, type Infer } from '../../exchange/api/schema.ts';

const driftRecord = record({
  playbook: text(),
  file: text(),
  profile: text(),
  at: integer(),
  /** The number of orders that were compared; `differences` counts those that differ. */
  compared: integer(),
  differences: integer(),
  /** The number of differences that are writes in doubt, which their runs report, too. */
  inDoubt: optional(integer()),
});

export type DriftRecord = Infer<typeof driftRecord>;

const isDriftRecord = shapeCheck(driftRecord);

const keptMax = 500; // results; the oldest are removed

/** Newest first; none when the file is missing or damaged: `drift` writes it again. */
export async function driftRecords(stateDir: string): Promise<readonly DriftRecord[]> {
  let value: unknown;
  try {
    value = JSON.parse((await readRegular(pathIn(stateDir))).toString('utf8'));
  } catch (error) {
    if (isCode(error, 'ENOENT') || error instanceof SyntaxError) return [];
    throw error;
  }
  const rows = isRecord(value) && value['version'] === 1 ? value['results'] : undefined;
  return Array.isArray(rows) ? rows.filter(isDriftRecord) : [];
}

/** Replaces the earlier results of the same playbooks and accounts. */
export async function keepDrifts(stateDir: string, results: readonly DriftRecord[]): Promise<void> {
  const isNew = ({ playbook, profile }: DriftRecord): boolean =>
    results.some((each) => each.playbook === playbook && each.profile === profile);
  const others = (await driftRecords(stateDir)).filter((each) => !isNew(each));
  await makeFolder(stateDir);
  const kept = [...results, ...others].slice(0, keptMax);
  await replaceFile(pathIn(stateDir), `${JSON.stringify({ version: 1, results: kept })}\n`);
}

function pathIn(stateDir: string): string {
  return join(stateDir, 'drift.json');
}
