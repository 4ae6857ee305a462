/** The overviews of finished runs in one file of the state folder, so that a list, metrics or a server
 * beside thousands of runs does not read their journals.
 *
 * As in the index of runs (run-index.ts), an overview counts while the file system says of the run's
 * files what it said before they were read. Each line has a checksum; one that is damaged, or of
 * another version, does not count. The file is replaced as a whole: of two processes that replace
 * it, the later one wins, and what it does not have is read again. Deleting it changes nothing.
 *
 * The rule of digests applies (digest.ts): only what is shown is taken from here. What is sent
 * depends on journals.
 */
import { lstatSync } from 'node:fs';
import { join } from 'node:path';
import { isRecord } from '../../base/json.ts';
import { readFoundSync } from '../../base/read-file.ts';
import { replaceDerived } from '../../engine/journal/file.ts';
import { headerOf, type RunHeader } from '../../engine/journal/header.ts';
import { frame, unframe } from '../../engine/journal/record.ts';
import { isFigures } from '../telemetry/figures.ts';
import { overviewVersion, type Overview } from './overview.ts';
import { areLasting, type RunStamps } from './run-stamps.ts';

interface StoredOverview {
  /** What the file system said about the header. */
  readonly headerFile: string;
  /** The same about the journal and its mark. */
  readonly files: string;
  readonly header: RunHeader;
  readonly overview: Overview;
}

export function overviewPath(stateDir: string): string {
  return join(stateDir, 'run-overviews');
}

/** By run; none when the file is absent or of another version. */
export function storedOverviews(stateDir: string): Map<string, StoredOverview> {
  const path = overviewPath(stateDir);
  const [first = '', ...lines] = textIn(path).split('\n');
  const found = new Map<string, StoredOverview>();
  const head = valueIn(first);
  if (!isRecord(head) || head['version'] !== overviewVersion) return found;
  for (const line of lines) {
    const stored = storedIn(valueIn(line), path);
    if (stored !== undefined) found.set(stored.header.run, stored);
  }
  return found;
}

/** What was read, with what the file system said before. */
export interface OverviewToStore {
  readonly stamps: RunStamps;
  readonly header: RunHeader;
  readonly overview: Overview;
}

/** @returns how many were left out, because their files changed a moment ago and may change again */
export function storeOverviews(stateDir: string, overviews: readonly OverviewToStore[]): number {
  let left = 0;
  replaceDerived(overviewPath(stateDir), (now) => {
    const lasting = overviews.filter(({ stamps }) => areLasting(stamps, now));
    left = overviews.length - lasting.length;
    const lines = lasting.map(({ stamps: { headerFile, files }, header, overview }) => {
      const stored: StoredOverview = { headerFile, files, header, overview };
      return frame(JSON.stringify(stored));
    });
    return [frame(JSON.stringify({ version: overviewVersion })), ...lines].join('');
  });
  return left;
}

function textIn(path: string): string {
  try {
    return readFoundSync(path, lstatSync(path), Infinity);
  } catch {
    return ''; // absent, or not a file of ours
  }
}

function valueIn(line: string): unknown {
  try {
    return JSON.parse(unframe(line));
  } catch {
    return undefined;
  }
}

/** The checksum proves that we wrote it, and the version what its fields are. */
function storedIn(value: unknown, path: string): StoredOverview | undefined {
  if (!isRecord(value)) return undefined;
  const { headerFile, files, header, overview } = value;
  if (typeof headerFile !== 'string' || typeof files !== 'string') return undefined;
  if (!isOverview(overview)) return undefined;
  try {
    return { headerFile, files, header: headerOf(header, path), overview };
  } catch {
    return undefined;
  }
}

function isOverview(value: unknown): value is Overview {
  return isRecord(value) && typeof value['status'] === 'string' && isFigures(value['figures']);
}
