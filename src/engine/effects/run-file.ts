/** Files that this run wrote, unchanged, for messages that carry them. */
import { join } from 'node:path';
import { createHash } from 'node:crypto';
import { isCode } from '../../base/error.ts';
import { readRegular, UnreadableError } from '../../base/read-file.ts';
import { count, plainText } from '../../base/text.ts';
import { ExportError } from '../export/error.ts';
import { filePartsOf } from '../export/target.ts';
import type { Entry } from '../journal/entry.ts';
import type { RunPlace } from './effect-context.ts';

/** The bytes that all files of one message may have together; many mail servers refuse 20 MB. */
export const carriedMax = 10 * 1024 * 1024;

/**
 * Reads files of a run in their order; their sizes are known before any is read.
 * @param entries the journal of the run
 * @throws ExportError for a file that the run did not write, that has changed since, or too many bytes
 */
export async function runFiles(
  files: readonly string[],
  entries: readonly Entry[],
  place: RunPlace,
): Promise<readonly Buffer[]> {
  const written = files.map((file) => recordOf(file, entries));
  const bytes = written.reduce((sum, each) => sum + each.bytes, 0);
  if (bytes > carriedMax) {
    throw new ExportError(
      'file-too-large',
      `${count(files.length, 'file')} of the notice have ${bytes} bytes together, and it may have ${carriedMax}`,
      { hint: 'attach fewer or smaller files, such as .csv.gz, and link to the run' },
    );
  }
  const read: Buffer[] = [];
  for (const each of written) read.push(await contentOf(each, place));
  return read;
}

interface Written {
  readonly file: string;
  readonly bytes: number;
  readonly sha256: string;
}

/** The newest record of a file. */
function recordOf(file: string, entries: readonly Entry[]): Written {
  const found = entries.findLast(
    (entry) => (entry.kind === 'wrote' || entry.kind === 'document') && entry.file === file,
  );
  if (found !== undefined && 'sha256' in found && 'bytes' in found) return found;
  throw new ExportError('file-name', `${plainText(file, 160)} was not written by this run`, {
    hint: 'attach files of its steps, such as "{{ steps.bills.file }}"',
  });
}

async function contentOf(
  { file, bytes, sha256 }: Written,
  { workspace, elsewhere }: RunPlace,
): Promise<Buffer> {
  const where = elsewhere?.get(file);
  if (where !== undefined) {
    throw new ExportError(
      'file-elsewhere',
      `${plainText(file, 160)} of this run is not here: ${plainText(where)}`,
      { hint: 'continue the run there, or run it again with outputs: { keep: store }' },
    );
  }
  const content = await bytesAt(join(workspace, ...filePartsOf(file)));
  const digest = content && createHash('sha256').update(content).digest('hex');
  if (content !== undefined && content.length === bytes && digest === sha256) return content;
  const because = content === undefined ? 'is missing' : 'was changed since it was written';
  throw new ExportError('file-changed', `${file} ${because}`, {
    hint: 'do not change files of a run before it is done; run it again',
  });
}

/** @returns undefined if it cannot be read as a regular file of at most this size */
async function bytesAt(path: string): Promise<Buffer | undefined> {
  try {
    return await readRegular(path, carriedMax);
  } catch (error) {
    if (error instanceof UnreadableError || isCode(error, 'ENOENT')) return undefined;
    throw error;
  }
}
