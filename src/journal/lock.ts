/** Locks of a state folder: one process writes on an account, has a run, or has anything with a name. */
import { readdir } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { isCode, messageOf } from '../base/error.ts';
import { kernelGuard, type GuardOf } from '../lock/guard.ts';
import type { Kernel } from '../lock/kernel.ts';
import { lockFile, seeLock, seenIn, type LockFile, type SeenLock } from '../lock/lock-file.ts';
import { accountOf } from './account.ts';
import type { Destination } from './entry.ts';
import { DiskError, makeFolder, syncFolder } from './file.ts';
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
  /** Nonce of the claim in the state store that belongs to it. */
  readonly claim?: string;
  /** What distinguishes processes; the operating system's when absent. */
  readonly kernel?: Kernel;
  /** What notices a lock file that was removed by hand; the kernel's names when absent. */
  readonly guard?: GuardOf;
}

/**
 * Takes an account for one run. A lock is taken over only from an owner that is proved dead.
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

/** The same under one of its names, as `accountNames` has them. @throws LockedError */
export async function lockAccountName(
  stateDir: string,
  name: string,
  run: string,
  options: LockOptions = {},
): Promise<AccountLock> {
  return lock(stateDir, { file: fileOf(stateDir, name), holder: run, subject: writing }, options);
}

/** The same for a run: two processes never add to one journal. @throws LockedError */
export async function lockRun(
  stateDir: string,
  run: string,
  options: LockOptions = {},
): Promise<AccountLock> {
  const file = fileOf(stateDir, `run-${run}`);
  return lock(stateDir, { file, holder: run, subject: atWork }, options);
}

/**
 * The same for anything that only one process may do at a time.
 * @param name letters, digits and dashes
 * @param owner who has it, as whoever comes second reads it
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
  { claim, kernel, guard: guardOf = kernelGuard }: LockOptions,
): Promise<AccountLock> {
  await makeFolder(join(stateDir, 'locks'));
  const machine = await machineId(stateDir);
  const own = lockFile(file, {
    holder,
    machine,
    isDurable: true,
    ...(claim !== undefined && { claim }),
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

/** @throws LockedError, DiskError */
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

/** In the way may also be whoever was about to take it over: then its name says which lock to free. */
function refusal(file: string, seen: SeenLock, subject: Subject): LockedError {
  const isOwner = seeLock(file, '').record?.holder === seen.record?.holder;
  const word = isOwner ? {} : { word: basename(file, '.lock') };
  return lockedBy({ file, ...seen }, { ...word, ...subject });
}

const noLinks = 'this file system has no hard links; move the state folder to another';

/** The kernel says that someone has it; the file says who, unless its owner is known to be dead. */
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
  /** The name of an account, `run-` and a run, or what `lockName` was given. */
  readonly name: string;
}

/** What `deskhand runs unlock` calls a lock: the run, where it is held for one. */
export function wordFor({ name, record }: NamedLock): string {
  const isOfRun = /^(?:run-.+|[0-9a-f]{16})$/.test(name);
  return isOfRun && record !== undefined ? record.holder : name;
}

/** Every lock of a state folder; none is touched. */
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
    .filter(({ found }) => found.kind !== 'absent'); // let go just now
}
