/** The file of a journal: a regular file in the folder of its run, under one name. */
import { lstat } from 'node:fs/promises';
import { readRegular } from '../../base/read-file.ts';
import { JournalError } from './error.ts';

/** Refuses what is not a file of this folder: a link may lead to someone else's journal. */
async function refuseNoFile(path: string): Promise<void> {
  const found = await lstat(path).catch(() => undefined);
  if (found === undefined) throw new JournalError(`file not found: ${path}`);
  if (found.isSymbolicLink()) throw new JournalError(`${path} is a link, not a journal`);
  if (!found.isFile()) throw new JournalError(`${path} is not a file`);
}

/** Refuses a file with several hard links: a write to one changes all. @throws JournalError */
export async function refuseSecondName(path: string): Promise<void> {
  const { nlink } = await lstat(path);
  if (nlink <= 1) return;
  throw new JournalError(
    `${path} is a file with ${nlink} names (hard links): a new entry would appear under all of them`,
    undefined,
    'give it its own file: copy it, and rename the copy to its name',
  );
}

export async function readJournalText(path: string, run: string): Promise<string> {
  await refuseNoFile(path);
  try {
    return (await readRegular(path, Infinity)).toString('utf8');
  } catch (error) {
    throw new JournalError(`the journal of ${run} cannot be read: ${path}`, error);
  }
}
