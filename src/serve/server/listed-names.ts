/** The names of all runs as the last server knew them: those that the catalogue does not have, and those that only
 * the catalogue has. They count while the file system shows no change of the folders of runs, so that a server
 * beside a hundred thousand runs need not list them before its first page, nor look for links in them.
 */
import { lstatSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { systemClock, type Millis } from '../../base/clock.ts';
import { isRecord } from '../../base/json.ts';
import { thisSystem } from '../../base/platform/system.ts';
import { readRegularSync } from '../../base/read-file.ts';
import { replaceDerived } from '../../engine/journal/file.ts';
import { frame, unframe } from '../../engine/journal/record.ts';
import { folderStamp } from './folder-stamp.ts';

export interface ListedNames {
  /** Runs that the catalogue does not have. */
  readonly others: readonly string[];
  /** Runs that the catalogue has, and that are not there any more. */
  readonly gone: readonly string[];
  /** The number of all runs: with fewer, the catalogue lost some. */
  readonly count: number;
}

const namesMax = 10_000; // with more, all are listed
const bytesMax = 2_000_000;
const granularity: Millis = 2_000; // the coarsest times of a file system are so far apart

/** The identity and times of the folders of runs, which change with the names in them. */
export function foldersStamp(stateDir: string): string {
  return foldersIn(stateDir).map(folderStamp).join('');
}

/** The names that the last server noted; undefined if all must be listed. @param folders their present stamps */
export function listedNames(stateDir: string, folders: string): ListedNames | undefined {
  try {
    const text = readRegularSync(pathIn(stateDir), bytesMax).toString('utf8');
    const value: unknown = JSON.parse(unframe(text.trimEnd()));
    if (!isRecord(value) || value['version'] !== version || value['folders'] !== folders)
      return undefined;
    const { others, gone, count } = value;
    if (!areNames(others) || !areNames(gone) || typeof count !== 'number') return undefined;
    return { others, gone, count };
  } catch {
    return undefined;
  }
}

/** The folders in which the last server found no link, and that have not changed since. */
export function foldersWithoutLinks(stateDir: string): ReadonlySet<string> {
  const isSame = listedNames(stateDir, foldersStamp(stateDir)) !== undefined;
  return new Set(isSame ? foldersIn(stateDir) : []);
}

/**
 * Notes the names, if folders that change from now on get other stamps, and have no links.
 * @param folders their stamps when they were listed
 */
export function noteListed(stateDir: string, folders: string, names: ListedNames): void {
  if (thisSystem === 'win32' || names.others.length + names.gone.length > namesMax) return;
  const now = systemClock.now();
  const paths = foldersIn(stateDir);
  const times = paths.map((path) => lstatSync(path, { throwIfNoEntry: false })?.ctimeMs);
  if (!times.every((at) => at !== undefined && now - at > granularity)) return;
  if (foldersStamp(stateDir) !== folders || paths.some(hasLink)) return;
  const value = { version, folders, ...names };
  replaceDerived(pathIn(stateDir), () => frame(JSON.stringify(value)));
}

const version = 3; // the first did not say that the folders have no links, the second not how many runs there are

function foldersIn(stateDir: string): readonly string[] {
  return ['runs', 'high-water'].map((name) => join(stateDir, name));
}

function hasLink(folder: string): boolean {
  return readdirSync(folder, { withFileTypes: true }).some((entry) => entry.isSymbolicLink());
}

function pathIn(stateDir: string): string {
  return join(stateDir, 'listed');
}

function areNames(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((each) => typeof each === 'string');
}
