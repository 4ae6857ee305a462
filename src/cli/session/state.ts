/** The state store of a command, synchronized with other machines first. */
import { dirname } from 'node:path';
import process from 'node:process';
import type { StorePlace } from '../../state-store/open.ts';
import { listed, plainText, shellWord } from '../../base/text.ts';
import { profileNamed, type Config } from '../../config/load.ts';
import { isEmbedded } from '../../journal/account.ts';
import type { Destination, Entry } from '../../journal/entry.ts';
import { isChanged } from '../../journal/header.ts';
import { hasBegun, openRun, readHeader } from '../../journal/runs.ts';
import { moment } from '../../report/words.ts';
import { localStore } from '../../state-store/local.ts';
import {
  StoreError,
  type Claim,
  type Hold,
  type StateStore,
  type SyncScope,
} from '../../state-store/store.ts';
import type { Context } from '../context.ts';
import { databaseUrl } from './database.ts';
import { exchangeTime } from './work.ts';

/** The store of the project. The embedded exchange exists only on this machine. */
export async function storeOf(
  config: Config,
  context: Context,
  destination?: Destination,
): Promise<StateStore> {
  const { state, stateDir } = config;
  if (state.store === 'local' || (destination && isEmbedded(destination))) {
    return localStore(stateDir);
  }
  if (context.store !== undefined) return context.store;
  const { openStore } = await import('../../state-store/open.ts');
  return openStore(state, placeOf(config, context), (source) => databaseUrl(source, context));
}

function placeOf({ stateDir, file }: Config, context: Context): StorePlace {
  const { terminal, clock } = context;
  const folder = file === undefined ? process.cwd() : dirname(file);
  return { stateDir, folder, env: terminal.env, clock };
}

/** The value for `state.root`; undefined if the state is local or empty. */
export async function stateRoot(config: Config, context: Context): Promise<string | undefined> {
  const { state } = config;
  if (state.store !== 'git') return undefined;
  const { openRef } = await import('../../state-store/open.ts');
  const { links } = await openRef(state, placeOf(config, context)).read();
  return links[0]?.link;
}

/**
 * Fetches what other machines did into the state folder.
 * @param scope the least that is fetched; default: everything
 * @throws StoreError
 */
export async function syncState(
  config: Config,
  context: Context,
  destination?: Destination,
  scope?: SyncScope,
): Promise<StateStore> {
  const store = await storeOf(config, context, destination);
  await store.sync(scope);
  return store;
}

/** Brings runs of other machines, if the state is shared; an unreachable store changes nothing. */
export async function fetchRuns(config: Config, context: Context): Promise<void> {
  if (config.state.store === 'local') return;
  try {
    await syncState(config, context);
  } catch (error) {
    if (!(error instanceof StoreError)) throw error;
  }
}

/** Synchronizes for a given run: a run on the embedded exchange is only known here. */
export async function syncRun(
  run: string,
  config: Config,
  context: Context,
  scope?: SyncScope,
): Promise<void> {
  const header = await readHeader(config.stateDir, run).catch(() => undefined);
  const isWhole = header !== undefined && !isChanged(header);
  await syncState(config, context, isWhole ? header.destination : undefined, scope);
}

/** Fetches a run alone; all of them if it is unknown, so that the error can name a similar one. */
export async function syncOnlyRun(run: string, config: Config, context: Context): Promise<void> {
  await syncRun(run, config, context, { run });
  if (!(await hasBegun(config.stateDir, run))) await syncRun(run, config, context);
}

/** Claims the accounts of an earlier run, to append to its journal. */
export async function holdRun(
  store: StateStore,
  started: Started,
  config: Config,
  context: Context,
): Promise<Hold> {
  const { run, playbook, plan, destination, accounts = [], time } = started;
  const began = [destination, ...accounts];
  return store.claim({
    run,
    playbook: playbook.name,
    ...(plan !== undefined && { plan }),
    accounts: [...began, ...namedNow(began, config)],
    isResumed: true,
    observedAt: time,
    now: () => exchangeTime(profileNamed(config, destination.profile), config, context),
  });
}

/** The accounts by their current ids: another key of theirs may be in use. */
function namedNow(began: readonly Destination[], { profiles }: Config): readonly Destination[] {
  return began.flatMap(({ profile }) => {
    const { target, baseUrl, accountId } = profiles.get(profile) ?? {};
    if (target === undefined || baseUrl === undefined || accountId === undefined) return [];
    return [{ profile, target, host: baseUrl.host, accountId }];
  });
}

export type Started = Extract<Entry, { readonly kind: 'started' }>;

/** A run that ended here without reporting its end reports it now. */
export async function reportBack(
  store: StateStore,
  started: Started,
  config: Config,
  context: Context,
): Promise<void> {
  const claims = await store.sync({ run: started.run });
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

/** Shows runs of other machines; local ones are shown even if the store is unreachable. */
export async function printShared(config: Config, context: Context): Promise<void> {
  const { err } = context.terminal;
  try {
    const store = await storeOf(config, context);
    for (const claim of await store.sync()) err.line(claimLine(claim, context));
  } catch (error) {
    if (!(error instanceof StoreError)) throw error;
    const because = plainText(error.message.replace(/; nothing was sent$/, ''));
    err.line(`${err.theme.paint('warn', '!')} only runs of this machine are known: ${because}`);
  }
}

/** The line of a run that has a claim, or did not release it. */
function claimLine({ run, host, accounts, until }: Claim, { terminal, clock }: Context): string {
  const { paint } = terminal.err.theme;
  const profiles = listed(accounts.map(({ profile }) => plainText(profile, 40)));
  const who = `${run} on ${plainText(host, 80)}`;
  // The exchange's clock decides; the local one is close enough to choose the text.
  const reason =
    until > clock.now()
      ? `${who} has ${profiles} to itself, until ${moment(until)} UTC at least`
      : `${who} had ${profiles} to itself until ${moment(until)} UTC and did not report its end: deskhand resume ${shellWord(run)}`;
  return `${paint('warn', '!')} ${reason}`;
}
