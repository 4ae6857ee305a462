/** Copies of the files that runs write, in parts. */

/** A content of a file: another one of the same path is another copy. */
export interface OutputName {
  /** As named by the playbook: `out/volume.csv`. */
  readonly path: string;
  readonly sha256: string;
}

export interface OutputPart extends OutputName {
  /** From 0. */
  readonly part: number;
  /** At most `partMax` bytes. */
  readonly content: Uint8Array;
}

export const partMax = 256 * 1024; // bytes: within the deadline of a statement on a slow line

/** The parts of a copy that are stored. */
export interface StoredOutput extends OutputName {
  readonly bytes: number;
}

/** Reads copies of any run. Every method throws StoreError when the database gave no answer. */
export interface OutputReader {
  list(run: string): Promise<readonly StoredOutput[]>;
  /** Undefined after the last part. */
  part(run: string, output: OutputName, part: number): Promise<Uint8Array | undefined>;
}

/** Stores the files of a run that this process has taken. */
export interface HeldOutputs {
  /** Bytes of all copies of the run. */
  total(): Promise<number>;
  /** @throws StoreError; HeldError when another process has taken the run */
  keep(part: OutputPart): Promise<void>;
  /** @throws as `keep` */
  keepOnly(output: OutputName): Promise<void>;
}
