/** The contents of a lock file: the holder, its purpose, and a nonce that no other lock has. */
import { isRecord } from '../json.ts';
import { isOwner, isPid, type Owner } from './owner.ts';

export interface LockRecord extends Owner {
  readonly version: 2;
  /** The purpose of the lock, for people: a run, or a description. */
  readonly holder: string;
  /** A random id, new for each prepared lock. */
  readonly nonce: string;
  /** The inode of the file to which the record was written: a copied file has another. */
  readonly inode: string;
  /** Nonce of the claim in the state store with the holder's lease. */
  readonly claim?: string;
  /**
   * Whether the process has other work, which a signal would end as well; absent in locks of earlier
   * versions.
   */
  readonly isShared?: boolean;
}

/** A lock before version 2: it names a process without its machine and namespace. */
export interface OldRecord {
  readonly version: 1;
  readonly holder: string;
  readonly host: string;
  readonly pid: number;
}

export function encodeRecord(record: LockRecord): string {
  return `${JSON.stringify(record)}\n`;
}

/** Decodes the text of a lock file; undefined for a text that is not a lock. */
export function decodeRecord(text: string): LockRecord | OldRecord | undefined {
  const value = parsed(text);
  if (isLockRecord(value)) return value;
  if (!isRecord(value)) return oldWorldLock(text);
  const { run, host, pid } = value;
  const isOld = value['version'] === undefined && typeof run === 'string' && isPid(pid);
  return isOld && typeof host === 'string' ? { version: 1, holder: run, host, pid } : undefined;
}

/** The lock of a sandbox world was a process id and its start tick. */
function oldWorldLock(text: string): OldRecord | undefined {
  const pid = Number(/^(\d+) \d*$/.exec(text)?.[1]);
  return isPid(pid) ? { version: 1, holder: 'a sandbox', host: '', pid } : undefined;
}

function isLockRecord(value: unknown): value is LockRecord {
  return (
    isOwner(value) &&
    isRecord(value) &&
    value['version'] === 2 &&
    ['holder', 'nonce', 'inode'].every((key) => typeof value[key] === 'string') &&
    (value['claim'] === undefined || typeof value['claim'] === 'string') &&
    (value['isShared'] === undefined || typeof value['isShared'] === 'boolean')
  );
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined; // incomplete, or of another format
  }
}
