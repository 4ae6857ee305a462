/** What a run must know of other runs: of those that can have made the same writes. */
import type { Config } from '../config/load.ts';
import { configuredKeys } from '../config/known-keys.ts';
import type { Destination } from '../../engine/journal/entry.ts';
import { accountNames } from '../../engine/journal/account.ts';
import { namedAccounts } from '../../language/named-accounts.ts';
import type { Playbook } from '../../language/playbook.ts';
import type { StateStore, SyncScope } from '../../stores/store.ts';
import type { AppContext } from '../app-context.ts';
import { namedNow, syncState, type Started } from '../store/synchronized.ts';
import type { Work } from '../accounts/work.ts';

/** A run that is about to start or to continue. */
export interface Beginning {
  readonly run: string;
  readonly playbook: string;
  /** Its accounts as they were planned, or as it started with them. */
  readonly accounts: readonly Destination[];
}

/** The accounts of a run that is continued, and what it depends on. */
export function beginningOf({ run, playbook, destination, accounts = [] }: Started): Beginning {
  return { run, playbook: playbook.name, accounts: [destination, ...accounts] };
}

/** Fetches what a run needs into the state folder, before its plan is made again. @throws StoreError */
export async function syncFor(
  beginning: Beginning,
  session: Work,
  context: AppContext,
): Promise<StateStore> {
  const scope = await scopeOf(beginning, session);
  return syncState(session.config, context, session.destination, scope);
}

/**
 * The same before a playbook is planned, when its accounts are those that it names.
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
 * What a person's statement about a run needs: the runs on its accounts. Its keys are not read, so
 * each of its profiles must have an id.
 * @returns undefined if runs on any account count
 */
export function scopeOfBegun(
  { run, playbook, accounts }: Beginning,
  config: Config,
): SyncScope | undefined {
  const now = namedNow(accounts, config);
  if (now.length < accounts.length) return undefined;
  return scopeBeside({ run, playbook }, [...accounts, ...now], { config });
}

/**
 * Undefined if an account is computed, or its key comes from a program: whether a step needs it, only
 * the plan decides.
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

/** The accounts of a run at its start, and now. */
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
 * Undefined if runs on any account count. Whether two records are of one account is decided by their
 * ids and keys (AccountRegister.standingOf). Where every account has one id, that needs no other
 * record. A person may have declared former keys and ids: then it does.
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
