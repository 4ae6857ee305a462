/** The state store of a command, after it fetched what other machines did. */
import { dirname } from 'node:path';
import type { StorePlace } from '../../stores/open.ts';
import { profileNamed, type Config } from '../config/load.ts';
import { isEmbedded } from '../../engine/journal/account.ts';
import type { Destination, Entry } from '../../engine/journal/entry.ts';
import { isChanged } from '../../engine/journal/header.ts';
import { everyName } from '../../engine/journal/run-list.ts';
import { hasBegun, openRun, readHeader } from '../../engine/journal/runs.ts';
import { isOnlyStored } from '../../engine/journal/stored-view.ts';
import { localStore } from '../../stores/local.ts';
import { StoreError, type Hold, type StateStore, type SyncScope } from '../../stores/store.ts';
import { overviewFact } from '../../report/overview/overview.ts';
import { folderOf, type AppContext } from '../app-context.ts';
import { databaseUrl } from './database.ts';
import { openOnce } from './open-stores.ts';
import { untilAnswered } from './patience.ts';
import { exchangeTime } from '../accounts/work.ts';
import { destinationsOf } from '../../engine/journal/account.ts';

/** The store of the project. The embedded exchange exists only on this machine. */
export async function storeOf(
  config: Config,
  context: AppContext,
  destination?: Destination,
): Promise<StateStore> {
  const { state, stateDir } = config;
  if (state.store === 'local' || (destination && isEmbedded(destination))) {
    return localStore(stateDir);
  }
  if (context.store !== undefined) return context.store;
  const place = placeOf(config, context);
  if (state.store !== 'git') return openOnce(state, await databaseUrl(state.url, context), place);
  const { openGitStore } = await import('../../stores/open.ts');
  return openGitStore(state, place);
}

function placeOf({ stateDir, file }: Config, context: AppContext): StorePlace {
  const folder = file === undefined ? folderOf(context) : dirname(file);
  return { stateDir, folder, env: context.env, clock: context.clock, overview: overviewFact };
}

/** The value for `state.root`; undefined if the state is local or empty. */
export async function stateRoot(config: Config, context: AppContext): Promise<string | undefined> {
  const { state } = config;
  if (state.store !== 'git') return undefined;
  const { openRef } = await import('../../stores/open.ts');
  const { links } = await openRef(state, placeOf(config, context)).read();
  return links[0]?.link;
}

/**
 * Fetches what other machines did into the state folder.
 * @param scope the minimum that is fetched; default: everything
 * @throws StoreError
 */
export async function syncState(
  config: Config,
  context: AppContext,
  destination?: Destination,
  scope?: SyncScope,
): Promise<StateStore> {
  const store = await storeOf(config, context, destination);
  await untilAnswered(() => store.sync(scope), context);
  return store;
}

/**
 * Fetches runs of other machines, if the state is shared. If the store is unreachable, this is noted and the
 * runs here are used.
 * @param run fetches only this run, with the entries added to it since; default: all runs
 */
export async function fetchRuns(config: Config, context: AppContext, run?: string): Promise<void> {
  const { store } = config.state;
  // A state in git is fetched as a whole: only if no run here is meant.
  if (store === 'local' || (store === 'git' && run !== undefined)) return;
  try {
    await (run === undefined ? syncState(config, context) : syncRun(run, config, context, { run }));
  } catch (error) {
    if (!(error instanceof StoreError)) throw error;
    // Without the run, all of them are fetched next.
    if (run !== undefined && !(await isHere(run, config))) return;
    const message = `only what this machine has is shown: ${error.message}`;
    context.note({ kind: 'remark', message });
  }
}

/** Fetches runs for a command that examines what this machine has: a run that is here is left unchanged. */
export async function fetchUnknown(
  config: Config,
  context: AppContext,
  run?: string,
): Promise<void> {
  if (run !== undefined && (await isHere(run, config))) return;
  await fetchRuns(config, context, run);
}

async function isHere(run: string, { stateDir }: Config): Promise<boolean> {
  return (await everyName(stateDir)).includes(run) && !isOnlyStored(stateDir, run);
}

/** Synchronizes for a given run. A run on the embedded exchange is only known on this machine. */
export async function syncRun(
  run: string,
  config: Config,
  context: AppContext,
  scope?: SyncScope,
): Promise<void> {
  const header = await readHeader(config.stateDir, run).catch(() => undefined);
  const isWhole = header !== undefined && !isChanged(header);
  await syncState(config, context, isWhole ? header.destination : undefined, scope);
}

/** Fetches one run; all runs if it is unknown, so that the error can name a similar one. */
export async function syncOnlyRun(run: string, config: Config, context: AppContext): Promise<void> {
  await syncRun(run, config, context, { run });
  if (!(await hasBegun(config.stateDir, run))) await syncRun(run, config, context);
}

/** Claims the accounts of an earlier run, to append to its journal. */
export async function holdRun(
  store: StateStore,
  started: Started,
  config: Config,
  context: AppContext,
): Promise<Hold> {
  const { run, playbook, plan, destination, time } = started;
  const began = destinationsOf(started);
  return store.claim({
    run,
    playbook: playbook.name,
    ...(plan !== undefined && { plan }),
    accounts: [
      ...began,
      ...namedNow(
        began.map(({ profile }) => profile),
        config,
      ),
    ],
    isResumed: true,
    observedAt: time,
    now: () => exchangeTime(profileNamed(config, destination.profile), config, context),
  });
}

/** The accounts of profiles by their current ids: another of their keys may be in use. */
export function namedNow(names: readonly string[], { profiles }: Config): readonly Destination[] {
  return names.flatMap((profile) => {
    const { target, baseUrl, accountId } = profiles.get(profile) ?? {};
    if (target === undefined || baseUrl === undefined || accountId === undefined) return [];
    return [{ profile, target, host: baseUrl.host, accountId }];
  });
}

export type Started = Extract<Entry, { readonly kind: 'started' }>;

/** Reports the end of a run that ended here without reporting it. */
export async function reportBack(
  store: StateStore,
  started: Started,
  config: Config,
  context: AppContext,
): Promise<void> {
  const claims = await untilAnswered(() => store.sync({ run: started.run }), context);
  if (!claims.some(({ run }) => run === started.run)) return;
  const hold = await holdRun(store, started, config, context);
  try {
    const { stateDir } = config;
    const opened = await openRun(stateDir, started.run, context.clock, [], hold.over);
    const { journal } = await hold.open(opened);
    await journal.close();
  } finally {
    await hold.release();
  }
}
