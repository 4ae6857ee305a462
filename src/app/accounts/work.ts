/** The exchange of a profile, and the exchanges of other profiles that single steps name. */
import type { Millis } from '../../base/clock.ts';
import { ConfigError } from '../../base/error.ts';
import { profileNamed, type Config } from '../config/load.ts';
import type { Profile } from '../config/profile.ts';
import { openProfile, type OpenedProfile, type OpeningOptions } from '../config/opened-profile.ts';
import type { Destination } from '../../engine/journal/entry.ts';
import type { AllRuns } from '../../engine/journal/run-list.ts';
import type { AccountRegister } from '../../engine/journal/standing.ts';
import type { OpenAccount } from '../../engine/plan/account.ts';
import type { AppContext } from '../app-context.ts';
import { elsewhereFault } from './one-exchange.ts';
import { accountBook } from './identities.ts';
import { sharedPaces } from '../store/database.ts';
import { compileParserOnce } from '../machine/optimizing.ts';
import { stoppable, type Interruption } from '../machine/interrupt.ts';

/** An opened profile, which opens the other profiles that single steps name. */
export interface Work extends OpenedProfile {
  /** The configuration that the profile was loaded from. */
  readonly config: Config;
  /**
   * Tells which records belong to one account, from all runs: those given, or else listed now.
   */
  readonly book: (runs?: AllRuns | 'none') => Promise<AccountRegister>;
  /** @throws ConfigError for an unknown profile, or one on another exchange */
  readonly open: OpenAccount;
}

/** Opens a profile for work that an interruption stops in order, and closes it afterwards. */
export async function stoppableWork<T>(
  context: AppContext,
  config: Config,
  profile: Profile,
  options: WorkOptions,
  work: (session: Work, interruption: Interruption) => Promise<T>,
): Promise<T> {
  const session = await openWork(context, config, profile, options);
  return stoppable(context, async (interruption) => {
    try {
      return await work(session, interruption);
    } finally {
      await session.close();
    }
  });
}

type WorkOptions = Pick<OpeningOptions, 'watch' | 'needsKey' | 'isOffline'>;

/** Opens a profile; its secrets are masked in every error from then on. */
export async function openWork(
  context: AppContext,
  config: Config,
  profile: Profile,
  options: WorkOptions,
): Promise<Work> {
  const session = await openedFor(context, config, profile, options);
  const isRemote = profile.baseUrl !== undefined && options.isOffline !== true;
  if (context.isOwnProcess && isRemote) compileParserOnce(); // no request was sent yet
  const others = new Map<string, OpenedProfile>();
  return {
    ...session,
    config,
    book: (runs) => accountBook(config, context.env, runs),
    open: async (name) => {
      const other =
        others.get(name) ?? (await openedFor(context, config, profileNamed(config, name), options));
      others.set(name, other);
      refuseElsewhere(other.destination, session.destination);
      const { exchange, destination, terms, profile: own } = other;
      return {
        exchange,
        destination,
        ...(terms && { terms }),
        guards: own.guards,
        onDoubt: own.onDoubt,
      };
    },
    close: async () => {
      await Promise.all([session, ...others.values()].map((opened) => opened.close()));
    },
  };
}

/** Refuses an account on another exchange. */
function refuseElsewhere(other: Destination, own: Destination): void {
  const fault = elsewhereFault(other, own);
  if (fault !== undefined) throw new ConfigError(fault.message, fault.hint);
}

async function openedFor(
  context: AppContext,
  config: Config,
  profile: Profile,
  options: WorkOptions,
): Promise<OpenedProfile> {
  const { env, clock, reach, startsFull } = context;
  // The embedded exchange exists only on this machine.
  const needsPaces = profile.baseUrl !== undefined && options.isOffline !== true;
  const paces = needsPaces ? (context.paces ?? (await sharedPaces(config, context))) : undefined;
  const session = await openProfile(profile, {
    stateDir: config.stateDir,
    env,
    clock,
    warn: (message) => context.note({ kind: 'warning', message }),
    ...(reach && { reach }),
    ...(startsFull && { startsFull }),
    ...(paces && { paces }),
    ...options,
  });
  context.secrets.push(...session.secrets);
  if (paces === undefined || paces === context.paces) return session;
  return {
    ...session,
    close: async () => {
      await Promise.all([session.close(), paces.close()]);
    },
  };
}

/** The time of a profile's exchange; needs no key. */
export async function exchangeTime(
  profile: Profile,
  config: Config,
  context: AppContext,
): Promise<Millis> {
  const session = await openWork(context, config, profile, { needsKey: false });
  try {
    return await session.exchange.serverTime();
  } finally {
    await session.close();
  }
}
