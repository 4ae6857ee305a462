/** The store a project is set to, opened. */
import type { Clock, Millis } from '../base/clock.ts';
import { authorFrom } from './git/author.ts';
import { gitIn } from './git/command.ts';
import { memoryIn } from './git/memory.ts';
import { stateRef } from './git/ref.ts';
import { gitStore } from './git/store.ts';
import { localStore } from './local.ts';
import type { StateSettings } from './settings.ts';
import type { StateStore } from './store.ts';

export interface StorePlace {
  readonly stateDir: string;
  /** A folder inside the repository. */
  readonly folder: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly clock: Clock;
  /** For one command of git. */
  readonly timeoutMs?: Millis;
}

export function openStore(settings: StateSettings, place: StorePlace): StateStore {
  const { stateDir, env, clock } = place;
  if (settings.store === 'local') return localStore(stateDir);
  const { remote, ref, lease } = settings;
  const git = gitIn(place);
  return gitStore({
    stateDir,
    lease,
    ref: stateRef({
      git,
      remote,
      ref,
      clock,
      isShallow: once(async () => {
        const said = await git(['rev-parse', '--is-shallow-repository']);
        return said.toString('utf8').trim() === 'true';
      }),
      author: authorFrom(settings, env, git),
      memory: memoryIn(stateDir, `${remote} ${ref}`),
    }),
  });
}

/** Asked at the first need, and never again. */
function once<T>(ask: () => Promise<T>): () => Promise<T> {
  let asked: Promise<T> | undefined;
  return () => (asked ??= ask());
}
