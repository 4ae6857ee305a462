/** What most commands begin with: the configuration, the profile, and an exchange opened for it. */
import process from 'node:process';
import { chooseProfile, loadConfig, type Config } from '../config/load.ts';
import type { Profile } from '../config/profile.ts';
import { openSession, type Session, type SessionOptions } from '../config/session.ts';
import type { Context } from './context.ts';

/** The configuration in force here. */
export function configOf({ terminal, globals }: Context): Promise<Config> {
  const { config } = globals;
  return loadConfig({
    cwd: process.cwd(),
    env: terminal.env,
    ...(config !== undefined && { file: config }),
  });
}

/** The profile to work on; says so when a playbook's account name stands for another. */
export function profileOf(context: Context, config: Config, account?: string): Profile {
  const { profile: flag } = context.globals;
  const { profile, note } = chooseProfile(config, {
    ...(flag !== undefined && { flag }),
    ...(account !== undefined && { account }),
  });
  if (note !== undefined && !context.globals.isQuiet) {
    const { err } = context.terminal;
    err.line(err.look.paint('faint', note));
  }
  return profile;
}

/** Opens a profile; its secrets are masked in every error from then on. */
export async function openWork(
  context: Context,
  config: Config,
  profile: Profile,
  options: Pick<SessionOptions, 'watch' | 'needsKey'>,
): Promise<Session> {
  const { terminal, clock } = context;
  const session = await openSession(profile, {
    stateDir: config.stateDir,
    env: terminal.env,
    clock,
    ...options,
  });
  context.secrets.push(...session.secrets);
  return session;
}
