/** The state store of a command, and what other machines did brought here first. */
import { dirname } from 'node:path';
import process from 'node:process';
import { listed, plainText, spoken } from '../base/text.ts';
import { profileNamed, type Config } from '../config/load.ts';
import { isEmbedded } from '../config/session.ts';
import type { Destination, Entry } from '../journal/entry.ts';
import { openRun } from '../journal/runs.ts';
import { localStore } from '../state/local.ts';
import type { Claim, Hold, StateStore } from '../state/store.ts';
import type { Context } from './context.ts';
import { openWork } from './work.ts';

/** The store of the project. The exchange inside this process is known to this machine alone. */
export async function storeOf(
  { state, stateDir, file }: Config,
  { terminal: { env }, clock }: Context,
  destination?: Destination,
): Promise<StateStore> {
  if (state.store === 'local' || (destination && isEmbedded(destination))) {
    return localStore(stateDir);
  }
  const { openStore } = await import('../state/open.ts');
  const folder = file === undefined ? process.cwd() : dirname(file);
  return openStore(state, { stateDir, folder, env, clock });
}

/** Brings what other machines did into the state folder. @throws StoreError */
export async function syncState(
  config: Config,
  context: Context,
  destination?: Destination,
): Promise<StateStore> {
  const store = await storeOf(config, context, destination);
  await store.sync();
  return store;
}

/** Takes the accounts of a run that began before, to add to its journal. */
export async function holdRun(
  store: StateStore,
  started: Started,
  config: Config,
  context: Context,
): Promise<Hold> {
  const { run, playbook, plan, destination, accounts = [] } = started;
  return store.claim({
    run,
    playbook: playbook.name,
    ...(plan !== undefined && { plan }),
    accounts: [destination, ...accounts],
    isResumed: true,
    now: async () => {
      const profile = profileNamed(config, destination.profile);
      const session = await openWork(context, config, profile, { needsKey: false });
      try {
        return await session.exchange.serverTime();
      } finally {
        await session.close();
      }
    },
  });
}

type Started = Extract<Entry, { readonly kind: 'started' }>;

/** A run that ended here and could not tell anybody does so now. */
export async function reportBack(
  store: StateStore,
  started: Started,
  config: Config,
  context: Context,
): Promise<void> {
  const claims = await store.sync();
  if (!claims.some(({ run }) => run === started.run)) return;
  const hold = await holdRun(store, started, config, context);
  try {
    const { journal } = await hold.open(await openRun(config.stateDir, started.run, context.clock));
    await journal.close();
  } finally {
    await hold.release();
  }
}

/** A line for each run that has an account to itself, or never let it go. */
export function tellClaims(claims: readonly Claim[], { terminal: { err } }: Context): void {
  for (const { run, host, accounts, since, until } of claims) {
    const profiles = listed(accounts.map(({ profile }) => plainText(profile, 40)));
    err.line(
      `${err.look.paint('warn', '!')} ${run} on ${plainText(host, 80)} has ${profiles} to itself (taken ${spoken(until - since)} before its lease ends)`,
    );
  }
}
