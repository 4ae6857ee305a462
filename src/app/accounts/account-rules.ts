/** The facts about the accounts of profiles that the checker of playbooks knows, without reading any run. */
import { relative, resolve } from 'node:path';
import process from 'node:process';
import { ConfigError } from '../../base/error.ts';
import { isInside, workspaceOf } from '../../base/workspace.ts';
import { noProfile, type Config } from '../config/load.ts';
import type { Profile } from '../config/profile.ts';
import type { Destination } from '../../engine/journal/entry.ts';
import { idHint } from '../../engine/journal/id-hint.ts';
import { checkAllowed } from '../../engine/plan/programs.ts';
import { elsewhereFault } from './one-exchange.ts';
import type { AccountRules, Fault, ProgramFault } from '../../language/limits.ts';
import { isProgram } from '../machine/program.ts';

/**
 * Which profiles need an account-id before a write, for the checker of playbooks.
 * @param folder from which programs are named
 */
export function accountRules(config: Config, folder = process.cwd()): AccountRules {
  const { profiles, state } = config;
  return {
    lacksId: (name) => {
      const profile = profiles.get(name);
      return profile !== undefined && lacksId(profile);
    },
    ...(state.store !== 'local' && { sharedBy: `state: ${state.store}` }),
    hint: idHint,
    family: (name) => profiles.get(name)?.family,
    unknown: (name) => {
      // Without a deskhand.yaml names have no meaning: all are the default profile.
      if (profiles.has(name) || config.file === undefined) return undefined;
      const file = relative(folder, config.file); // relative, so that every machine prints the same text
      return faultOf(noProfile({ ...config, file }, name));
    },
    elsewhere: (name, own) => {
      const [other, first] = [profiles.get(name), profiles.get(own)];
      return other && first && elsewhereFault(placeOf(other), placeOf(first));
    },
    program: (name, program) => {
      const profile = profiles.get(name);
      if (profile === undefined || config.file === undefined) return undefined;
      try {
        checkAllowed(program, profile.programs, name);
      } catch (error) {
        if (!(error instanceof ConfigError)) throw error;
        return { kind: 'refused', ...faultOf(error) };
      }
      return programAt(program, folder);
    },
  };
}

/** The place of a profile as far as the configuration says it. */
function placeOf({ name, target, baseUrl }: Profile): Parameters<typeof elsewhereFault>[0] {
  return { profile: name, target, host: baseUrl?.host ?? 'the built-in sandbox' };
}

function faultOf({ message, hint }: ConfigError): Fault {
  return { message, ...(hint !== undefined && { hint }) };
}

/** A name without a path is searched in PATH on the machine of the run. */
function programAt(name: string, folder: string): ProgramFault | undefined {
  const path = resolve(folder, name);
  if (!name.includes('/') || isProgram(path)) return undefined;
  const isOurs = isInside(workspaceOf(folder), path);
  const message = `program ${JSON.stringify(name)} is missing or not executable`;
  return isOurs
    ? { kind: 'missing', message, hint: `add it to the repository, and make it executable` }
    : { kind: 'elsewhere', message: `${message} on this machine`, hint: 'plan looks for it again' };
}

/** Whether an account is live and has no id: only its key identifies it. */
export function lacksId({ target, accountId }: Pick<Destination, 'target' | 'accountId'>): boolean {
  return target !== 'sandbox' && accountId === undefined;
}
