/** Small files and locks that several machines share: what a database must do for them. */
import type { Millis } from '../../base/clock.ts';
import type { StateFiles } from '../small-files.ts';

/**
 * Paths are relative. Every method throws StoreError when the database gave no answer: then its
 * effect is unknown, and it may be repeated.
 */
export interface SharedFiles extends Omit<StateFiles, 'append'> {
  /** @param id of the line: repeated, it changes nothing */
  append(path: string, line: string, id: string): Promise<number>;
  /**
   * Takes a lock unless another holder's lease lasts, by the clock of the database.
   * @param holder random
   */
  lock(name: string, holder: string, lease: Millis): Promise<boolean>;
  /** Prolongs a lock, unless another has taken it. */
  renew(name: string, holder: string, lease: Millis): Promise<void>;
  /** No effect if another has it. */
  unlock(name: string, holder: string): Promise<void>;
  /** The clock of the database. */
  now(): Promise<Millis>;
  close(): Promise<void>;
}
