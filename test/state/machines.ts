/** Machines that share a bare repository: a clone and a state folder each, thrown away at will. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { afterEach } from 'vitest';
import { minute, standingClock, type Clock, type Millis } from '../../src/base/clock.ts';
import { openStore } from '../../src/state/open.ts';
import type { StateSettings } from '../../src/state/settings.ts';
import type { StateStore, Wanted } from '../../src/state/store.ts';

export const ref = 'refs/deskhand/state';
export const lease = 5 * minute;

export interface Machine {
  readonly folder: string;
  readonly stateDir: string;
  readonly store: StateStore;
  /** The store of a process that starts now, on the same disk under another name. */
  opened(folder: string): StateStore;
}

/** A process that starts after the last one died: the disk is the same, its locks are free. */
export function revived(one: Machine): StateStore {
  const folder = `${one.folder}-again`;
  renameSync(one.folder, folder);
  return one.opened(folder);
}

const folders: string[] = [];

export function freshFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'state-'));
  folders.push(folder);
  return folder;
}

afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

/** Runs git for a test; its own settings are those of nobody. */
export function git(folder: string, words: readonly string[], input = ''): string {
  return execFileSync('git', words, { cwd: folder, env: gitEnv, input, encoding: 'utf8' }).trim();
}

/** Git knows nobody but «test» where a clone does not say otherwise. */
const settings = join(mkdtempSync(join(tmpdir(), 'git-')), 'config');
writeFileSync(settings, '[user]\n  name = test\n  email = test@localhost\n');

export const gitEnv = {
  PATH: process.env['PATH'] ?? '',
  HOME: '/nonexistent',
  GIT_CONFIG_GLOBAL: settings,
};

/** A bare repository with one commit on main. */
export function hub(): string {
  const folder = freshFolder();
  const bare = join(folder, 'hub.git');
  git(folder, ['init', '--quiet', '--bare', '--initial-branch=main', bare]);
  const tree = git(bare, ['mktree']);
  const commit = git(bare, ['commit-tree', tree, '-m', 'begin']);
  git(bare, ['update-ref', 'refs/heads/main', commit]);
  return bare;
}

export interface MachineOptions {
  readonly settings?: Partial<Extract<StateSettings, { store: 'git' }>>;
  readonly env?: Readonly<Record<string, string>>;
  readonly clock?: Clock;
  readonly timeoutMs?: Millis;
  /** Words for `git clone`. */
  readonly clone?: readonly string[];
}

export function machine(bare: string, options: MachineOptions = {}): Machine {
  const folder = join(freshFolder(), 'clone');
  const { clone = [], settings, env, timeoutMs, clock = standingClock(start) } = options;
  git(tmpdir(), ['clone', '--quiet', ...clone, bare, folder]);
  const opened = (at: string): StateStore =>
    openStore(
      { store: 'git', remote: 'origin', ref, lease, ...settings },
      {
        stateDir: join(at, '.deskhand'),
        folder: at,
        clock,
        env: { ...gitEnv, ...env },
        ...(timeoutMs && { timeoutMs }),
      },
    );
  return { folder, stateDir: join(folder, '.deskhand'), opened, store: opened(folder) };
}

export const start = Date.UTC(2026, 10, 20, 4, 0, 0);

export const account = {
  profile: 'main',
  target: 'sandbox',
  host: 'exchange.test',
  keyFingerprint: '00000000',
} as const;

export function wanted(run: string, more: Partial<Wanted> = {}): Wanted {
  return {
    run,
    playbook: 'ladder',
    accounts: [account],
    isResumed: false,
    now: async () => start,
    ...more,
  };
}

/** The commit the ref stands at; empty when it is not there. */
export function tip(bare: string): string {
  return git(bare, ['for-each-ref', '--format=%(objectname)', ref]);
}
