/** A person's confirmation that the holder of a lock is gone: the lock is released, and the confirmation recorded. */
import { shellWord } from '../../base/text.ts';
import { join } from 'node:path';
import type { Millis } from '../../base/clock.ts';
import { kernelGuard } from '../../base/lock/guard.ts';
import { freeLock } from '../../base/lock/lock-file.ts';
import { openAppendFile } from './file.ts';
import { locksIn, type NamedLock } from './lock.ts';
import { lockedBy, LockedError, processOf, type LockInTheWay } from './locked.ts';
import { machineId } from './machine.ts';

export interface PersonSays {
  readonly who: string;
  readonly comment: string;
  /** The wall clock, for the journal. */
  readonly at: Millis;
}

/**
 * Locks of a run whose holder cannot be proved to have ended, or one lock by name.
 * @throws LockedError for one whose holder runs
 */
export async function locksToFree(stateDir: string, word: string): Promise<readonly NamedLock[]> {
  await machineId(stateDir); // without machine ids a running process cannot be recognized either
  const ours = (await locksIn(stateDir)).filter(
    ({ name, record }) => name === word || name === `run-${word}` || record?.holder === word,
  );
  for (const { life, record, name } of ours) {
    if (life.state !== 'alive' || record === undefined) continue;
    throw new LockedError(
      `${record.holder} (${processOf(record)}) is running on this machine and holds ${name}`,
      `stop it first: kill ${record.pid}`,
    );
  }
  // A lock of an ended process may be blocked by another that crashed during its takeover.
  return ours.filter(({ life, name }) => life.state === 'unknown' || name === word);
}

/**
 * Releases locks that a person confirmed, if they are unchanged. The confirmation is recorded first.
 * @throws LockedError for a lock that another process has taken since, or still holds
 */
export async function freeLocks(
  stateDir: string,
  locks: readonly NamedLock[],
  says: PersonSays,
): Promise<void> {
  for (const lock of locks) {
    const { name, record } = lock;
    if (lock.found.kind !== 'text') throw lockedBy(lock, { kind: '', does: '', mayDo: '' });
    const line = { version: 1, ...says, name, ...(record && { holder: record.holder, record }) };
    await note(join(stateDir, 'locks', 'unlocked.ndjson'), JSON.stringify(line));
    if (await freeUnheld(stateDir, lock, `deskhand runs unlock ${shellWord(name)}`)) continue;
    throw new LockedError(
      `the lock ${name} was taken in the meantime, or a process on this machine holds it`,
      'stop that process first; see `deskhand runs list`',
    );
  }
}

/**
 * Releases a lock whose owner cannot be checked, unless the kernel still sees an owner, perhaps in
 * another container, or another process has it now.
 * @param holder who releases it, for concurrent readers
 * @returns whether it is free
 */
export async function freeUnheld(
  stateDir: string,
  lock: LockInTheWay,
  holder: string,
): Promise<boolean> {
  const guard = await kernelGuard(lock.file);
  if (guard === 'taken') return false;
  try {
    const machine = await machineId(stateDir);
    return freeLock(lock.file, lock, { holder, machine, isDurable: true }).kind === 'done';
  } finally {
    guard.release();
  }
}

async function note(path: string, line: string): Promise<void> {
  const file = await openAppendFile(path);
  try {
    await file.write(`${line}\n`);
    await file.sync();
  } finally {
    await file.close();
  }
}
