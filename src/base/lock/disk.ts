/** Executes the steps of the lock protocol on the real disk. */
import {
  closeSync,
  constants,
  fstatSync,
  fsyncSync,
  linkSync,
  lstatSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { isCode } from '../error.ts';
import { renameFileSync } from '../platform/rename.ts';
import type { Life } from './owner.ts';
import type { Answer, Found, FoundText, Step, Steps } from './protocol.ts';

export type OwnerCheck = (found: FoundText) => Life;

/**
 * Executes the steps to their end.
 * @throws the error of the disk, when a step has no defined result
 */
export function drive<T>(steps: Steps<T>, checkOwner: OwnerCheck): T {
  let next = steps.next();
  while (next.done !== true) next = steps.next(doStep(next.value, checkOwner));
  return next.value;
}

function doStep(step: Step, checkOwner: OwnerCheck): Answer {
  switch (step.act) {
    case 'link':
      return doesIt(() => linkSync(step.from, step.to), 'EEXIST');
    case 'rename':
      // A network disk may have done it and lost its response; no one else uses the new name.
      return doesIt(() => renameFileSync(step.from, step.to), 'ENOENT') || isThere(step.to);
    case 'read':
      return readLock(step.path);
    case 'remove':
      rmSync(step.path, { force: true });
      return undefined;
    case 'list':
      return besides(step.file);
    case 'check-owner':
      return checkOwner(step.found);
  }
}

const bytesMax = 16 * 1024; // bytes; a lock has about 400

/** Reads a file that is not a link, folder or pipe. */
export function readLock(path: string): Found {
  const noLink = (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0); // absent on Windows
  let file: number;
  try {
    file = openSync(path, constants.O_RDONLY | noLink);
  } catch (error) {
    return { kind: isCode(error, 'ENOENT') ? 'absent' : 'unreadable' };
  }
  try {
    const about = fstatSync(file, { bigint: true });
    if (!about.isFile() || about.size > bytesMax) return { kind: 'unreadable' };
    return { kind: 'text', text: readFileSync(file, 'utf8'), inode: about.ino.toString() };
  } catch {
    return { kind: 'unreadable' };
  } finally {
    closeSync(file);
  }
}

/**
 * Creates a file that must not exist, private to its owner.
 * @param textOf the text, by the inode of the file
 * @param isDurable whether it is on the disk when this returns
 */
export function writeOwnerFile(
  path: string,
  textOf: (inode: string) => string,
  isDurable: boolean,
): string {
  const file = openSync(path, 'wx', 0o600);
  try {
    const text = textOf(fstatSync(file, { bigint: true }).ino.toString());
    const bytes = Buffer.from(text, 'utf8');
    for (let at = 0; at < bytes.length;) at += writeSync(file, bytes, at);
    if (isDurable) fsyncSync(file);
    return text;
  } catch (error) {
    rmSync(path, { force: true }); // a partial record has no owner
    throw error;
  } finally {
    closeSync(file);
  }
}

/** The protocol's files next to a lock file. */
function besides(file: string): readonly string[] {
  const folder = dirname(file);
  const prefix = `${basename(file)}.`;
  const ours = /^(?:[0-9a-z]+\.paper(?:\.away)?|[0-9a-f]{32}\.heir)$/;
  return readdirSync(folder)
    .filter((name) => name.startsWith(prefix) && ours.test(name.slice(prefix.length)))
    .toSorted()
    .map((name) => join(folder, name));
}

function isThere(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
}

/** Whether an action succeeded; false for the one expected error. */
function doesIt(act: () => void, expected: string): boolean {
  try {
    act();
    return true;
  } catch (error) {
    if (isCode(error, expected)) return false;
    throw error;
  }
}
