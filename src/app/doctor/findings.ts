/** The findings of doctor about everything a run depends on. */
import { someAtATime } from '../../base/some-at-a-time.ts';
import { isAbsolute, relative } from 'node:path';
import { count, listed, plainText } from '../../base/text.ts';
import { readableRuns, type AllRuns } from '../../engine/journal/run-list.ts';
import type { Config } from '../config/load.ts';
import type { Profile } from '../config/profile.ts';
import { folderOf, type AppContext } from '../app-context.ts';
import { describeError } from '../running/describe.ts';
import type { Claim, Listing } from '../../stores/store.ts';
import { databaseUrl } from '../store/database.ts';
import { stateRoot, storeOf } from '../store/synchronized.ts';
import { configOf, profileOf } from '../config/opened.ts';
import { openWork } from '../accounts/work.ts';
import { clockOf, guards, keyOf } from './account-checks.ts';
import { assumptions } from './assumptions.ts';
import { failure, ok, unknown, warning, type Finding } from './finding.ts';
import { identityIn, identityOf } from './identity.ts';
import { stateFolder, versionsHere } from './machine.ts';
import { missingPrograms } from './programs.ts';
import { proxyFindings } from './proxy.ts';
import { locks, newestMax, runs } from './earlier-runs.ts';
import { usedProfiles, type Used } from './profiles.ts';

export async function findingsOf(
  context: AppContext,
  isOffline: boolean,
): Promise<readonly Finding[]> {
  const found = await chosen(context);
  if ('finding' in found) return [...versionsHere(), found.finding];
  const { config, profiles, computing } = found;
  const { stateDir } = config;
  const where = config.file ?? 'no deskhand.yaml: using the defaults';
  const names = profiles.flatMap(({ profile }) => profile ?? []);
  const of = listed(fewOf(names.map(({ name, target }) => `${name} (${target})`)));
  // First: with a shared state, it fetches the runs of other machines.
  let shared: Listing = { claims: [] };
  const store = await tried('state store', async () => {
    if (isOffline) return [];
    if (config.state.store !== 'local') shared = await newestIn(config, context);
    return stateStore(config, context, shared.claims);
  });
  let listing: AllRuns | undefined;
  const findings = [
    ...versionsHere(),
    ok('configuration', `${where}; ${names.length > 1 ? 'profiles' : 'profile'} ${of || 'none'}`),
    ...(await tried('programs', () => missingPrograms(names, context))),
    ...(await stateFolder(stateDir, context.clock)),
    ...(await tried('locks', () => locks(stateDir))),
    ...(await tried('runs', async () => {
      const all = await readableRuns(stateDir);
      listing = all;
      const note = (message: string): void => context.note({ kind: 'remark', message });
      return runs(stateDir, all, shared, note);
    })),
    ...store,
    ...(computing.length > 0 ? [notAllKnown(computing)] : []),
  ];
  const checked = progressOf(profiles.length, context);
  const each = await someAtATime(profiles, atOnce, async ({ name, profile, finding }) => {
    const own = profile ? await ofProfile(config, profile, context, isOffline, listing) : [];
    const all = [...(finding ? [finding] : []), ...own];
    checked();
    return profiles.length > 1 ? all.map((one) => ({ ...one, profile: name })) : all;
  });
  return [...findings, ...each.flat()];
}

function notAllKnown(files: readonly string[]): Finding {
  const names = listed(fewOf(files.map((file) => plainText(file, 120))));
  const computes = files.length === 1 ? 'computes' : 'compute';
  return unknown('profiles', `${names} ${computes} an account: check its profile with -p NAME`);
}

const namedMax = 8; // profiles in one sentence

function fewOf(names: readonly string[]): readonly string[] {
  const more = names.length - namedMax;
  return more > 0 ? [...names.slice(0, namedMax), `${more} more`] : names;
}

const atOnce = 8; // profiles that are checked side by side
const toldEvery = 50; // profiles

/** Says how many of many profiles are checked. */
function progressOf(all: number, context: AppContext): () => void {
  let done = 0;
  return () => {
    done += 1;
    if (done % toldEvery !== 0 || all <= toldEvery) return;
    context.note({ kind: 'remark', message: `${done} of ${all} profiles are checked` });
  };
}

/** The checks of one profile. @param all the runs, if they were just listed */
export async function ofProfile(
  config: Config,
  profile: Profile,
  context: AppContext,
  isOffline: boolean,
  all?: AllRuns,
): Promise<readonly Finding[]> {
  return [
    guards(profile),
    ...(await tried('proxy', () => proxyFindings(profile, context.env, isOffline))),
    ...(isOffline
      ? [
          identityIn(profile),
          unknown(
            'exchange',
            'not checked (--offline): clock, key, permissions, family, position mode, assumptions',
          ),
        ]
      : await tried('key', () => atExchange(config, profile, context, all))),
  ];
}

interface Chosen extends Used {
  readonly config: Config;
}

/** The profile of --profile, or those that the playbooks here use. */
async function chosen(context: AppContext): Promise<Chosen | { readonly finding: Finding }> {
  try {
    const config = await configOf(context);
    if (context.globals.profile === undefined) return { config, ...(await usedProfiles(config)) };
    const profile = profileOf(context, config);
    return { config, profiles: [{ name: profile.name, profile }], computing: [] };
  } catch (error) {
    return { finding: failed('configuration', error) };
  }
}

/** Fetches the newest runs of other machines. @returns the claims of runs in progress */
async function newestIn(config: Config, context: AppContext): Promise<Listing> {
  const store = await storeOf(config, context);
  const found = (await store.syncNewest?.({ max: newestMax })) ?? { claims: await store.sync() };
  // The exchange's clock decides; the local one is close enough for a diagnosis.
  const claims = found.claims.filter(({ until }) => until > context.clock.now());
  return { ...found, claims };
}

/** @param claims of runs in progress, if the state is shared */
async function stateStore(
  config: Config,
  context: AppContext,
  claims: readonly Claim[],
): Promise<readonly Finding[]> {
  const { state } = config;
  const from =
    config.stateFrom === undefined ? '' : ` (from ${nameOf(config.stateFrom, folderOf(context))})`;
  if (state.store === 'local')
    return [ok('state store', `the state folder of this machine${from}`)];
  const message = `${state.store}${from}, reachable; ${count(claims.length, 'run')} in progress`;
  if (state.store === 'postgres') {
    const { databaseFindings } = await import('./database.ts');
    return databaseFindings(await databaseUrl(state.url, context), message, context.clock);
  }
  if (state.store === 'restate') {
    const { restateFindings } = await import('./restate.ts');
    const url = await databaseUrl(state.url, context);
    return restateFindings(state, url.reveal(), message);
  }
  if (state.store !== 'git') return [ok('state store', message)];
  const root = await stateRoot(config, context);
  if (root === undefined || state.root !== undefined) return [ok('state store', message)];
  const lacking = `${message}; no state.root: if all its refs were deleted, it would look new`;
  return [warning('state store', lacking, `add root: "${root}" under state: in deskhand.yaml`)];
}

/** The name of the configuration's origin: a flag, a variable, or the shortest path of a file. */
function nameOf(source: string, folder: string): string {
  if (!isAbsolute(source)) return source;
  const near = relative(folder, source);
  return near.startsWith('..') ? source : near;
}

/** Checks that need the exchange. */
async function atExchange(
  config: Config,
  profile: Profile,
  context: AppContext,
  all: AllRuns | undefined,
): Promise<readonly Finding[]> {
  const session = await openWork(context, config, profile, { needsKey: true });
  try {
    const { destination } = session;
    const identity = await tried('account', async () =>
      identityOf(destination, await session.book(all)),
    );
    const clock = await clockOf(session, context.clock);
    if (clock.what === 'exchange') return [...identity, clock];
    const known = await assumptions(destination, config.stateDir, clock);
    return [...identity, clock, ...(await keyOf(session)), ...known];
  } finally {
    await session.close();
  }
}

/** A check that throws becomes a finding. */
async function tried(
  what: string,
  theme: () => Promise<readonly Finding[]>,
): Promise<readonly Finding[]> {
  try {
    return await theme();
  } catch (error) {
    return [failed(what, error)];
  }
}

function failed(what: string, error: unknown): Finding {
  const { message, hint, exit } = describeError(error);
  return failure(what, message, hint ?? 'see the message', exit);
}
