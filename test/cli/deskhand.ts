/** Starts the command line as a shell would, in a separate folder. */
import { spawn, type ChildProcess, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { inject } from 'vitest';
import { afterEachTest } from '../support/cleanup.ts';
import { runResident } from './residents.ts';

export interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface Start {
  readonly cwd: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly input?: string;
  /** A wrapper command, such as `unshare --pid --fork`. */
  readonly around?: readonly string[];
}

/** Runs to the end, in a reused process unless options require a new one. */
export async function deskhand(words: readonly string[], start: Start): Promise<Ended> {
  if (isOrdinary(words, start)) {
    return runResident({ words, cwd: start.cwd, env: envOf(start), input: start.input ?? '' });
  }
  return deskhandAlone(words, start);
}

/** Settings that apply to a whole process, or that Node reads at startup. */
function isOrdinary(words: readonly string[], { around, env = {} }: Start): boolean {
  const names = Object.keys(env);
  return (
    around === undefined &&
    !words.includes('--max-file-size') &&
    words[0] !== 'lsp' && // it ends its process
    words[0] !== 'mcp' && // it reads the stdin of its process
    !names.some((name) => name === 'TZ' || name.startsWith('NODE_'))
  );
}

/** Runs to the end in a new process. */
export async function deskhandAlone(words: readonly string[], start: Start): Promise<Ended> {
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

/** Starts it, and returns while it runs. */
export function begin(words: readonly string[], start: Start): ChildProcessWithoutNullStreams {
  const { cwd, around = [] } = start;
  const [program = '', ...args] = [...around, process.execPath, inject('launcher'), ...words];
  const child = spawn(program, args, {
    cwd,
    env: envOf(start),
  });
  if (child.pid !== undefined) children.add(child);
  child.once('exit', () => children.delete(child));
  return child;
}

/** An environment without our variables. */
export function envOf({ cwd, env = {} }: Start): Record<string, string> {
  const { PATH = '', HOME = '' } = process.env;
  const own = { PATH, HOME, TMPDIR: tmpdir(), XDG_CONFIG_HOME: join(cwd, '.config') };
  return { ...own, LANG: 'C.UTF-8', ...env };
}

const children = new Set<ChildProcess>();

/** A test that failed or timed out leaves no process running. */
async function endChildren(): Promise<void> {
  await Promise.all(
    [...children].map((child) => {
      child.kill('SIGKILL');
      return once(child, 'exit');
    }),
  );
}

const folders: string[] = [];

/** A folder with these files, removed after the test. */
export function folderWith(files: Readonly<Record<string, string>> = {}): string {
  const folder = keptFolder(files);
  folders.push(folder);
  return folder;
}

/** The same for several tests, which remove it themselves. */
export function keptFolder(files: Readonly<Record<string, string>> = {}): string {
  const folder = mkdtempSync(join(tmpdir(), 'd'));
  for (const [name, content] of Object.entries(files)) {
    const path = join(folder, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, content);
  }
  return folder;
}

afterEachTest(async () => {
  await endChildren();
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});
