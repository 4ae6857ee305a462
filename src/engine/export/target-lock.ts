/** One writer per file: a lock next to it that is the same for every spelling of the path. */
import {
  closeSync,
  constants,
  fstatSync,
  openSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openPlainFile } from '../../base/file-kind.ts';
import { sha256 } from '../../base/json.ts';
import { foldedName } from '../../base/platform/file-name.ts';
import { readRegularSync } from '../../base/read-file.ts';
import { randomId } from '../../base/random.ts';
import { plainText, shellWord } from '../../base/text.ts';
import {
  freeLock,
  lockFile,
  seenIn,
  type LockFile,
  type SeenLock,
  type Wanting,
} from '../../base/lock/lock-file.ts';
import { diskError, ExportError, systemCodeOf } from './error.ts';
import type { Target } from './target.ts';

export interface TargetLock {
  /** Renews the lock: a holder that cannot be checked otherwise counts as gone. */
  touch(): void;
  /** @throws ExportError when another process took the file over */
  refuseLost(): void;
  release(): void;
}

/**
 * Locks a file for one writer, before a row is read. The lock of an ended process is taken over.
 * One that cannot be checked, such as one of another container or from before a restart, is taken
 * over when it was not renewed for a quarter of an hour, or belongs to the same run.
 * @param holder the run, for the message to a second writer
 * @throws ExportError naming the writer
 */
export function lockTarget({ file, name, folder }: Target, holder: string): TargetLock {
  const wanting: Wanting = { holder, machine: '', isDurable: false };
  try {
    return taken(join(realpathSync(folder), `.${name}.lock`), file, wanting);
  } catch (error) {
    if (!noLinks.has(systemCodeOf(error))) throw whyNot(file, error);
  }
  try {
    return taken(elsewhere(folder, name), file, wanting);
  } catch (error) {
    throw whyNot(file, error);
  }
}

/** Error codes of file systems without hard links. */
const noLinks: ReadonlySet<string> = new Set([
  'EPERM',
  'ENOTSUP',
  'EOPNOTSUPP',
  'ENOSYS',
  'EMLINK',
]);

/** The lock in the temporary folder, for a folder in which no lock can be created; case-insensitive. */
function elsewhere(folder: string, name: string): string {
  const { dev, ino } = statSync(folder, { bigint: true });
  const place = sha256(`${dev} ${ino} ${foldedName(name)}`).slice(0, 32);
  return join(tmpdir(), `deskhand-${place}.lock`);
}

function taken(path: string, file: string, wanting: Wanting): TargetLock {
  const lock = lockFile(path, wanting);
  try {
    for (let tries = 0; tries < triesMax; tries++) {
      const outcome = lock.take();
      if (outcome.kind === 'done') return held(path, file, lock);
      if (outcome.kind === 'busy') continue;
      const seen = seenIn(outcome);
      const mayPass = seen.life.state === 'unknown' && isLeft(path, seen, wanting.holder);
      if (!mayPass) throw writtenBy(file, path, seen);
      freeLock(path, seen, wanting);
    }
    throw refusal(file, 'another process is about to write it', 'wait for it, then run it again');
  } catch (error) {
    lock.close();
    throw error;
  }
}

const triesMax = 20;
const staleAfter = 15 * 60; // seconds; pages and waits are shorter, and each page renews the lock

/**
 * Whether a lock whose holder cannot be checked was abandoned: by this run, or not renewed for
 * long.
 */
function isLeft(path: string, { record }: SeenLock, holder: string): boolean {
  if (record === undefined) return false; // not a lock, or damaged: a person must decide
  if (record.holder === holder) return true; // a run has one process at a time
  const probe = `${path}.${randomId(12)}.probe`;
  const descriptor = openSync(
    probe,
    constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL,
    0o600,
  );
  try {
    // Both times come from the file system, so clock differences of two machines do not matter.
    const age = fstatSync(descriptor).mtimeMs - statSync(path).mtimeMs;
    return age > staleAfter * 1000;
  } catch (error) {
    if (systemCodeOf(error) === 'ENOENT') return true; // it was just released
    throw error;
  } finally {
    closeSync(descriptor);
    rmSync(probe, { force: true });
  }
}

function held(path: string, file: string, lock: LockFile): TargetLock {
  lock.sweep();
  const descriptor = openPlainFile(path, constants.O_RDWR);
  const text = readFileSync(descriptor, 'utf8');
  return {
    touch: () => void writeSync(descriptor, text, 0), // rewrites the same text to get the disk's time
    refuseLost: () => {
      if (textAt(path) === text) return;
      throw refusal(file, 'another run took it over while this one was suspended', 'run it again');
    },
    release: () => {
      closeSync(descriptor);
      lock.release();
      lock.close();
    },
  };
}

function textAt(path: string): string {
  try {
    return readRegularSync(path).toString('utf8');
  } catch (error) {
    if (systemCodeOf(error) === 'ENOENT') return '';
    throw error;
  }
}

function writtenBy(file: string, path: string, { record, life }: SeenLock): ExportError {
  if (record === undefined) {
    const because = `${path} exists and is not a lock of deskhand`;
    return refusal(
      file,
      because,
      `if no process writes the file, remove it: rm ${shellWord(path)}`,
    );
  }
  const who = `run ${plainText(record.holder, 80)} (process ${record.pid} on ${plainText(record.host, 60)})`;
  if (life.state !== 'unknown') {
    return refusal(file, `${who} is writing it`, 'wait for it to end, or name another file');
  }
  return refusal(
    file,
    `${who} may be writing it: ${life.because}`,
    `wait 15 minutes, or, if it is gone permanently, remove its lock: rm ${shellWord(path)}`,
  );
}

function refusal(file: string, because: string, hint: string): ExportError {
  return new ExportError('file-locked', `${plainText(file, 160)} is not written: ${because}`, {
    hint,
  });
}

function whyNot(file: string, error: unknown): unknown {
  return error instanceof ExportError ? error : diskError(file, error);
}
