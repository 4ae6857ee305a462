/**
 * What support code removes after tests. Its modules are loaded once and serve many files of tests,
 * while a hook of Vitest holds for the file that loads it: so the setup file runs what is listed here.
 */
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

type Work = () => unknown;

const [afterTests, afterFiles]: [Work[], Work[]] = [[], []];

export const afterEachTest = (work: Work): unknown => afterTests.push(work);
export const afterEachFile = (work: Work): unknown => afterFiles.push(work);

let underWay = 0;
export const begun = (): unknown => (underWay += 1);

/** Of tests that run next to each other, the last one to end cleans up. */
export async function ended(): Promise<void> {
  underWay -= 1;
  if (underWay === 0) await runLastFirst(afterTests);
}

export const cleanFile = (): Promise<void> => runLastFirst(afterFiles);

/** What was opened later is closed first. */
async function runLastFirst(works: readonly Work[]): Promise<void> {
  for (const work of works.toReversed()) await work();
}

/** A folder for what several tests of a file share: made at the first call in each file. */
export function folderOfFile(prefix: string): () => string {
  let folder: string | undefined;
  afterEachFile(() => (folder = undefined)); // it goes with the temporary folder of the file
  return () => (folder ??= mkdtempSync(join(tmpdir(), prefix)));
}
