/** The names in a folder that the same process read a moment ago: a state folder may have a hundred thousand,
 * which several parts of a command need.
 */
import { lstatSync, readdirSync, type Dirent } from 'node:fs';
import { systemClock, type Millis } from './clock.ts';
import { thisSystem } from './platform/system.ts';

const momentMax: Millis = 5_000;
const granularity: Millis = 2_000; // the coarsest times of a file system are so far apart
const few = 1_000; // names that are read again as fast

interface Read {
  readonly names: readonly string[];
  readonly stamp: string;
  readonly at: Millis;
}

const known = new Map<string, Read>();

/** Reads the entries of a folder, and remembers their names for a moment. @throws the error of the system */
export function readEntries(folder: string): readonly Dirent[] {
  const [at, stamp] = [systemClock.now(), stampOf(folder, systemClock.now())];
  const entries = readdirSync(folder, { withFileTypes: true });
  if (stamp !== undefined && entries.length > few) {
    known.set(folder, { names: entries.map(({ name }) => name), stamp, at });
  }
  return entries;
}

/** The names in a folder: those read a moment ago if it has not changed since. @throws the error of the system */
export function namesInFolder(folder: string): readonly string[] {
  const read = known.get(folder);
  known.delete(folder);
  const now = systemClock.now();
  const isRecent = read !== undefined && now >= read.at && now - read.at <= momentMax;
  return isRecent && read.stamp === stampOf(folder, read.at) ? read.names : readdirSync(folder);
}

/**
 * The identity and times of a folder, which change with its names; undefined if another change at this time
 * might not be shown. Windows does not show the changes in folders of each of its file systems.
 */
function stampOf(folder: string, now: Millis, system = thisSystem): string | undefined {
  const { dev, ino, mtimeMs, ctimeMs } = lstatSync(folder);
  if (system === 'win32' || now - ctimeMs <= granularity) return undefined;
  return [dev, ino, mtimeMs, ctimeMs].join(' ');
}
