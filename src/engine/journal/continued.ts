/** The names of runs whose files this program changed after they were begun: a run that continues, or
 * that a store replaced, is named before its files change, and the name is on the disk. A command that has
 * looked at all files of ended runs looks a moment later only at those of runs that are named here; beside
 * tens of thousands of runs, for an hour (looked.ts).
 */
import { closeSync, constants, fdatasyncSync, fstatSync, openSync, writeSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { isCode } from '../../base/error.ts';
import { syncFolder } from '../../base/platform/folder-sync.ts';
import { readRegularSync } from '../../base/read-file.ts';
import { DiskError } from './file.ts';

/** @throws DiskError */
export async function noteContinued(stateDir: string, run: string): Promise<void> {
  if (continuedIn(stateDir)?.has(run) === true) return;
  const path = continuedPath(stateDir);
  try {
    append(path, `\n${run}\n`);
    await syncFolder(dirname(path));
  } catch (error) {
    throw new DiskError(`cannot write ${path}`, error);
  }
}

/** Creates the file of the names, if it can be written. */
export function beginContinued(stateDir: string): void {
  try {
    append(continuedPath(stateDir), '');
  } catch {
    // The record that needs it is not written, then.
  }
}

/** The names that were noted; undefined if they cannot be read. */
export function continuedIn(stateDir: string): ReadonlySet<string> | undefined {
  try {
    const text = readRegularSync(continuedPath(stateDir), Infinity).toString('utf8');
    return new Set(text.split('\n'));
  } catch (error) {
    return isCode(error, 'ENOENT') ? new Set() : undefined;
  }
}

export function continuedPath(stateDir: string): string {
  return join(stateDir, 'continued');
}

function append(path: string, text: string): void {
  const flags = constants.O_WRONLY | constants.O_APPEND | constants.O_CREAT;
  const never = (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0); // a link, or a pipe without a reader
  const descriptor = openSync(path, flags | never, 0o600);
  try {
    if (!fstatSync(descriptor).isFile()) throw new Error(`${path} is not a file`);
    if (text === '') return;
    writeSync(descriptor, text);
    fdatasyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}
