/** A person's statement that whoever held a lock is gone: the lock is freed, and who said so is kept. */
import { shellWord } from '../base/text.ts';
import { join } from 'node:path';
import type { Millis } from '../base/clock.ts';
import { kernelGuard } from '../lock/guard.ts';
import { freeLock } from '../lock/lock-file.ts';
import { openAppendFile } from './file.ts';
import { locksIn, type NamedLock } from './lock.ts';
import { lockedBy, LockedError, processOf, type LockInTheWay } from './locked.ts';
import { machineId } from './machine.ts';

export interface PersonSays {
  readonly who: string;
  readonly comment: string;
  /** The wall clock, for the record. */
  readonly at: Millis;
}

/**
 * Locks of a run that no proof of death frees, or the lock of a name.
 * @throws LockedError for one whose holder runs
 */
export async function locksToFree(stateDir: string, word: string): Promise<readonly NamedLock[]> {
  await machineId(stateDir); // who cannot distinguish machines cannot tell the living either
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
  // A dead one that is named itself may be blocked by whoever died while they took it over.
  return ours.filter(({ life, name }) => life.state === 'unknown' || name === word);
}

/**
 * Frees locks as they were seen. The record of it comes first: nothing is freed that no one said.
 * @throws LockedError for one that someone has taken since, or holds all the same
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
 * Frees a lock whose owner cannot be checked, unless the kernel still sees one, in another container
 * perhaps, or someone else has the lock by now.
 * @param holder who frees it, as whoever wants it at that moment reads it
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
