/** Why a lock is not available: its holder, whether that is certain, and the command that releases it. */
import { DeskhandError, exits } from '../../base/error.ts';
import { count, plainText, shellWord } from '../../base/text.ts';
import type { SeenLock } from '../../base/lock/lock-file.ts';

/** The subject that a lock protects, such as a run or an account. */
export interface Subject {
  /** The argument of `deskhand runs unlock`: a run or the name of a lock. */
  readonly word?: string;
  /** The activity of the holder, as a verb phrase: "is writing to this account". */
  readonly does: string;
  /** The activity of a holder that may have ended. */
  readonly mayDo: string;
  /** Prefix of the holder's name: "run ". */
  readonly kind: string;
}

/** A lock of the state folder as it was found. */
export interface LockInTheWay extends SeenLock {
  readonly file: string;
}

/** Describes a holder that is gone: nobody has to release its locks. */
export function leftWords(locks: number): string {
  return `has ended; its ${count(locks, 'lock')} ${locks === 1 ? 'blocks' : 'block'} nothing`;
}

/** Another process holds an exclusive lock; nothing was sent. */
export class LockedError extends DeskhandError {
  /** The lock in the way; absent if its record does not identify the owner. */
  readonly lock: LockInTheWay | undefined;

  constructor(message: string, hint: string, lock?: LockInTheWay) {
    super(`${message}; nothing was sent`, {
      code: 'locked',
      actor: 'operator',
      exit: exits.heldBack,
      hint,
    });
    this.lock = lock;
  }

  /**
   * Whether the subject stays locked until a person confirms that the owner is gone: waiting does not help.
   */
  get needsPerson(): boolean {
    return this.lock?.life.state === 'unknown';
  }
}

/** The error for an existing lock. */
export function lockedBy(lock: LockInTheWay, subject: Subject): LockedError {
  const { record, life, file } = lock;
  if (record === undefined) {
    return new LockedError(
      `the lock ${file} is damaged and does not name its holder`,
      `if deskhand is not running on this state folder, remove it: rm ${shellWord(file)}`,
      lock,
    );
  }
  const who = `${subject.kind}${plainText(record.holder, 80)} (${processOf(record)})`;
  if (life.state !== 'unknown') {
    return new LockedError(
      `${who} ${subject.does}`,
      'wait for it to end, or stop it, then run again',
      lock,
    );
  }
  return new LockedError(
    `${who} ${subject.mayDo}, and this process cannot tell whether it has ended: ${life.because}`,
    `if it is gone permanently, record how you know: ${unlockCommand(subject.word ?? record.holder)}`,
    lock,
  );
}

/** The error if another process is taking the lock, or if its holders change constantly. */
export function lockedByNobody({ does }: Subject): LockedError {
  return new LockedError(`another process ${does}`, 'wait for it to end, then run again');
}

export function unlockCommand(word: string): string {
  return `deskhand runs unlock ${shellWord(plainText(word, 80))} --comment "…"`;
}

export function processOf({ pid, host }: { readonly pid: number; readonly host: string }): string {
  return `process ${pid}${host === '' ? '' : ` on ${plainText(host, 60)}`}`;
}
