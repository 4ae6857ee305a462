/** Files named on the command line: `-` is stdin, a missing one is a usage error. */
import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { UsageError } from '../base/error.ts';
import { nearWord } from '../base/text.ts';
import type { Terminal } from './terminal.ts';

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

/** Playbooks of this folder, when none was named. */
export async function playbooksHere(): Promise<readonly string[]> {
  const found = await Promise.all(['playbooks', 'workflows', '.'].map(yamlFilesIn));
  const files = found.find((names) => names.length > 0);
  if (files !== undefined) return files;
  throw new UsageError('there is no playbook here', 'name one, or run «deskhand init»');
}

async function yamlFilesIn(folder: string): Promise<string[]> {
  const names = existsSync(folder) ? await readdir(folder) : [];
  return names
    .filter((name) => /\.ya?ml$/.test(name) && !/^deskhand\.ya?ml$|\.test\.ya?ml$/.test(name))
    .sort()
    .map((name) => join(folder, name));
}

async function unreadable(path: string, error: unknown): Promise<Error> {
  if (!(error instanceof Error) || !('code' in error)) throw error;
  if (error.code === 'EISDIR') return new UsageError(`${path} is a folder`, 'name a file in it');
  if (error.code !== 'ENOENT') return error;
  const folder = dirname(path);
  const names = existsSync(folder) ? await readdir(folder) : [];
  const near = nearWord(
    path,
    names.map((name) => join(folder, name)),
  );
  return new UsageError(`there is no file ${path}`, near && `did you mean ${near}?`);
}
