/** A short exclusive lock between processes on one folder: a file with one name, naming its holder. */
import {
  existsSync,
  linkSync,
  readdirSync,
  readFileSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { ConfigError } from '../../base/error.ts';
import { isRecord } from '../../base/json.ts';

export interface FolderLock {
  /** Runs one synchronous act while nobody else in this folder runs one. */
  hold<T>(act: () => T): T;
  close(): void;
}

const waitMs = 1;
const attemptsMax = 20_000; // about 20 s: an act takes milliseconds
const attemptsBetweenLooks = 50;

/**
 * The holder's paper is written beforehand and linked to the lock's name in one step, so a lock is
 * never there without its owner's name, and the lock of a dead process can be told from a slow one.
 */
export function folderLock(folder: string): FolderLock {
  const lock = join(folder, 'lock');
  const paper = join(folder, `lock.${process.pid}.${nextPaper++}`);
  sweep(folder);
  writeFileSync(paper, `${process.pid} ${startOf(process.pid)}`, { mode: 0o600 });

  return {
    hold: (act) => {
      acquire();
      try {
        return act();
      } finally {
        unlinkSync(lock);
      }
    },
    close: () => unlinkSync(paper),
  };

  function acquire(): void {
    for (let attempt = 1; attempt <= attemptsMax; attempt++) {
      if (succeeds(() => linkSync(paper, lock), 'EEXIST')) return;
      if (attempt % attemptsBetweenLooks === 0) takeFromDead();
      Atomics.wait(pause, 0, 0, waitMs);
    }
    throw new ConfigError(
      `the sandbox in ${folder} is held by process ${holderOf(lock) ?? 'unknown'}`,
      'end that process, or choose another folder with --state-dir',
    );
  }

  /** Only one process at a time may judge a lock, or two would free it and one would free a new one. */
  function takeFromDead(): void {
    const judge = `${lock}.judge`;
    if (!succeeds(() => linkSync(paper, judge), 'EEXIST')) {
      if (isDead(judge)) succeeds(() => unlinkSync(judge), 'ENOENT');
      return;
    }
    if (isDead(lock)) succeeds(() => unlinkSync(lock), 'ENOENT');
    unlinkSync(judge);
  }
}

let nextPaper = 1; // several sandboxes of one process may share a folder
const pause = new Int32Array(new SharedArrayBuffer(4));

/** Removes the papers of processes that were killed. */
function sweep(folder: string): void {
  for (const name of readdirSync(folder)) {
    const file = join(folder, name);
    if (/^lock\.\d+\.\d+$/.test(name) && isDead(file)) succeeds(() => unlinkSync(file), 'ENOENT');
  }
}

function isDead(file: string): boolean {
  const [pid, start] = textOf(file).split(' ');
  return pid !== undefined && pid !== '' && startOf(Number(pid)) !== start;
}

function holderOf(file: string): string | undefined {
  return textOf(file).split(' ')[0];
}

/** When a process began, in the kernel's ticks; `gone` when it is not there, `` where nobody tells. */
function startOf(pid: number): string {
  try {
    process.kill(pid, 0);
  } catch (error) {
    if (codeOf(error) === 'ESRCH') return 'gone';
    if (codeOf(error) !== 'EPERM') throw error;
  }
  if (!existsSync('/proc/self/stat')) return '';
  const afterName = textOf(`/proc/${pid}/stat`).split(') ').at(-1);
  return afterName?.split(' ')[19] ?? 'gone';
}

function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    if (codeOf(error) === 'ENOENT' || codeOf(error) === 'ESRCH') return '';
    throw error;
  }
}

/** Whether a file operation went through; false for the one failure that was expected. */
function succeeds(operation: () => void, expected: string): boolean {
  try {
    operation();
    return true;
  } catch (error) {
    if (codeOf(error) === expected) return false;
    throw error;
  }
}

function codeOf(error: unknown): unknown {
  return isRecord(error) ? error['code'] : undefined;
}
