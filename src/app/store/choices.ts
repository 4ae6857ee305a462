/** The chosen profile, configuration and store: given, or from the environment. */
import type { Environment } from '../config/secrets.ts';
import type { AppChoices } from '../app-context.ts';

type Given = { readonly [K in keyof AppChoices]: AppChoices[K] | undefined };

/** The choices: a given one takes precedence over the environment. */
export function choicesIn(given: Given, env: Environment): AppChoices {
  const profile = given.profile ?? env['DESKHAND_PROFILE'];
  const config = given.config ?? env['DESKHAND_CONFIG'];
  const { store } = given;
  return {
    ...(profile !== undefined && { profile }),
    ...(config !== undefined && { config }),
    ...(store !== undefined && { store }),
  };
}

/**
 * The environment without empty variables, which count as not set: pipelines set variables without a value.
 */
export function withoutEmpty(env: Environment): Environment {
  const isSaid = ([name, value]: readonly [string, unknown]): boolean =>
    value !== '' || !name.startsWith('DESKHAND_');
  return Object.fromEntries(Object.entries(env).filter(isSaid));
}
