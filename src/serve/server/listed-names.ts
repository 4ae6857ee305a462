/** The names of all runs as the last server knew them: those that the catalogue does not have, and those that only
 * the catalogue has. They count while the file system shows no change of the folders of runs, so that a server
 * beside a hundred thousand runs need not list them before its first page.
 */
import { lstatSync } from 'node:fs';
import { join } from 'node:path';
import { systemClock, type Millis } from '../../base/clock.ts';
import { isRecord } from '../../base/json.ts';
import { thisSystem } from '../../base/platform/system.ts';
import { readRegularSync } from '../../base/read-file.ts';
import { replaceDerived } from '../../engine/journal/file.ts';
import { frame, unframe } from '../../engine/journal/record.ts';

export interface ListedNames {
  /** Runs that the catalogue does not have. */
  readonly others: readonly string[];
  /** Runs that the catalogue has, and that are not there any more. */
  readonly gone: readonly string[];
}

const namesMax = 10_000; // with more, all are listed
const bytesMax = 2_000_000;
const granularity: Millis = 2_000; // the coarsest times of a file system are so far apart

/** The names that the last server noted; undefined if all must be listed. @param folders their present stamps */
export function listedNames(stateDir: string, folders: string): ListedNames | undefined {
  try {
    const text = readRegularSync(pathIn(stateDir), bytesMax).toString('utf8');
    const value: unknown = JSON.parse(unframe(text.trimEnd()));
    if (!isRecord(value) || value['version'] !== 1 || value['folders'] !== folders)
      return undefined;
    const { others, gone } = value;
    return areNames(others) && areNames(gone) ? { others, gone } : undefined;
  } catch {
    return undefined;
  }
}

/** Notes the names, if folders that change from now on get other stamps. @param paths of the folders */
export function noteListed(
  stateDir: string,
  paths: readonly string[],
  folders: string,
  names: ListedNames,
): void {
  if (thisSystem === 'win32' || names.others.length + names.gone.length > namesMax) return;
  const now = systemClock.now();
  const times = paths.map((path) => lstatSync(path, { throwIfNoEntry: false })?.ctimeMs);
  if (!times.every((at) => at !== undefined && now - at > granularity)) return;
  const value = { version: 1, folders, ...names };
  replaceDerived(pathIn(stateDir), () => frame(JSON.stringify(value)));
}

function pathIn(stateDir: string): string {
  return join(stateDir, 'listed');
}

function areNames(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((each) => typeof each === 'string');
}
