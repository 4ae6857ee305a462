/** Tells whether the local journal is the file that the holder of a claim was writing. */
import { lstat } from 'node:fs/promises';
import { join } from 'node:path';
import { isRecord } from '../../base/json.ts';
import { readRegular } from '../../base/read-file.ts';
import { replaceFile } from '../../engine/journal/file.ts';
import { runFolder } from '../../engine/journal/runs.ts';

/**
 * The inode of the journal, and the nonces of the claims under which this folder appends to it. A
 * journal that was fetched, copied or restored from a backup is another file: it may lack the last
 * entries of the holder, and then only the exchange shows what was sent.
 */
interface Ownership {
  readonly inode: string;
  readonly nonces: readonly string[];
}

const pathOf = (stateDir: string, run: string): string =>
  join(runFolder(stateDir, run), 'claims.json');

/** Records that the journal of a run is written here under a claim. Durable when it resolves. */
export async function noteOwn(
  stateDir: string,
  run: string,
  nonces: readonly string[],
): Promise<void> {
  const inode = await inodeOf(stateDir, run);
  if (inode === undefined) return;
  const ownership: Ownership & { readonly version: 1 } = { version: 1, inode, nonces };
  await replaceFile(pathOf(stateDir, run), `${JSON.stringify(ownership)}\n`);
}

/** Whether the holder of a claim wrote the local journal. */
export async function isOwn(stateDir: string, run: string, nonce: string): Promise<boolean> {
  const [known, inode] = await Promise.all([ownershipOf(stateDir, run), inodeOf(stateDir, run)]);
  return known !== undefined && known.inode === inode && known.nonces.includes(nonce);
}

async function inodeOf(stateDir: string, run: string): Promise<string | undefined> {
  const path = join(runFolder(stateDir, run), 'journal.ndjson');
  const found = await lstat(path, { bigint: true }).catch(() => undefined);
  return found?.isFile() ? found.ino.toString() : undefined;
}

/** The recorded ownership of a run's journal; undefined if the file is unreadable. */
async function ownershipOf(stateDir: string, run: string): Promise<Ownership | undefined> {
  let value: unknown;
  try {
    value = JSON.parse((await readRegular(pathOf(stateDir, run))).toString('utf8'));
  } catch {
    return undefined;
  }
  if (!isRecord(value) || value['version'] !== 1) return undefined;
  const { inode, nonces } = value;
  return typeof inode === 'string' && isTexts(nonces) ? { inode, nonces } : undefined;
}

function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((each) => typeof each === 'string');
}
