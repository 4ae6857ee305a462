/** Small files of a state, on the disk of a machine or in a database that several share. */

/** Small files of a state. Every action is durable when it resolves. @throws DiskError, StoreError */
export interface StateFiles {
  /** The text of a file; undefined when the file does not exist. */
  read(path: string): Promise<string | undefined>;
  /**
   * Writes the file atomically.
   * @param before its text when it was read; undefined when it did not exist
   * @returns false when it has another text now: nothing is written
   */
  replace(path: string, text: string, before: string | undefined): Promise<boolean>;
  /**
   * Creates a new file; false if it exists, whatever its contents.
   * @param text different in each call, so that a repeated one is recognized
   */
  create(path: string, text: string): Promise<boolean>;
  /**
   * Appends a line; one that a crash truncated stays a separate line. @returns the bytes of the whole file
   */
  append(path: string, line: string): Promise<number>;
  /** Names in a folder; none if it does not exist. */
  names(folder: string): Promise<readonly string[]>;
  /** Removes a folder with its contents. */
  remove(folder: string): Promise<void>;
}
