/** Installs this package as its users do: from a repository of its files, with a given npm and Node. */
import { execFile, type ExecFileException } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import process from 'node:process';
import { git } from '../stores/machines.ts';

export const root = join(import.meta.dirname, '..', '..');
const packages = join(import.meta.dirname, 'node_modules');

export interface Ended {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

export interface Start {
  readonly cwd: string;
  /** In addition to the environment of the tests, without what `npm run` added to it. */
  readonly env?: Readonly<Record<string, string>>;
}

export function started(program: string, words: readonly string[], start: Start): Promise<Ended> {
  const env = { ...environment(), ...start.env };
  const options = { cwd: start.cwd, env, maxBuffer: 2 ** 26 };
  return new Promise((resolve) => {
    execFile(program, words, options, (error: ExecFileException | null, stdout, stderr) => {
      const code = error === null ? 0 : typeof error.code === 'number' ? error.code : -1;
      resolve({ code, stdout, stderr });
    });
  });
}

function environment(): Record<string, string> {
  const kept = Object.entries(process.env).filter(([name]) => !/^npm_|^NODE_|^VITEST/.test(name));
  const own = Object.fromEntries(kept.map(([name, value]) => [name, value ?? '']));
  return {
    ...own,
    npm_config_prefer_offline: 'true', // most packages were just installed
    npm_config_fetch_timeout: '60000', // a connection that stalls is not waited for 5 minutes
    npm_config_fetch_retries: '4',
  };
}

export type NpmVersion = '10' | '11';

export function npmProgram(version: NpmVersion): string {
  return join(packages, `npm-${version}`, 'bin', 'npm-cli.js');
}

/** @throws Error with the output of npm if it fails */
export async function npm(
  version: NpmVersion,
  words: readonly string[],
  start: Start,
): Promise<string> {
  const ended = await started(process.execPath, [npmProgram(version), ...words], start);
  if (ended.code !== 0) {
    throw new Error(`npm ${words.join(' ')}: ${ended.code}\n${ended.stdout}${ended.stderr}`);
  }
  return ended.stdout;
}

/** The programs of other versions of Node by major version, where there are such packages. */
export function otherNodes(): readonly (readonly [string, string])[] {
  return ['20', '22', '24', '26']
    .map((major) => [major, join(packages, `node-${major}`, 'bin', 'node')] as const)
    .filter(([, path]) => existsSync(path));
}

/** A repository with this checkout as its only commit, with what is not committed yet. */
export function repositoryOfSources(): string {
  const folder = freshFolder();
  const words = ['ls-files', '-z', '--cached', '--others', '--exclude-standard'];
  const names = git(root, words).split('\0').filter(Boolean);
  for (const name of names.filter((each) => existsSync(join(root, each)))) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    cpSync(join(root, name), join(folder, name));
  }
  git(folder, ['init', '--quiet', '--initial-branch=main']);
  git(folder, ['add', '--all']);
  git(folder, ['commit', '--quiet', '--message', 'all']);
  return folder;
}

export function cloneOf(repository: string): string {
  const folder = freshFolder();
  git(folder, ['clone', '--quiet', `file://${repository}`, '.']);
  return folder;
}

export function freshFolder(): string {
  return mkdtempSync(join(tmpdir(), 'package-'));
}
