/** Files named on the command line: `-` is stdin, and a missing one is a usage error. */
import process from 'node:process';
import { UsageError } from '../../base/error.ts';
import { readStream } from '../../base/read-file.ts';
import { playbooksIn, testsBelow } from '../../config/playbook-files.ts';
import type { Terminal } from '../screens/terminal.ts';
import { readNamed } from '../../session/machine/read-named.ts';
import { textIn } from '../../session/machine/text-in.ts';

/**
 * The bytes of a file, or of stdin for `-`.
 * @throws UsageError when the file does not exist or cannot be read: see `readNamed`
 */
export async function readArgument(path: string, terminal: Terminal): Promise<Buffer> {
  if (path === '-') return readStream(terminal.input, 'stdin');
  return readNamed(path, process.cwd());
}

/** The same as text. @throws InvalidError when it is not text */
export async function textArgument(path: string, terminal: Terminal): Promise<string> {
  return textIn(await readArgument(path, terminal), path);
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
