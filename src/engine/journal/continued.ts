/** The names of runs whose files this program changed after they were begun: a run that continues, or
 * that a store replaced, is named before its files change. A command that has looked at all files of
 * ended runs looks a moment later only at those of runs that are named here.
 */
import { join } from 'node:path';
import { isCode } from '../../base/error.ts';
import { readRegularSync } from '../../base/read-file.ts';
import { appendDerived, DiskError } from './file.ts';

/** @throws DiskError */
export function noteContinued(stateDir: string, run: string): void {
  if (continuedIn(stateDir)?.has(run) === true) return;
  const path = pathIn(stateDir);
  if (!appendDerived(path, () => `${run}\n`)) {
    throw new DiskError(`cannot write ${path}`, undefined);
  }
}

/** The names that were noted; undefined if they cannot be read. */
export function continuedIn(stateDir: string): ReadonlySet<string> | undefined {
  try {
    return new Set(readRegularSync(pathIn(stateDir), Infinity).toString('utf8').split('\n'));
  } catch (error) {
    return isCode(error, 'ENOENT') ? new Set() : undefined;
  }
}

function pathIn(stateDir: string): string {
  return join(stateDir, 'continued');
}
