/** Renames files: on Windows a name that another program has open is refused for a moment. */
import { renameSync } from 'node:fs';
import { rename } from 'node:fs/promises';
import { millisecond, pause, systemClock, type Millis } from '../clock.ts';
import { isCode } from '../error.ts';
import { thisSystem, type System } from './system.ts';

export interface Renaming<Result> {
  readonly system?: System;
  readonly rename?: (from: string, to: string) => Result;
  readonly wait?: (ms: Millis) => Result;
}

/**
 * Replaces `to`. A refused rename has changed nothing, so it is repeated.
 * @throws the error of the system; on Windows after 630 ms, if others keep the file open
 */
export async function renameFile(
  from: string,
  to: string,
  options: Renaming<Promise<void>> = {},
): Promise<void> {
  const { system = thisSystem, rename: once = rename, wait = sleep } = options;
  for (const delay of delays) {
    try {
      return await once(from, to);
    } catch (error) {
      if (!isBusy(error, system)) throw error;
    }
    await wait(delay);
  }
  await once(from, to);
}

const sleep = (ms: Millis): Promise<void> => systemClock.sleep(ms);

/** The synchronous variant of `renameFile`. */
export function renameFileSync(from: string, to: string, options: Renaming<void> = {}): void {
  const { system = thisSystem, rename: once = renameSync, wait = pause } = options;
  for (const delay of delays) {
    try {
      return once(from, to);
    } catch (error) {
      if (!isBusy(error, system)) throw error;
    }
    wait(delay);
  }
  once(from, to);
}

/** Virus scanners and search indexes hold a new file for some milliseconds. */
const delays: readonly Millis[] = [10, 20, 40, 80, 160, 320].map((ms) => ms * millisecond);
const codes = ['EPERM', 'EACCES', 'EBUSY'];

function isBusy(error: unknown, system: System): boolean {
  return system === 'win32' && codes.some((code) => isCode(error, code));
}
