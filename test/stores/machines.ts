/** Machines that share a bare repository: a clone and a state folder each, thrown away at will. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { minute, standingClock, type Clock, type Millis } from '../../src/base/clock.ts';
import type { Event } from '../../src/engine/journal/entry.ts';
import { createRun } from '../../src/engine/journal/runs.ts';
import { noGuard } from '../../src/base/lock/guard.ts';
import { thisKernel, type Kernel } from '../../src/base/lock/kernel.ts';
import type { StateRef } from '../../src/stores/git/ref.ts';
import { gitStore } from '../../src/stores/git/store.ts';
import { openGitStore, openRef } from '../../src/stores/open.ts';
import type { StateSettings } from '../../src/stores/settings.ts';
import type { Hold, StateStore, Wanted } from '../../src/stores/store.ts';
import { afterEachTest } from '../support/cleanup.ts';

export const ref = 'refs/deskhand/state';
export const lease = 5 * minute;

/** Does something that may be the last act of its process. */
export type Acting = <T>(work: () => Promise<T>) => Promise<T>;

export interface Machine {
  readonly folder: string;
  readonly stateDir: string;
  readonly store: StateStore;
  /** The store of another process on the same disk. */
  opened(kernel: Kernel): StateStore;
  /** The store of a process whose pushes are acts; default: of this process. */
  storeFor(push: Acting, kernel?: Kernel): StateStore;
}

/** A process that is not there any longer, on this boot and in this namespace. */
export const ended: Kernel = { ...thisKernel(), pid: 4_194_305, born: '17' };

const folders: string[] = [];

export function freshFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'state-'));
  folders.push(folder);
  return folder;
}

afterEachTest(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

/** Runs git for a test; its own settings are those of no one. */
export function git(folder: string, words: readonly string[], input = ''): string {
  return execFileSync('git', words, { cwd: folder, env: gitEnv, input, encoding: 'utf8' }).trim();
}

/** Git knows no one but "test" where a clone does not say otherwise. */
const settings = join(import.meta.dirname, '..', 'support', 'gitconfig');

export const gitEnv = {
  PATH: process.env['PATH'] ?? '',
  HOME: '/nonexistent',
  get TMPDIR(): string {
    return tmpdir();
  },
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
  /** A clone that is there already: this machine has its own state folder, and shares no other. */
  readonly folder?: string;
}

export function machine(bare: string, options: MachineOptions = {}): Machine {
  const { clone = [], settings, env, timeoutMs, clock = standingClock(start) } = options;
  const folder = options.folder ?? join(freshFolder(), 'clone');
  if (options.folder === undefined) git(tmpdir(), ['clone', '--quiet', ...clone, bare, folder]);
  const stateDir =
    options.folder === undefined ? join(folder, '.deskhand') : join(freshFolder(), 'state');
  const all = { store: 'git', remote: 'origin', ref, lease, ...settings } as const;
  const place = {
    stateDir,
    folder,
    clock,
    guard: noGuard,
    env: { ...gitEnv, ...env },
    ...(timeoutMs && { timeoutMs }),
  };
  const opened = (kernel: Kernel): StateStore => openGitStore(all, { ...place, kernel });
  const storeFor = (push: Acting, kernel = thisKernel()): StateStore => {
    const own = openRef(all, place);
    const ref: StateRef = {
      read: () => own.read(),
      change: (edit, start) => push(() => own.change(edit, start)),
    };
    return gitStore({ stateDir, lease: all.lease, kernel, guard: noGuard, ref });
  };
  return { folder, stateDir, opened, storeFor, store: opened(thisKernel()) };
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
    observedAt: start,
    ...more,
  };
}

/** The first entry of run r-1. */
export const started = {
  kind: 'started',
  run: 'r-1',
  playbook: { name: 'ladder', file: 'ladder.yaml', digest: 'd', text: 't' },
  destination: account,
  inputs: {},
  time: start,
  program: 't',
  steps: [],
} as const satisfies Event;

export const intended = {
  kind: 'intended',
  address: 'bid',
  operation: 'futures/place-order',
  input: {},
  identity: 'i',
  attempt: 1,
  signedAt: start,
} as const satisfies Event;

/** A whole run that sent nothing, unless its events say otherwise. */
export async function withRun(
  from: Machine,
  run: string,
  plan?: string,
  events: readonly Event[] = [finished],
): Promise<void> {
  const hold = await begun(from, run, plan, events);
  await hold.release();
}

/** A run that writes these events, default: that it sends an order, and does not release its claim. */
export async function begun(
  { store, stateDir }: Machine,
  run: string,
  plan?: string,
  events: readonly Event[] = [started, intended],
): Promise<Hold> {
  const hold = await store.claim(wanted(run, plan === undefined ? {} : { plan }));
  const header = { run, playbook: 'ladder', destination: account, createdAt: start, program: 't' };
  const journal = await createRun(stateDir, header, standingClock(start));
  const opened = await hold.open({ journal, entries: [] });
  for (const event of events) await opened.journal.append(event);
  await opened.journal.close();
  return hold;
}

const finished = { kind: 'finished', status: 'done', exit: 0, outputs: null } as const;

/** The commit the ref is at; empty when it is not there. */
export function tip(bare: string): string {
  return git(bare, ['for-each-ref', '--format=%(objectname)', ref]);
}
