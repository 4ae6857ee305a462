/** Locks of a state folder: one process writes to an account, executes a run, or does any named task. */
import { readdir } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { isCode, messageOf } from '../../base/error.ts';
import { kernelGuard, type GuardOf } from '../../base/lock/guard.ts';
import type { Kernel } from '../../base/lock/kernel.ts';
import {
  lockFile,
  seeLock,
  seenIn,
  type LockFile,
  type SeenLock,
} from '../../base/lock/lock-file.ts';
import { accountOf } from './account.ts';
import type { Destination } from './entry.ts';
import { DiskError, makeFolder } from './file.ts';
import { syncFolder } from '../../base/platform/folder-sync.ts';
import {
  lockedBy,
  lockedByNobody,
  LockedError,
  type LockInTheWay,
  type Subject,
} from './locked.ts';
import { machineId, machineIdIn } from './machine.ts';

export { LockedError } from './locked.ts';

export interface AccountLock {
  release(): Promise<void>;
}

export interface LockOptions {
  /** The nonce of the lock's claim in the state store. */
  readonly claim?: string;
  /** Whether the process of the run has other work. */
  readonly isShared?: boolean;
  /** The way in which processes are identified; default: the operating system's. */
  readonly kernel?: Kernel;
  /** The guard that detects a lock file removed by hand; default: abstract sockets. */
  readonly guard?: GuardOf;
}

/**
 * Locks an account for one run. A lock is taken over only from an owner that provably ended.
 * @throws LockedError
 */
export async function lockAccount(
  stateDir: string,
  destination: Destination,
  run: string,
  options: LockOptions = {},
): Promise<AccountLock> {
  return lockAccountName(stateDir, accountOf(destination), run, options);
}

/** Locks an account under one of its names, see `accountNames`. @throws LockedError */
export async function lockAccountName(
  stateDir: string,
  name: string,
  run: string,
  options: LockOptions = {},
): Promise<AccountLock> {
  return lock(stateDir, { file: fileOf(stateDir, name), holder: run, subject: writing }, options);
}

/** Locks a run, so that two processes never append to one journal. @throws LockedError */
export async function lockRun(
  stateDir: string,
  run: string,
  options: LockOptions = {},
): Promise<AccountLock> {
  const file = fileOf(stateDir, `run-${run}`);
  return lock(stateDir, { file, holder: run, subject: atWork }, options);
}

/**
 * Locks a name, for any exclusive task.
 * @param name letters, digits and dashes
 * @param owner the holder, for the message to the second process
 * @throws LockedError
 */
export async function lockName(
  stateDir: string,
  name: string,
  owner: string,
  options: LockOptions = {},
): Promise<AccountLock> {
  const does = `holds the lock ${name}`;
  const subject = { word: name, kind: '', does, mayDo: `held the lock ${name}` };
  return lock(stateDir, { file: fileOf(stateDir, name), holder: owner, subject }, options);
}

const writing: Subject = {
  kind: 'run ',
  does: 'is writing to this account',
  mayDo: 'may be writing to this account',
};
const atWork: Subject = { kind: 'run ', does: 'is at work', mayDo: 'may be at work' };

function fileOf(stateDir: string, name: string): string {
  return join(stateDir, 'locks', `${name}.lock`);
}

interface Wanted {
  readonly file: string;
  readonly holder: string;
  readonly subject: Subject;
}

async function lock(
  stateDir: string,
  { file, holder, subject }: Wanted,
  { claim, isShared, kernel, guard: guardOf = kernelGuard }: LockOptions,
): Promise<AccountLock> {
  await makeFolder(join(stateDir, 'locks'));
  const machine = await machineId(stateDir);
  const own = lockFile(file, {
    holder,
    machine,
    isDurable: true,
    ...(claim !== undefined && { claim }),
    ...(isShared !== undefined && { isShared }),
    ...(kernel && { kernel }),
  });
  const guard = await guardOf(file);
  try {
    if (guard === 'taken') throw inTheWay(file, machine, kernel, subject);
    await taken(own, file, subject);
    return {
      release: async () => {
        own.release();
        guard.release();
      },
    };
  } catch (error) {
    if (guard !== 'taken') guard.release();
    throw error;
  }
}

/** Takes a lock. @throws LockedError, DiskError */
async function taken(own: LockFile, file: string, subject: Subject): Promise<void> {
  try {
    const outcome = own.take();
    if (outcome.kind === 'busy') throw lockedByNobody(subject);
    if (outcome.kind === 'refused') throw refusal(file, seenIn(outcome), subject);
    own.sweep();
    await syncFolder(join(file, '..'));
  } catch (error) {
    if (error instanceof LockedError) throw error;
    own.release();
    const why = isCode(error, 'EPERM') || isCode(error, 'ENOTSUP') ? noLinks : messageOf(error);
    throw new DiskError(`cannot lock ${file}: ${why}; nothing was sent`, error);
  } finally {
    own.close();
  }
}

/**
 * A process in the middle of a takeover may also block: then its name shows which lock to release.
 */
function refusal(file: string, seen: SeenLock, subject: Subject): LockedError {
  const isOwner = seeLock(file, '').record?.holder === seen.record?.holder;
  const word = isOwner ? {} : { word: basename(file, '.lock') };
  return lockedBy({ file, ...seen }, { ...word, ...subject });
}

const noLinks = 'this file system has no hard links; move the state folder to another';

/** The kernel shows that the lock is held; the file names the holder, unless it provably ended. */
function inTheWay(
  file: string,
  machine: string,
  kernel: Kernel | undefined,
  subject: Subject,
): LockedError {
  const seen = seeLock(file, machine, kernel);
  const isNamed = seen.record !== undefined && seen.life.state !== 'dead';
  return isNamed ? lockedBy({ file, ...seen }, subject) : lockedByNobody(subject);
}

/** A lock of a state folder. */
export interface NamedLock extends LockInTheWay {
  /** The name of an account, `run-` and a run, or the name given to `lockName`. */
  readonly name: string;
}

/** The argument of `deskhand runs unlock` for a lock: the run, if it is held for one. */
export function wordFor({ name, record }: NamedLock): string {
  const isOfRun = /^(?:run-.+|[0-9a-f]{16})$/.test(name);
  return isOfRun && record !== undefined ? record.holder : name;
}

/** Every lock of a state folder, without changing any. */
export async function locksIn(stateDir: string, kernel?: Kernel): Promise<readonly NamedLock[]> {
  const folder = join(stateDir, 'locks');
  const names = await readdir(folder).catch((error: unknown) => {
    if (isCode(error, 'ENOENT')) return [];
    throw error;
  });
  const machine = machineIdIn(stateDir);
  return names
    .filter((name) => name.endsWith('.lock'))
    .toSorted()
    .map((each) => {
      const file = join(folder, each);
      return { file, name: basename(each, '.lock'), ...seeLock(file, machine, kernel) };
    })
    .filter(({ found }) => found.kind !== 'absent'); // it was just released
}
