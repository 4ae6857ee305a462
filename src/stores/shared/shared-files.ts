/** The interface of a database for small files and locks that several machines share. */
import type { Millis } from '../../base/clock.ts';
import type { StateFiles } from '../small-files.ts';

/**
 * Files and locks; paths are relative. Every method throws StoreError when the database gave no answer: then
 * its effect is unknown, and it may be repeated.
 */
export interface SharedFiles extends Omit<StateFiles, 'append'> {
  /** Appends a line. @param id of the line: repeated, it changes nothing */
  append(path: string, line: string, id: string): Promise<number>;
  /**
   * Takes a lock unless another holder's lease lasts, by the clock of the database.
   * @param holder random
   */
  lock(name: string, holder: string, lease: Millis): Promise<boolean>;
  /** Prolongs a lock, unless another holder has taken it. */
  renew(name: string, holder: string, lease: Millis): Promise<void>;
  /** Releases a lock; no effect if another holder has it. */
  unlock(name: string, holder: string): Promise<void>;
  /** The time by the clock of the database. */
  now(): Promise<Millis>;
  close(): Promise<void>;
}
