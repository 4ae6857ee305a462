/** A short exclusive lock between processes on one file: a file beside it that names its holder. */
import { existsSync, linkSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { makeFoldersSync } from '../../base/folder.ts';
import { ConfigError } from '../../base/error.ts';
import { isRecord } from '../../base/json.ts';

export interface FileLock {
  /** Runs one synchronous act while nobody else with this file runs one. */
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
export function fileLock(file: string): FileLock {
  const lock = `${file}.lock`;
  const paper = `${lock}.${process.pid}.${nextPaper++}`;
  sweep(lock);
  writePaper();

  return {
    hold: (act) => {
      acquire();
      try {
        return act();
      } finally {
        remove(lock);
      }
    },
    close: () => remove(paper),
  };

  function writePaper(): void {
    makeFoldersSync(dirname(file), 0o700);
    writeFileSync(paper, `${process.pid} ${startOf(process.pid)}`, { mode: 0o600 });
  }

  function acquire(): void {
    for (let attempt = 1; attempt <= attemptsMax; attempt++) {
      if (!existsSync(paper)) writePaper(); // the folder was removed under us: a new world
      if (succeeds(() => linkSync(paper, lock), 'EEXIST')) return;
      if (attempt % attemptsBetweenLooks === 0) takeFromDead();
      Atomics.wait(pause, 0, 0, waitMs);
    }
    throw new ConfigError(
      `the sandbox in ${file} is held by process ${holderOf(lock) ?? 'unknown'}`,
      'end that process, or choose another place with --state-dir or --state',
    );
  }

  /** One process at a time judges a lock, or a second one would free the lock of a third. */
  function takeFromDead(): void {
    const judge = `${lock}.judge`;
    if (!succeeds(() => linkSync(paper, judge), 'EEXIST')) {
      if (isDead(judge)) remove(judge);
      return;
    }
    if (isDead(lock)) remove(lock);
    remove(judge);
  }
}

let nextPaper = 1; // several sandboxes of one process may share a file
const pause = new Int32Array(new SharedArrayBuffer(4));

/** Removes the papers of processes that were killed. */
function sweep(lock: string): void {
  const folder = dirname(lock);
  const prefix = `${basename(lock)}.`;
  for (const name of existsSync(folder) ? readdirSync(folder) : []) {
    if (!name.startsWith(prefix) || !/^\d+\.\d+$/.test(name.slice(prefix.length))) continue;
    if (isDead(join(folder, name))) remove(join(folder, name));
  }
}

function isDead(file: string): boolean {
  const [pid, start] = textOf(file).split(' ');
  return pid !== undefined && pid !== '' && startOf(Number(pid)) !== start;
}

function holderOf(file: string): string | undefined {
  return textOf(file).split(' ')[0];
}

/** When a process began, in the kernel's ticks; `gone` when it is not there; or nothing. */
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

/** Removes a file that may have gone already. */
function remove(file: string): void {
  rmSync(file, { force: true });
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
