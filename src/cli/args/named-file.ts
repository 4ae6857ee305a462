/** Files named on the command line. `-` is stdin; a missing file is a usage error. */
import process from 'node:process';
import { UsageError } from '../../base/error.ts';
import { readStream } from '../../base/read-file.ts';
import { plainText } from '../../base/text.ts';
import {
  playbooksHere,
  testsBelow,
  type PlaybookFiles,
  type SkippedFile,
} from '../../app/config/playbook-files.ts';
import type { Context } from '../context.ts';
import type { Terminal } from '../../report/terminal/terminal.ts';
import { readNamed } from '../../app/machine/read-named.ts';
import { textIn } from '../../app/machine/text-in.ts';

/**
 * The bytes of a file, or of stdin for `-`.
 * @throws UsageError when the file does not exist or cannot be read: see `readNamed`
 */
export async function readArgument(path: string, terminal: Terminal): Promise<Buffer> {
  if (path === '-') return readStream(terminal.input, 'stdin');
  return readNamed(path, process.cwd());
}

/** The text of a file, or of stdin for `-`. @throws InvalidError when it is not text */
export async function textArgument(path: string, terminal: Terminal): Promise<string> {
  return textIn(await readArgument(path, terminal), path);
}

/**
 * The playbooks named on the command line, or else those in this folder; skipped files are
 * reported.
 */
export async function playbooksOf(
  words: readonly string[],
  context: Context,
): Promise<PlaybookFiles> {
  if (words.length > 0) return { files: words, skipped: [] };
  const found = await playbooksHere();
  if (!context.globals.isQuiet) printSkipped(found.skipped, context);
  return found;
}

/** Reports skipped files. @param printed earlier reports, which are not repeated */
export function printSkipped(
  skipped: readonly SkippedFile[],
  { terminal: { err } }: Pick<Context, 'terminal'>,
  printed = new Set<string>(),
): void {
  for (const { file, because } of skipped) {
    const text = `${plainText(file, 200)} is skipped: ${plainText(because)}`;
    if (!printed.has(text)) err.line(`${err.theme.sign('warn')} ${text}`);
    printed.add(text);
  }
}

/**
 * Test files: those named on the command line, and all in a named folder and its subfolders.
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
