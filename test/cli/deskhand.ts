/** Starts the command line as a person's shell would, in a folder of its own. */
import { spawn, type ChildProcess, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterEach, inject } from 'vitest';

export interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface Start {
  readonly cwd: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly input?: string;
}

/** Runs to the end. */
export async function deskhand(words: readonly string[], start: Start): Promise<Ended> {
  const child = begin(words, start);
  child.stdin.on('error', () => undefined); // it may end without reading
  child.stdin.end(start.input ?? '');
  const [stdout, stderr, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'close'),
  ]);
  return { code, stdout, stderr };
}

/** Starts and goes on. The environment holds nothing of ours. */
export function begin(
  words: readonly string[],
  { cwd, env = {} }: Start,
): ChildProcessWithoutNullStreams {
  const { PATH = '', HOME = '' } = process.env;
  const child = spawn(process.execPath, [inject('launcher'), ...words], {
    cwd,
    env: { PATH, HOME, XDG_CONFIG_HOME: join(cwd, '.config'), LANG: 'C.UTF-8', ...env },
  });
  if (child.pid !== undefined) children.add(child);
  child.once('exit', () => children.delete(child));
  return child;
}

const children = new Set<ChildProcess>();

/** A test that failed or ran out of time leaves nothing running. */
async function endChildren(): Promise<void> {
  await Promise.all(
    [...children].map((child) => {
      child.kill('SIGKILL');
      return once(child, 'exit');
    }),
  );
}

const folders: string[] = [];

/** A folder with these files, gone after the test. */
export function folderWith(files: Readonly<Record<string, string>> = {}): string {
  const folder = mkdtempSync(join(tmpdir(), 'deskhand-'));
  folders.push(folder);
  for (const [name, content] of Object.entries(files)) {
    const path = join(folder, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, content);
  }
  return folder;
}

afterEach(async () => {
  await endChildren();
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});
