/** The start of most commands: the configuration and the profile. */
import process from 'node:process';
import { chooseProfile, loadConfig, type Config } from '../../config/load.ts';
import type { Profile } from '../../config/profile.ts';
import { refuseLinksIn } from '../../config/state-folder.ts';
import type { Context } from '../context.ts';

/** The configuration in force, with a writable state folder. @throws ConfigError */
export async function configOf(context: Context): Promise<Config> {
  const config = await configToRead(context);
  refuseLinksIn(config.stateDir, context.terminal.env['DESKHAND_STATE_DIR'] !== undefined);
  return config;
}

/** The same for commands that write nothing: the state folder may be anything. */
export function configToRead({ terminal, globals }: Context): Promise<Config> {
  const { config, store } = globals;
  return loadConfig({
    cwd: process.cwd(),
    env: terminal.env,
    ...(config !== undefined && { file: config }),
    ...(store !== undefined && { store }),
  });
}

/** The profile to use; reports when the account name of a playbook has another meaning. */
export function profileOf(context: Context, config: Config, account?: string): Profile {
  const { profile: flag } = context.globals;
  const { profile, note } = chooseProfile(config, {
    ...(flag !== undefined && { flag }),
    ...(account !== undefined && { account }),
  });
  if (note !== undefined && !context.globals.isQuiet) {
    const { err } = context.terminal;
    err.line(err.theme.paint('faint', note));
  }
  return profile;
}
