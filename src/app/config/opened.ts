/** The start of most commands: the configuration and the profile. */
import { refuseAlike } from './account-id.ts';
import { fingerprintOf } from './secrets.ts';
import { chooseProfile, loadConfig, profileNamed, type Config } from './load.ts';
import type { Profile } from './profile.ts';
import { refuseLinksIn } from './state-folder.ts';
import { folderOf, type AppContext } from '../app-context.ts';

/** The configuration in force, with a writable state folder. @throws ConfigError */
export async function configOf(context: AppContext): Promise<Config> {
  const config = await configToRead(context);
  refuseLinksIn(config.stateDir, context.env['DESKHAND_STATE_DIR'] !== undefined);
  return config;
}

/** The configuration in force, for commands that write nothing: the state folder may be anything. */
export async function configToRead(context: AppContext): Promise<Config> {
  const { config, store } = context.globals;
  const loaded = await loadConfig({
    cwd: folderOf(context),
    env: context.env,
    ...(config !== undefined && { file: config }),
    ...(store !== undefined && { store }),
    ...(context.given?.config !== undefined && { text: context.given.config }),
    ...(context.credentials && { keyed: new Set(context.credentials.keys()) }),
  });
  return withCredentials(loaded, context.credentials);
}

/** @throws ConfigError for a key of an unknown profile, or one key of two accounts */
function withCredentials(config: Config, given: AppContext['credentials']): Config {
  if (given === undefined || given.size === 0) return config;
  const keyed = [...given].map(
    ([name, credentials]) => [name, { ...profileNamed(config, name), credentials }] as const,
  );
  const profiles = new Map([...config.profiles, ...keyed]);
  refuseAlike(
    [...profiles.values()],
    'credentials',
    ({ credentials }) => credentials && fingerprintOf(credentials.apiKey),
    'its own key',
  );
  return { ...config, profiles };
}

/** The profile to use. Reports when the account name of a playbook has another meaning here. */
export function profileOf(context: AppContext, config: Config, account?: string): Profile {
  const { profile: flag } = context.globals;
  const { profile, note } = chooseProfile(config, {
    ...(flag !== undefined && { flag }),
    ...(account !== undefined && { account }),
  });
  if (note !== undefined) context.note({ kind: 'account', message: note });
  return profile;
}
