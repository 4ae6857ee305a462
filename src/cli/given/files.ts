/** Files named on the command line: `-` is stdin, a missing one is a usage error. */
import { existsSync, statSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { UsageError } from '../../base/error.ts';
import { decodeUtf8, JsonError } from '../../base/json.ts';
import { nearWord } from '../../base/text.ts';
import type { Terminal } from '../screens/terminal.ts';
import { InvalidError } from './invalid.ts';

/**
 * The bytes of a file, or of stdin for `-`.
 * @throws UsageError when there is no such file
 */
export async function readGiven(path: string, terminal: Terminal): Promise<Buffer> {
  if (path === '-') return buffer(terminal.input);
  try {
    return await readFile(path);
  } catch (error) {
    throw await unreadable(path, error);
  }
}

/**
 * The same as text.
 * @throws InvalidError when it is none
 */
export async function textGiven(path: string, terminal: Terminal): Promise<string> {
  try {
    return decodeUtf8(await readGiven(path, terminal));
  } catch (error) {
    if (!(error instanceof JsonError)) throw error;
    throw new InvalidError(`${path === '-' ? 'stdin' : path} is not UTF-8 text`);
  }
}

/** Playbooks of this folder, when none was named. */
export async function playbooksHere(): Promise<readonly string[]> {
  const found = await Promise.all(['playbooks', 'workflows', '.'].map(yamlFilesIn));
  const files = found.find((names) => names.length > 0);
  if (files !== undefined) return files;
  throw new UsageError('there is no playbook here', 'name one, or run «deskhand init»');
}

/**
 * Files of tests: those that are named, and all below a folder that is.
 * @throws UsageError when there is none
 */
export async function testsIn(words: readonly string[]): Promise<readonly string[]> {
  if (words.includes('-'))
    throw new UsageError('a test is a file', 'name it; it says where its playbook is');
  const found = await Promise.all(words.map(async (word) => (await testsBelow(word)) ?? [word]));
  const files = [...new Set(found.flat())];
  if (files.length > 0) return files;
  throw new UsageError('there is no test here', 'name a file such as playbooks/ladder.test.yaml');
}

/** Undefined for what is no folder. */
async function testsBelow(word: string): Promise<readonly string[] | undefined> {
  if (!existsSync(word) || !statSync(word).isDirectory()) return undefined;
  const entries = await readdir(word, { withFileTypes: true });
  const nested = await Promise.all(
    entries
      .filter(({ name }) => !name.startsWith('.') && name !== 'node_modules')
      .toSorted((a, b) => (a.name < b.name ? -1 : 1))
      .map(async (entry) => {
        const path = join(word, entry.name);
        if (entry.isDirectory()) return (await testsBelow(path)) ?? [];
        return /\.test\.ya?ml$/.test(entry.name) ? [path] : [];
      }),
  );
  return nested.flat();
}

async function yamlFilesIn(folder: string): Promise<string[]> {
  const names = existsSync(folder) ? await readdir(folder) : [];
  return names
    .filter(
      (name) => /\.ya?ml$/.test(name) && !/^(deskhand|guards)\.ya?ml$|\.test\.ya?ml$/.test(name),
    )
    .sort()
    .map((name) => join(folder, name));
}

async function unreadable(path: string, error: unknown): Promise<Error> {
  if (!(error instanceof Error) || !('code' in error)) throw error;
  if (error.code === 'EISDIR') return new UsageError(`${path} is a folder`, 'name a file in it');
  return error.code === 'ENOENT' || error.code === 'ENOTDIR' ? missingFile(path) : error;
}

/** A file that is not there, with the near name of one that is. */
export async function missingFile(path: string): Promise<UsageError> {
  const folder = dirname(path);
  const names = await readdir(folder).catch(() => []);
  const near = nearWord(
    path,
    names.map((name) => join(folder, name)).filter((name) => name !== join(path)), // a link to nowhere
  );
  return new UsageError(`there is no file ${path}`, near && `did you mean ${near}?`);
}
