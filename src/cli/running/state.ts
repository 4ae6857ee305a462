/** The state store of a command, and what other machines did brought here first. */
import { dirname } from 'node:path';
import process from 'node:process';
import { listed, plainText } from '../../base/text.ts';
import { profileNamed, type Config } from '../../config/load.ts';
import { isEmbedded } from '../../config/session.ts';
import type { Destination, Entry } from '../../journal/entry.ts';
import { openRun, readRun } from '../../journal/runs.ts';
import { moment } from '../../report/words.ts';
import { localStore } from '../../state/local.ts';
import { StoreError, type Claim, type Hold, type StateStore } from '../../state/store.ts';
import type { Context } from '../context.ts';
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
  const { openStore } = await import('../../state/open.ts');
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

/** The same for a run that is named: one of the exchange inside this process is known here alone. */
export async function syncRun(run: string, config: Config, context: Context): Promise<void> {
  const [started] = await readRun(config.stateDir, run).catch(() => []);
  const destination = started?.kind === 'started' ? started.destination : undefined;
  await syncState(config, context, destination);
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

/** Looks at what other machines did; what is here is shown even when they cannot be asked. */
export async function tellShared(config: Config, context: Context): Promise<void> {
  const { err } = context.terminal;
  try {
    const store = await storeOf(config, context);
    for (const claim of await store.sync()) err.line(claimLine(claim, context));
  } catch (error) {
    if (!(error instanceof StoreError)) throw error;
    const because = plainText(error.message.replace(/; nothing was sent$/, ''));
    err.line(`${err.look.paint('warn', '!')} only runs of this machine: ${because}`);
  }
}

/** Of a run that has an account to itself, or had it and never let it go. */
function claimLine({ run, host, accounts, until }: Claim, { terminal, clock }: Context): string {
  const { paint } = terminal.err.look;
  const profiles = listed(accounts.map(({ profile }) => plainText(profile, 40)));
  const who = `${run} on ${plainText(host, 80)}`;
  // The exchange's clock decides; this machine's is near enough to say which of the two to expect.
  const told =
    until > clock.now()
      ? `${who} has ${profiles} to itself, until ${moment(until)} UTC at least`
      : `${who} had ${profiles} to itself until ${moment(until)} UTC and never reported back: deskhand resume ${run}`;
  return `${paint('warn', '!')} ${told}`;
}
