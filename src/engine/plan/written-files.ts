/** The files that an item wrote, as its response names them, and as later steps use them. */
import { isJsonRecord, type Json } from '../../base/json.ts';
import type { Value } from '../../language/expression/value.ts';

/** The files of an item. */
export interface WrittenFiles {
  /** The file; the last of several. */
  readonly file: string;
  readonly files: readonly string[];
  /** The number of rows of all of them; absent for a document. */
  readonly rows?: number;
  /**
   * The contents of the file's manifest; absent for a document, and for a run of an earlier
   * version.
   */
  readonly manifest?: Json;
}

/** The files that a response names. */
export function filesIn(response: Json): WrittenFiles | undefined {
  if (!isJsonRecord(response)) return undefined;
  const { file, files, rows, manifest } = response;
  if (typeof file !== 'string') return undefined;
  const all = Array.isArray(files) ? files.filter((each) => typeof each === 'string') : [file];
  return {
    file,
    files: all,
    ...(typeof rows === 'number' && { rows }),
    ...(manifest !== undefined && { manifest }),
  };
}

/** The values of `steps.ID` for the files of a step without items. */
export function fileValues({
  file,
  files,
  rows,
  manifest,
}: Partial<WrittenFiles>): Readonly<Record<string, Value>> {
  return {
    ...(file !== undefined && { file }),
    ...(rows !== undefined && { rows }),
    ...(files !== undefined && { files }),
    ...(manifest !== undefined && { manifest }),
  };
}
