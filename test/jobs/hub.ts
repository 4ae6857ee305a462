/** A bare repository that machines share, and the clones that work in it. */
import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gitEnv } from '../stores/machines.ts';

/** What deskhand.yaml says of it; `lease` is the default. */
export const sharedState = { store: 'git', ref: 'refs/heads/state' } as const;

/** @returns a new bare repository */
export function newHub(): string {
  const folder = mkdtempSync(join(tmpdir(), 'hub-'));
  git(folder, ['init', '--quiet', '--bare', '--initial-branch=main']);
  return folder;
}

/** What it has at this moment: a process that died pushes nothing there. */
export function copyOf(hub: string): string {
  const copy = mkdtempSync(join(tmpdir(), 'hub-'));
  cpSync(hub, copy, { recursive: true });
  return copy;
}

/** Makes a folder a checkout of it. */
export function joinHub(folder: string, hub: string): void {
  git(folder, ['init', '--quiet', '--initial-branch=main']);
  git(folder, ['remote', 'add', 'origin', hub]);
}

function git(cwd: string, words: readonly string[]): void {
  execFileSync('git', words, { cwd, env: gitEnv, stdio: 'pipe' });
}
