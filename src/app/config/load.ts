/** Finds the configuration: the nearest deskhand.yaml, the user's own file, the environment. */
import { existsSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { settingsFolder } from '../../base/platform/home.ts';
import { ConfigError, messageOf } from '../../base/error.ts';
import { readRegular } from '../../base/read-file.ts';
import { nearWord } from '../../base/text.ts';
import { itemsDefault } from '../../language/expression/value.ts';
import { isDatabase, type StateSettings } from '../../stores/settings.ts';
import { ofEnvironment } from '../../engine/journal/id-hint.ts';
import { accountIdIn, keptFingerprint } from './account-id.ts';
import { baseUrlOf, isLoopback } from './address.ts';
import { nearestFile, readBeside, refuseLinkOut } from './config-files.ts';
import type { OutputSettings } from './kept-outputs.ts';
import { parseConfig, type ConfigFile } from './parse.ts';
import { builtInProfile, type Profile } from './profile.ts';
import type { Environment } from './secrets.ts';
import type { ServeSettings } from './served-team.ts';
import { namedStore, storeSettings } from './store-address.ts';

export interface Config {
  /** The project's configuration file, if any. */
  readonly file?: string;
  /** The folder of runs, plans and the built-in exchange. */
  readonly stateDir: string;
  /** Where state shared by machines is stored. */
  readonly state: StateSettings;
  /**
   * The origin of the choice: `--store`, `DESKHAND_STORE`, or the path of a file; absent for the default
   * store.
   */
  readonly stateFrom?: string;
  /** Where files of runs are kept; absent for the defaults. */
  readonly outputs?: OutputSettings;
  /** Who may use the server's page, when it serves a team. */
  readonly serve?: ServeSettings;
  readonly profiles: ReadonlyMap<string, Profile>;
  /** The default profile of playbooks. */
  readonly initial: string;
}

export interface ConfigPlace {
  readonly cwd: string;
  readonly env: Environment;
  /** The configuration file that the command line or DESKHAND_CONFIG names. */
  readonly file?: string;
  /** The configuration as text, in place of a file. */
  readonly text?: string;
  /** The profiles whose key is given by value. */
  readonly keyed?: ReadonlySet<string>;
  /** The value of `--store`. */
  readonly store?: string;
}

/** @throws ConfigError; UsageError for a --store that cannot be used */
export async function loadConfig(place: ConfigPlace): Promise<Config> {
  const { cwd, env } = place;
  const file = fileOf(place);
  const project = await projectIn(file, place);
  const own = await readOwnFile(place);
  const fromEnv = profileOfEnvironment(env);
  const profiles = new Map([['sandbox', builtInProfile], ...own.profiles, ...project.profiles]);
  if (fromEnv !== undefined) profiles.set(fromEnv.name, fromEnv);
  const stateDir = env['DESKHAND_STATE_DIR'];
  const outputs = project.outputs ?? own.outputs;
  const serve = project.serve ?? own.serve;
  const [host] = serve?.hosts ?? [];
  if (host !== undefined) {
    for (const [name, profile] of profiles) {
      profiles.set(name, { ...profile, pages: `https://${host}/` });
    }
  }
  const chosen = stateFor(place, [
    { file, state: project.state },
    { file: ownFileOf(env), state: own.state },
  ]);
  refuseUnstored(outputs, chosen);
  const folder = join(file === undefined ? cwd : dirname(file), '.deskhand');
  return {
    ...(file !== undefined && { file }),
    stateDir: resolve(cwd, stateDir ?? folder),
    ...chosen,
    ...(outputs && { outputs }),
    ...(serve && { serve }),
    profiles,
    initial: fromEnv?.name ?? project.profile ?? own.profile ?? builtInProfile.name,
  };
}

/** The file of the project's configuration; one that is given as text has the folder of the work. */
function fileOf({ cwd, file, text }: ConfigPlace): string | undefined {
  if (text !== undefined) return join(cwd, givenConfig);
  if (file !== undefined) return resolve(cwd, file);
  const nearest = nearestFile(cwd);
  if (nearest !== undefined) refuseLinkOut(nearest);
  return nearest;
}

/** The name of a configuration that is given as text, in messages. */
const givenConfig = '<config>';

async function projectIn(file: string | undefined, place: ConfigPlace): Promise<ConfigFile> {
  if (file === undefined) return nothing;
  return place.text === undefined ? readConfig(file, place) : parsedConfig(place.text, file, place);
}

/**
 * Refuses a store that keeps no files when `outputs` needs one, unless this command chose it. @throws
 * ConfigError
 */
function refuseUnstored(
  outputs: OutputSettings | undefined,
  { state, stateFrom }: Pick<Config, 'state' | 'stateFrom'>,
): void {
  const isForNow = stateFrom === '--store' || stateFrom === 'DESKHAND_STORE';
  if (outputs?.keep !== 'store' || isDatabase(state) || isForNow) return;
  throw new ConfigError(
    `outputs.keep: store requires a database (state.store: ${state.store})`,
    'set state: { store: postgres, url: { env: NAME } }, or restate, or keep: workspace',
  );
}

/** The profile that a playbook runs on, and the reason if the playbook names another one. */
export interface Choice {
  readonly profile: Profile;
  readonly note?: string;
}

/**
 * Chooses the profile: a flag takes precedence over the playbook's account, then the default applies. Without
 * a deskhand.yaml account names have no meaning: all of them are the default profile.
 * @throws ConfigError with a suggestion
 */
export function chooseProfile(
  config: Config,
  { flag, account }: { readonly flag?: string; readonly account?: string },
): Choice {
  if (flag !== undefined) return { profile: profileNamed(config, flag) };
  if (account === undefined) return { profile: profileNamed(config, config.initial) };
  if (config.file !== undefined || config.profiles.has(account)) {
    return { profile: profileNamed(config, account) };
  }
  const profile = profileNamed(config, config.initial);
  return { profile, note: `no deskhand.yaml: account ${account} is the profile ${profile.name}` };
}

/** The maximum number of items of a playbook: that of the profile that `chooseProfile` would choose. */
export function itemsMaxOf(
  { profiles, file, initial }: Config,
  flag: string | undefined,
): (account: string | undefined) => number {
  return (account) => {
    const isKnown = file !== undefined || account === undefined || profiles.has(account);
    return (
      profiles.get(flag ?? (isKnown ? account : undefined) ?? initial)?.plans.items ?? itemsDefault
    );
  };
}

/** @throws ConfigError with a suggestion */
export function profileNamed(config: Config, name: string): Profile {
  const found = config.profiles.get(name);
  if (found !== undefined) return found;
  throw noProfile(config, name);
}

/** The error for an unknown profile, with a suggestion. */
export function noProfile(config: Config, name: string): ConfigError {
  const near = nearWord(name, config.profiles.keys());
  const where = config.file ?? 'any configuration file';
  return new ConfigError(
    `unknown profile ${JSON.stringify(name)} in ${where}`,
    near ? `did you mean ${near}?` : `add it under profiles: in ${config.file ?? 'deskhand.yaml'}`,
  );
}

const nothing: ConfigFile = { profiles: new Map() };
/**
 * The state store: a flag takes precedence over the environment, then the project's file, then the user's
 * own.
 */
function stateFor(
  { store: flag, env }: ConfigPlace,
  files: readonly {
    readonly file: string | undefined;
    readonly state: StateSettings | undefined;
  }[],
): Pick<Config, 'state' | 'stateFrom'> {
  const [configured] = files.filter(({ state }) => state !== undefined);
  const named = namedStore(flag, env);
  if (named !== undefined) {
    return { state: storeSettings(named, configured?.state), stateFrom: named.by };
  }
  const { file: stateFrom, state = { store: 'local' } } = configured ?? {};
  return { state, ...(stateFrom !== undefined && { stateFrom }) };
}

async function readOwnFile(place: ConfigPlace): Promise<ConfigFile> {
  const file = ownFileOf(place.env);
  return file !== undefined && existsSync(file) ? readConfig(file, place) : nothing;
}

function ownFileOf(env: Environment): string | undefined {
  const folder = settingsFolder(env);
  return folder === undefined ? undefined : join(folder, 'deskhand', 'config.yaml');
}

async function readConfig(file: string, place: ConfigPlace): Promise<ConfigFile> {
  let text: string;
  try {
    text = (await readRegular(file)).toString('utf8');
  } catch (error) {
    throw new ConfigError(`${file} cannot be read`, messageOf(error));
  }
  return parsedConfig(text, file, place);
}

function parsedConfig(text: string, file: string, { keyed }: ConfigPlace): ConfigFile {
  return parseConfig(text, file, (path) => readBeside(path, file), keyed);
}

/** The profile of the environment: DESKHAND_BASE_URL with a key defines one. */
function profileOfEnvironment(env: Environment): Profile | undefined {
  const address = env['DESKHAND_BASE_URL'];
  if (address === undefined || address === '') return undefined;
  const baseUrl = baseUrlOf(address, 'DESKHAND_BASE_URL');
  const target = isLoopback(baseUrl) ? 'sandbox' : 'live';
  return {
    ...builtInProfile,
    name: ofEnvironment,
    target,
    baseUrl,
    ...accountOfEnvironment(env),
    onDoubt: target === 'sandbox' ? 'resend' : 'ask',
    from: 'environment',
  };
}

/** The account-id of the environment's profile, and the decisions about its keys. */
function accountOfEnvironment(env: Environment): Pick<Profile, 'accountId' | 'decided'> {
  const listIn = (name: string): readonly string[] => (env[name] ?? '').split(',').filter(Boolean);
  const keysIn = (name: string): readonly string[] =>
    listIn(name).map((text) => keptFingerprint(text, { file: 'the environment', path: name }));
  const id = env['DESKHAND_ACCOUNT_ID'] || undefined;
  return {
    ...(id !== undefined && { accountId: accountIdIn(id, 'DESKHAND_ACCOUNT_ID') }),
    decided: {
      formerKeys: keysIn('DESKHAND_FORMER_KEYS'),
      otherKeys: keysIn('DESKHAND_OTHER_KEYS'),
      formerIds: listIn('DESKHAND_FORMER_IDS').map((text) => text.trim()),
    },
  };
}
