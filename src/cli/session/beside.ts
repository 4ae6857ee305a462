/** What a run must know of other runs: of those that can have made the same writes. */
import type { Destination } from '../../journal/entry.ts';
import { accountNames } from '../../journal/account.ts';
import type { StateStore, SyncScope } from '../../state-store/store.ts';
import type { Context } from '../context.ts';
import { syncState } from './state.ts';
import type { Work } from './work.ts';

/** A run that is about to start or to continue. */
export interface Beginning {
  readonly run: string;
  readonly playbook: string;
  /** Its accounts as they were planned, or as it started with them. */
  readonly accounts: readonly Destination[];
}

/** Fetches what a run needs into the state folder, before its plan is made again. @throws StoreError */
export async function syncFor(
  beginning: Beginning,
  session: Work,
  context: Context,
): Promise<StateStore> {
  const scope = await scopeOf(beginning, session);
  return syncState(session.config, context, session.destination, scope);
}

/**
 * Undefined if runs on any account count. Whether two records are of one account is decided by their
 * ids and keys (AccountRegister.standingOf). Where every account has one id, that needs no other
 * record. A person may have declared former keys and ids: then it does.
 */
async function scopeOf(
  { run, playbook, accounts: planned }: Beginning,
  session: Work,
): Promise<SyncScope | undefined> {
  const now: Destination[] = [session.destination];
  for (const { profile } of planned) {
    if (profile !== session.destination.profile)
      now.push((await session.open(profile)).destination);
  }
  const accounts = [...planned, ...now];
  const isIdentified = accounts.every(({ accountId, profile }) => {
    const decided = session.config.profiles.get(profile)?.decided;
    const isPlain = decided?.formerKeys.length === 0 && decided.formerIds.length === 0;
    return accountId !== undefined && isPlain;
  });
  if (!isIdentified) return undefined;
  return { run, beside: { playbook, accounts: [...new Set(accounts.flatMap(accountNames))] } };
}
