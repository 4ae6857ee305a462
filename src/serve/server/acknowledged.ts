/** Needs that a person acknowledged with a reason, in files named by their digests: several servers may share
 * a state folder. What is acknowledged is one state of one cause: when it changes, it needs a person again.
 */
import { readdir, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { day, type Millis } from '../../base/clock.ts';
import { isCode } from '../../base/error.ts';
import { isRecord, sha256 } from '../../base/json.ts';
import { readRegular } from '../../base/read-file.ts';
import { makeFolder, replaceFile } from '../../engine/journal/file.ts';

export interface Acknowledgement {
  readonly who: string;
  readonly at: Millis;
  readonly reason: string;
}

/** The acknowledgement of a cause; undefined if there is none, or its file is damaged. */
export async function acknowledgedIn(
  stateDir: string,
  cause: string,
): Promise<Acknowledgement | undefined> {
  let value: unknown;
  try {
    value = JSON.parse(
      (await readRegular(join(folderIn(stateDir), nameOf(cause)))).toString('utf8'),
    );
  } catch (error) {
    if (isCode(error, 'ENOENT') || error instanceof SyntaxError) return undefined;
    throw error;
  }
  if (!isRecord(value) || value['version'] !== 1) return undefined;
  const { who, at, reason } = value;
  if (typeof who !== 'string' || typeof at !== 'number' || typeof reason !== 'string')
    return undefined;
  return { who, at, reason };
}

const keptFor: Millis = 365 * day;

/** Records an acknowledgement, and removes those of a year ago. @throws DiskError */
export async function acknowledge(
  stateDir: string,
  cause: string,
  said: Acknowledgement,
): Promise<void> {
  const folder = folderIn(stateDir);
  await makeFolder(folder);
  await replaceFile(
    join(folder, nameOf(cause)),
    `${JSON.stringify({ version: 1, cause, ...said })}\n`,
  );
  await sweep(folder, said.at - keptFor);
}

async function sweep(folder: string, before: Millis): Promise<void> {
  const names = await readdir(folder);
  if (names.length < sweptFrom) return;
  for (const name of names) {
    const path = join(folder, name);
    const text = await readRegular(path).then(String, () => '');
    const at = Number(/"at":(\d+)/.exec(text)?.[1] ?? before);
    if (at >= before) continue;
    await unlink(path).catch((error: unknown) => {
      if (!isCode(error, 'ENOENT')) throw error;
    });
  }
}

const sweptFrom = 1_000; // files

function folderIn(stateDir: string): string {
  return join(stateDir, 'serve', 'acknowledged');
}

function nameOf(cause: string): string {
  return `${sha256(cause).slice(0, 40)}.json`;
}
