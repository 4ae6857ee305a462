/** Finds the other runs that a run must know: those that may have made the same writes. */
import type { Config } from '../config/load.ts';
import { configuredKeys } from '../config/known-keys.ts';
import type { Destination } from '../../engine/journal/entry.ts';
import { accountNames } from '../../engine/journal/account.ts';
import { namedAccounts } from '../../language/named-accounts.ts';
import type { Playbook } from '../../language/playbook.ts';
import type { Job } from '../../stores/queue.ts';
import type { StateStore, SyncScope } from '../../stores/store.ts';
import type { AppContext } from '../app-context.ts';
import { namedNow, storeOf, syncState, type Started } from '../store/synchronized.ts';
import type { Work } from '../accounts/work.ts';
import { destinationsOf } from '../../engine/journal/account.ts';

/** A run that is about to start or to continue. */
export interface Beginning {
  readonly run: string;
  readonly playbook: string;
  /** The accounts of the run, as they were planned or as the run started with them. */
  readonly accounts: readonly Destination[];
}

/** The accounts of a run that is continued, and the facts that identify the other runs it depends on. */
export function beginningOf(started: Started): Beginning {
  const { run, playbook } = started;
  return { run, playbook: playbook.name, accounts: destinationsOf(started) };
}

/**
 * Fetches the runs that a run must know into the state folder, before its plan is made again. @throws
 * StoreError
 */
export async function syncFor(
  beginning: Beginning,
  session: Work,
  context: AppContext,
): Promise<StateStore> {
  const scope = await scopeOf(beginning, session);
  return syncState(session.config, context, session.destination, scope);
}

/**
 * Fetches the runs that a new plan must know; its accounts are those that the playbook names.
 * @param run its id, if it is known
 * @throws StoreError
 */
export async function syncToPlan(
  playbook: Playbook,
  session: Work,
  context: AppContext,
  run?: string,
): Promise<StateStore> {
  const { config, destination } = session;
  const accounts = await accountsNamed(playbook, session, context);
  const scope =
    accounts && scopeBeside({ playbook: playbook.name, ...(run && { run }) }, accounts, session);
  return syncState(config, context, destination, scope);
}

/**
 * Fetches the runs that a run of a playbook would have to know here, before there is one. Keys of programs are not
 * read. @throws StoreError
 */
export async function syncAhead(
  { playbook, profiles: names }: Pick<Job, 'playbook' | 'profiles'>,
  config: Config,
  context: AppContext,
): Promise<void> {
  const profiles = names.flatMap((name) => config.profiles.get(name) ?? []);
  const keyed = await configuredKeys(profiles, context.env);
  const accounts = names.flatMap((name) => {
    const { destination } = keyed.find((each) => each.destination.profile === name) ?? {};
    return destination ?? namedNow([name], config);
  });
  const isKnown = accounts.length === names.length;
  const store = await storeOf(config, context);
  await store.sync(isKnown ? scopeBeside({ playbook }, accounts, { config }) : undefined);
}

/**
 * The runs that a person's statement about a run depends on: those on its accounts. Keys are not read here,
 * so each of the profiles must have an id.
 * @returns undefined if runs on any account count
 */
export function scopeOfBegun(
  { run, playbook, accounts }: Beginning,
  config: Config,
): SyncScope | undefined {
  const now = namedNow(
    accounts.map(({ profile }) => profile),
    config,
  );
  if (now.length < accounts.length) return undefined;
  return scopeBeside({ run, playbook }, [...accounts, ...now], { config });
}

/**
 * The accounts that a playbook names. Undefined if an account is computed, or its key comes from a program:
 * only the plan decides whether a step needs that account.
 */
async function accountsNamed(
  playbook: Playbook,
  { destination, config }: Work,
  { env }: AppContext,
): Promise<readonly Destination[] | undefined> {
  const { names, isEvery } = namedAccounts(playbook);
  const others = names.filter((name) => name !== destination.profile);
  const profiles = others.flatMap((name) => config.profiles.get(name) ?? []);
  const known = await configuredKeys(profiles, env);
  if (!isEvery || known.length < others.length) return undefined;
  return [destination, ...known.map((use) => use.destination)];
}

/** The runs to fetch, by the accounts of a run at its start and now. */
async function scopeOf(
  { run, playbook, accounts: planned }: Beginning,
  session: Work,
): Promise<SyncScope | undefined> {
  const now: Destination[] = [session.destination];
  for (const { profile } of planned) {
    if (profile !== session.destination.profile)
      now.push((await session.open(profile)).destination);
  }
  return scopeBeside({ run, playbook }, [...planned, ...now], session);
}

/**
 * The runs to fetch; undefined if runs on any account count. Ids and keys decide whether two records are of
 * one account (AccountRegister.standingOf). If every account has one id, that needs no other record; if a
 * person declared former keys or ids, it does.
 */
function scopeBeside(
  { run, playbook }: Partial<Beginning> & Pick<Beginning, 'playbook'>,
  accounts: readonly Destination[],
  { config }: Pick<Work, 'config'>,
): SyncScope | undefined {
  const isIdentified = accounts.every(({ accountId, profile }) => {
    const decided = config.profiles.get(profile)?.decided;
    const isPlain = decided?.formerKeys.length === 0 && decided.formerIds.length === 0;
    return accountId !== undefined && isPlain;
  });
  if (!isIdentified) return undefined;
  const beside = { playbook, accounts: [...new Set(accounts.flatMap(accountNames))] };
  return { ...(run !== undefined && { run }), beside };
}
