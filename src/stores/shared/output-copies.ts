/** The interface of a database for copies of the files that runs write. */
import type { OutputName, OutputPart, OutputReader } from '../outputs.ts';
import type { Holder } from './shared-runs.ts';

/**
 * Stores copies. Every method throws StoreError when the database gave no answer: then its effect is unknown.
 */
export interface SharedOutputs extends OutputReader {
  /**
   * Stores a part. The same part may be stored again.
   * @returns false when the run was taken by another, or the database is another one now
   */
  keep(holder: Holder, part: OutputPart): Promise<boolean>;
  /** Removes every other content of the path. @returns as `keep` */
  keepOnly(holder: Holder, output: OutputName): Promise<boolean>;
  close(): Promise<void>;
}
