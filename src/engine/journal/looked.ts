/** When the files of all ended runs were last looked at. Beside tens of thousands of runs a command looks at
 * the newest ones, and at the others once an hour (proved-runs.ts).
 *
 * Meanwhile it relies on the names of continued runs (continued.ts), which are on the disk before the files of
 * a run are changed. So this record holds only while that file is the one it was, and not shorter; and it
 * names the runs of which the catalogue did not have the files as they were.
 */
import { statSync } from 'node:fs';
import { join } from 'node:path';
import type { Millis } from '../../base/clock.ts';
import { isRecord } from '../../base/json.ts';
import { readRegularSync } from '../../base/read-file.ts';
import { beginContinued, continuedIn, continuedPath } from './continued.ts';
import { replaceDerived } from './file.ts';
import { frame, unframe } from './record.ts';

const hour: Millis = 3_600_000;
const changedMax = 10_000; // names; with more, all files are looked at by each command
const nameMax = 200; // bytes

/**
 * The runs whose files must be looked at in any case: those that continued, and those that had changed;
 * undefined if that holds for all runs.
 */
export function changedSinceLooked(stateDir: string, now: Millis): ReadonlySet<string> | undefined {
  try {
    const text = readRegularSync(lookedPath(stateDir), changedMax * nameMax).toString('utf8');
    const value: unknown = JSON.parse(unframe(text.trimEnd()));
    if (!isRecord(value) || value['version'] !== 1 || !Array.isArray(value['changed']))
      return undefined;
    const { at, device, inode, size, changed } = value;
    if (typeof at !== 'number' || now < at || now - at > hour) return undefined;
    const found = statSync(continuedPath(stateDir));
    if (found.dev !== device || found.ino !== inode || found.size < Number(size)) return undefined;
    const continued = continuedIn(stateDir);
    return continued && new Set([...continued, ...changed.map(String)]);
  } catch {
    return undefined;
  }
}

/**
 * Records that the files of all runs were looked at, if the record can be written.
 * @param at the time before the first was looked at
 * @param changed runs that are not as the catalogue has them
 */
export function noteLooked(stateDir: string, at: Millis, changed: readonly string[]): void {
  if (changed.length > changedMax) return;
  beginContinued(stateDir);
  try {
    const { dev: device, ino: inode, size } = statSync(continuedPath(stateDir));
    const value = { version: 1, at, device, inode, size, changed };
    replaceDerived(lookedPath(stateDir), () => frame(JSON.stringify(value)));
  } catch {
    // Without the record, the files of all runs are looked at.
  }
}

function lookedPath(stateDir: string): string {
  return join(stateDir, 'looked');
}
