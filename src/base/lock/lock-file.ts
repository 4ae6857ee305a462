/** A lock between processes: a file that identifies its owner, and is released only if the owner provably ended. */
import { existsSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { makeFoldersSync } from '../folder.ts';
import { randomId } from '../random.ts';
import { drive, readLock, writeOwnerFile } from './disk.ts';
import { thisKernel, type Kernel } from './kernel.ts';
import { lifeOf, ownerHere, type Life } from './owner.ts';
import { free, letGo, sweep, take, type Claimant, type Found, type Outcome } from './protocol.ts';
import { decodeRecord, encodeRecord, type LockRecord, type OldRecord } from './record.ts';

/** A request for a lock. */
export interface Wanting {
  /** The purpose of the lock, for the message to a second process. */
  readonly holder: string;
  /** Id of the machine; '' if unknown. */
  readonly machine: string;
  readonly claim?: string;
  /** Whether the process has other work than the lock's holder. */
  readonly isShared?: boolean;
  /** Whether the record is on the disk before it becomes visible. */
  readonly isDurable: boolean;
  readonly kernel?: Kernel;
}

export interface LockFile {
  take(): Outcome;
  release(): void;
  /** Removes files of crashed processes next to the lock; only while we hold it. */
  sweep(): void;
  /** Removes our record before it is linked; a held lock stays. */
  close(): void;
}

/** Creates this process's lock of one path. Several locks in one process are distinguished. */
export function lockFile(file: string, wanting: Wanting): LockFile {
  const checkOwner = ownerCheckFor(wanting);
  const owner = ownerFileFor(file, wanting);
  return {
    take: () => drive(take(owner.laid()), checkOwner),
    release: () => owner.last && drive(letGo(owner.last), checkOwner),
    sweep: () => owner.last && drive(sweep(owner.last), checkOwner),
    close: () => owner.remove(),
  };
}

/** The state of a lock file. */
export interface SeenLock {
  readonly found: Found;
  /** The record in the lock file; undefined if it cannot be read. */
  readonly record: LockRecord | OldRecord | undefined;
  readonly life: Life;
}

/** Reads a lock without changing it. */
export function seeLock(file: string, machine: string, kernel = thisKernel()): SeenLock {
  return seen(readLock(file), ownerCheckFor({ machine, kernel }));
}

/** The lock that caused a refusal, with its owner. */
export function seenIn(outcome: Extract<Outcome, { kind: 'refused' }>): SeenLock {
  return { ...seen(outcome.found, () => outcome.life), life: outcome.life };
}

/** Releases a lock that was seen, after a person's confirmation. @throws the error of the disk */
export function freeLock(file: string, { found }: SeenLock, wanting: Wanting): Outcome {
  if (found.kind !== 'text') return { kind: 'busy' };
  const owner = ownerFileFor(file, wanting);
  try {
    return drive(free(owner.laid(), found), ownerCheckFor(wanting));
  } finally {
    owner.remove();
  }
}

/** Our record in its own file, which is linked to the lock's name in one action. */
interface OwnerFile {
  /** Writes the owner file unless it exists. */
  laid(): Claimant;
  /** The owner file as last written. */
  readonly last: Claimant | undefined;
  remove(): void;
}

function ownerFileFor(
  file: string,
  { holder, machine, claim, isShared, isDurable, kernel }: Wanting,
): OwnerFile {
  const nonce = randomId(16);
  const path = `${file}.${nonce}.paper`;
  const owner = ownerHere(machine, kernel ?? thisKernel());
  const more = { ...(claim && { claim }), ...(isShared !== undefined && { isShared }) };
  const record = { version: 2, holder, ...owner, nonce, ...more } as const;
  let last: Claimant | undefined;
  return {
    get last() {
      return last;
    },
    laid: () => {
      if (last !== undefined && existsSync(path)) return last;
      makeFoldersSync(dirname(file), 0o700); // the folder may have been removed
      const text = writeOwnerFile(path, (inode) => encodeRecord({ ...record, inode }), isDurable);
      last = { file, owner: path, text };
      return last;
    },
    remove: () => rmSync(path, { force: true }),
  };
}

type OwnerCheckOptions = Pick<Wanting, 'machine' | 'kernel'>;

function ownerCheckFor({ machine, kernel = thisKernel() }: OwnerCheckOptions) {
  const here = ownerHere(machine, kernel);
  return ({ text, inode }: Extract<Found, { kind: 'text' }>): Life => {
    const record = decodeRecord(text);
    if (record === undefined) return { state: 'unknown', because: 'it is damaged' };
    if (record.version === 1) {
      return { state: 'unknown', because: 'it was taken by an older version of deskhand' };
    }
    if (record.inode !== inode) {
      return { state: 'unknown', because: 'its folder was copied or restored' };
    }
    return lifeOf(record, here, kernel);
  };
}

function seen(found: Found, checkOwner: ReturnType<typeof ownerCheckFor>): SeenLock {
  if (found.kind !== 'text') {
    return { found, record: undefined, life: { state: 'unknown', because: 'it is damaged' } };
  }
  return { found, record: decodeRecord(found.text), life: checkOwner(found) };
}
