/** Files named on the command line: `-` is stdin, and a missing one is a usage error. */
import { readdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { UsageError } from '../../base/error.ts';
import { decodeUtf8, JsonError } from '../../base/json.ts';
import { readRegular, readStream, UnreadableError } from '../../base/read-file.ts';
import { nearWord } from '../../base/text.ts';
import { refuseLeadingOut } from '../../base/workspace.ts';
import { playbooksIn, testsBelow } from '../../config/playbook-files.ts';
import type { Terminal } from '../screens/terminal.ts';
import { InvalidError } from './invalid.ts';

/**
 * The bytes of a file, or of stdin for `-`.
 * @throws UsageError when the file does not exist or cannot be read: see `readRegular`
 */
export async function readArgument(path: string, terminal: Terminal): Promise<Buffer> {
  if (path === '-') return readStream(terminal.input, 'stdin');
  try {
    refuseLeadingOut(path);
    return await readRegular(path);
  } catch (error) {
    throw await unreadable(path, error);
  }
}

/** The same as text. @throws InvalidError when it is not text */
export async function textArgument(path: string, terminal: Terminal): Promise<string> {
  return textIn(await readArgument(path, terminal), path);
}

/** @throws InvalidError for bytes that are not text */
export function textIn(bytes: Uint8Array, path: string): string {
  const name = path === '-' ? 'stdin' : path;
  try {
    const text = decodeUtf8(bytes);
    if (!text.includes('\0')) return text;
  } catch (error) {
    if (!(error instanceof JsonError)) throw error;
    throw new InvalidError(`${name} is not UTF-8 text`);
  }
  throw new InvalidError(`${name} is not text: it has zero bytes`);
}

/** The playbooks in this folder, if no file was named. */
export async function playbooksHere(): Promise<readonly string[]> {
  const files = await playbooksIn('.');
  if (files.length > 0) return files;
  throw new UsageError('no playbook found here', 'name one, or run `deskhand init`');
}

/**
 * Test files: those named, and all in a folder and its subfolders.
 * @throws UsageError when there is none
 */
export async function testsIn(words: readonly string[]): Promise<readonly string[]> {
  if (words.includes('-'))
    throw new UsageError('a test is a file', 'name the test file; it names its playbook');
  const found = await Promise.all(words.map(async (word) => (await testsBelow(word)) ?? [word]));
  const files = [...new Set(found.flat())];
  if (files.length > 0) return files;
  throw new UsageError('no test found here', 'name a file such as playbooks/ladder.test.yaml');
}

async function unreadable(path: string, error: unknown): Promise<Error> {
  if (error instanceof UnreadableError) return error;
  if (!(error instanceof Error) || !('code' in error)) throw error;
  return error.code === 'ENOENT' || error.code === 'ENOTDIR' ? missingFile(path) : error;
}

/** A missing file, with a similar name that exists. */
export async function missingFile(path: string): Promise<UsageError> {
  const folder = dirname(path);
  const names = await readdir(folder).catch(() => []);
  const near = nearWord(
    path,
    names.map((name) => join(folder, name)).filter((name) => name !== join(path)), // a broken symbolic link
  );
  return new UsageError(`file not found: ${path}`, near && `did you mean ${near}?`);
}
