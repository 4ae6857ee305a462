/** Opens the state store that a project configures. */
import type { Clock, Millis } from '../base/clock.ts';
import type { Secret } from '../base/secret.ts';
import type { GuardOf } from '../base/lock/guard.ts';
import type { Kernel } from '../base/lock/kernel.ts';
import type { OverviewFact } from '../engine/journal/run-summary.ts';
import { authorFrom } from './git/author.ts';
import { gitIn } from './git/command.ts';
import { memoryIn } from './git/memory.ts';
import { stateRef, type StateRef } from './git/ref.ts';
import { gitStore } from './git/store.ts';
import { localStore } from './local.ts';
import { openShared } from './databases.ts';
import {
  gitDefaults,
  type DatabaseSettings,
  type StateSettings,
  type UrlSource,
} from './settings.ts';
import type { StateStore } from './store.ts';

export interface StorePlace {
  readonly stateDir: string;
  /** A folder inside the repository. */
  readonly folder: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly clock: Clock;
  /** The fact of each run that lists show. Default: every record is fetched from a database. */
  readonly overview?: OverviewFact;
  /** Timeout of a git command. */
  readonly timeoutMs?: Millis;
  /** Identifies processes. Default: the operating system does. */
  readonly kernel?: Kernel;
  readonly guard?: GuardOf;
}

/**
 * Opens the store of a project.
 * @param secret reads the address of a database
 * @throws errors of `secret`; ConfigError for an invalid address
 */
export async function openStore(
  settings: StateSettings,
  place: StorePlace,
  secret: (source: UrlSource) => Promise<Secret>,
): Promise<StateStore> {
  switch (settings.store) {
    case 'local':
      return localStore(place.stateDir);
    case 'git':
      return openGitStore(settings, place);
    default:
      return openSharedStore(settings, await secret(settings.url), place);
  }
}

export function openGitStore(settings: GitSettings, place: StorePlace): StateStore {
  const { stateDir, kernel, guard } = place;
  return gitStore({
    stateDir,
    lease: settings.lease,
    ...(kernel && { kernel }),
    ...(guard && { guard }),
    ref: openRef(settings, place),
  });
}

async function openSharedStore(
  settings: DatabaseSettings,
  address: Secret,
  { stateDir, env, clock, kernel, guard, overview }: StorePlace,
): Promise<StateStore> {
  const { lease } = settings;
  const { runs, name, ...others } = await openShared(settings.store, {
    url: address.reveal(),
    lease,
    env,
  });
  const { sharedStore } = await import('./shared/store.ts');
  return sharedStore({
    stateDir,
    runs,
    ...others,
    name,
    lease,
    clock,
    ...(overview && { overview }),
    ...(kernel && { kernel }),
    ...(guard && { guard }),
  });
}

/** The git ref shared by all machines. */
export function openRef(settings: GitSettings, place: StorePlace): StateRef {
  const { stateDir, env, clock } = place;
  const { remote, ref, root } = settings;
  const { formerRef } = gitDefaults;
  const git = gitIn(place);
  return stateRef({
    git,
    remote,
    ref,
    ...(root !== undefined && { root }),
    clock,
    isShallow: once(async () => {
      const said = await git(['rev-parse', '--is-shallow-repository']);
      return said.toString('utf8').trim() === 'true';
    }),
    author: authorFrom(settings, env, git),
    memory: memoryIn(stateDir, `${remote} ${ref}`),
    ...(settings.isDefault && {
      former: { ref: formerRef, memory: memoryIn(stateDir, `${remote} ${formerRef}`) },
    }),
  });
}

type GitSettings = Extract<StateSettings, { readonly store: 'git' }>;

/** A function that calls another at most once, and repeats its result. */
function once<T>(ask: () => Promise<T>): () => Promise<T> {
  let asked: Promise<T> | undefined;
  return () => (asked ??= ask());
}
