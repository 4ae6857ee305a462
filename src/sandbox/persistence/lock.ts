/** A short exclusive lock between processes on one file: a second process waits. */
import { ConfigError } from '../../base/error.ts';
import { shellWord } from '../../base/text.ts';
import { lockFile, seenIn, type SeenLock } from '../../base/lock/lock-file.ts';

export interface FileLock {
  /** Runs one synchronous act while no other process with this file runs one. */
  hold<T>(act: () => T): T;
  close(): void;
}

const waitMs = 1;
const attemptsMax = 20_000; // about 20 s; an act takes milliseconds
const attemptsMin = 1_000; // for a lock that proves nothing, or of an older version

export function fileLock(file: string): FileLock {
  const path = `${file}.lock`;
  // The lock is not synced: after a power cut it may be gone, and so is every process that held it.
  const lock = lockFile(path, { holder: `the sandbox in ${file}`, machine: '', isDurable: false });
  let isSwept = false;
  return {
    hold: (act) => {
      acquire();
      try {
        if (!isSwept) lock.sweep();
        isSwept = true;
        return act();
      } finally {
        lock.release();
      }
    },
    close: () => lock.close(),
  };

  function acquire(): void {
    for (let attempt = 1; ; attempt++) {
      const outcome = lock.take();
      if (outcome.kind === 'done') return;
      const seen = outcome.kind === 'refused' ? seenIn(outcome) : undefined;
      const isOfToday = seen === undefined || seen.record?.version === 2;
      if (attempt === (isOfToday ? attemptsMax : attemptsMin)) throw held(file, path, seen);
      Atomics.wait(pause, 0, 0, waitMs);
    }
  }
}

const pause = new Int32Array(new SharedArrayBuffer(4));

function held(file: string, path: string, seen: SeenLock | undefined): ConfigError {
  const process = seen?.record === undefined ? 'an unknown process' : `process ${seen.record.pid}`;
  const elsewhere = 'choose another location with --state-dir or --state';
  if (seen?.life.state !== 'unknown') {
    const hint = `end that process, or ${elsewhere}`;
    return new ConfigError(`the sandbox in ${file} is held by ${process}`, hint);
  }
  return new ConfigError(
    `the sandbox in ${file} may be held by ${process}: ${seen.life.because}`,
    `if that process is gone, remove the lock: rm ${shellWord(path)}; or ${elsewhere}`,
  );
}
