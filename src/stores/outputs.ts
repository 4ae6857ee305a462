/** Copies of the files that runs write, in parts that a store keeps. */

/**
 * The name of a copy: a path and the digest of a content. Another content of the same path is another copy.
 */
export interface OutputName {
  /** The path as the playbook names it: `out/volume.csv`. */
  readonly path: string;
  readonly sha256: string;
}

export interface OutputPart extends OutputName {
  /** The number of the part, from 0. */
  readonly part: number;
  /** The content of the part: at most `partMax` bytes. */
  readonly content: Uint8Array;
}

export const partMax = 256 * 1024; // bytes: within the deadline of a statement on a slow line

/** A copy that is stored, with the bytes of its stored parts. */
export interface StoredOutput extends OutputName {
  readonly bytes: number;
}

/** Reads copies of any run. Every method throws StoreError when the database gave no answer. */
export interface OutputReader {
  list(run: string): Promise<readonly StoredOutput[]>;
  /** Reads one part of a copy; undefined after the last part. */
  part(run: string, output: OutputName, part: number): Promise<Uint8Array | undefined>;
}

/** Stores the files of a run that this process has taken. */
export interface HeldOutputs {
  /** Bytes of all copies of the run. */
  total(): Promise<number>;
  /** Stores a part. @throws StoreError; HeldError when another process has taken the run */
  keep(part: OutputPart): Promise<void>;
  /** Removes every other content of the same path. @throws as `keep` */
  keepOnly(output: OutputName): Promise<void>;
}
