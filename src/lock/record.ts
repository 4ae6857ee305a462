/** What a lock file holds: who has the lock, for what, and a nonce that no other lock has. */
import { isRecord } from '../base/json.ts';
import { isOwner, isPid, type Owner } from './owner.ts';

export interface LockRecord extends Owner {
  readonly version: 2;
  /** What the lock is held for, for people: a run, or a description. */
  readonly holder: string;
  /** Drawn for each time the lock is prepared. */
  readonly nonce: string;
  /** Inode of the file this was written to: a copied file has another. */
  readonly inode: string;
  /** Nonce of the claim in the state store that the holder's lease belongs to. */
  readonly claim?: string;
}

/** A lock of a version before 2: it names a process and not where that process can be seen. */
export interface OldRecord {
  readonly version: 1;
  readonly holder: string;
  readonly host: string;
  readonly pid: number;
}

export function encodeRecord(record: LockRecord): string {
  return `${JSON.stringify(record)}\n`;
}

/** Undefined for a text that is not a lock. */
export function decodeRecord(text: string): LockRecord | OldRecord | undefined {
  const value = parsed(text);
  if (isLockRecord(value)) return value;
  if (!isRecord(value)) return oldWorldLock(text);
  const { run, host, pid } = value;
  const isOld = value['version'] === undefined && typeof run === 'string' && isPid(pid);
  return isOld && typeof host === 'string' ? { version: 1, holder: run, host, pid } : undefined;
}

/** The lock of a sandbox's world was a process number and the tick it started at. */
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
    (value['claim'] === undefined || typeof value['claim'] === 'string')
  );
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined; // half written, or of another kind
  }
}
