/** Runs whose damaged record a person set aside: kept, and no longer counted. */
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { renameFile } from '../../base/platform/rename.ts';
import { isCode } from '../../base/error.ts';
import { readableJson } from '../../base/json.ts';
import { plainText } from '../../base/text.ts';
import { readRegular } from '../../base/read-file.ts';
import { makeFolder, replaceFile } from './file.ts';
import { syncFolder } from '../../base/platform/folder-sync.ts';
import { markPath } from './high-water.ts';
import { record, text, type Infer } from '../../exchange/api/schema.ts';
import { millis } from './shared-schema.ts';
import { shapeCheck } from '../../exchange/api/check.ts';

/** A person's statement that a run's record no longer counts. */
export const setAsideSchema = record({
  run: text(),
  who: text(),
  at: millis('When'),
  comment: text(),
  /** The problem of the journal. */
  because: text(),
});

export type SetAside = Infer<typeof setAsideSchema>;

const isSetAside = shapeCheck(setAsideSchema);

/**
 * Moves the files of a run away. The note is written first: a plan whose run is noted never runs
 * again.
 * @returns the new location
 */
export async function setAside(stateDir: string, word: SetAside): Promise<string> {
  const all = join(folderIn(stateDir), word.run);
  const earlier = await namesIn(all);
  const place = join(all, String(earlier.length + 1));
  for (const each of [folderIn(stateDir), all, place]) await makeFolder(each);
  await replaceFile(join(place, noteName), readableJson({ version: 1, ...word }));
  const folder = join(stateDir, 'runs', word.run);
  const mark = markPath(stateDir, word.run);
  for (const [from, to] of [
    [folder, join(place, 'run')],
    [mark, join(place, 'mark')],
  ] as const) {
    await renameFile(from, to).catch(ignoreMissing);
  }
  await syncFolder(place);
  await syncFolder(join(stateDir, 'runs')).catch(ignoreMissing);
  await syncFolder(join(stateDir, 'high-water')).catch(ignoreMissing);
  return place;
}

/** The newest note of a run; undefined if it was never set aside. */
export async function noteOf(stateDir: string, run: string): Promise<SetAside | undefined> {
  const all = join(folderIn(stateDir), run);
  const [newest] = (await namesIn(all)).toSorted((a, b) => Number(b) - Number(a));
  if (newest === undefined) return undefined;
  const bytes = await readRegular(join(all, newest, noteName)).catch(ignoreMissing);
  const text = bytes?.toString('utf8');
  return noteIn(text ?? '') ?? { run, who: '', at: 0, comment: '', because: 'its note is damaged' };
}

/** All runs that were set aside. */
export async function setAsideRuns(stateDir: string): Promise<readonly SetAside[]> {
  const notes = await Promise.all(
    (await namesIn(folderIn(stateDir))).toSorted().map((run) => noteOf(stateDir, run)),
  );
  return notes.filter((note) => note !== undefined);
}

export function noteWords({ run, who, at, comment }: SetAside): string {
  const when = new Date(at).toISOString().slice(0, 10);
  return `run ${run} was set aside by ${plainText(who, 60)} on ${when}: ${plainText(comment)}`;
}

const noteName = 'note.json';

function folderIn(stateDir: string): string {
  return join(stateDir, 'set-aside');
}

async function namesIn(folder: string): Promise<readonly string[]> {
  return (await readdir(folder).catch(ignoreMissing)) ?? [];
}

function noteIn(text: string): SetAside | undefined {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined; // the run still counts as set aside
  }
  return isSetAside(value) ? value : undefined;
}

function ignoreMissing(error: unknown): undefined {
  if (isCode(error, 'ENOENT') || isCode(error, 'ENOTDIR')) return undefined;
  throw error;
}
